//! Benches that criterion runs without a word, and that are no usual ones.

use criterion::{Criterion, criterion_group, criterion_main};

fn boxes(count: u8) -> Vec<Box<u8>> {
    (0..count).map(Box::new).collect()
}

fn unusual(c: &mut Criterion) {
    let mut group = c.benchmark_group("same");
    group.bench_function("x", |b| b.iter(|| boxes(1)));
    group.sample_size(1_000);
    group.bench_function("many", |b| b.iter(|| boxes(1)));
    group.finish();
    c.bench_function("same/x", |b| b.iter(|| boxes(2)));
    c.bench_function("twice", |b| {
        b.iter(|| boxes(1));
        b.iter(|| boxes(3));
    });
    c.bench_function("lazy", |b| b.iter(|| async { boxes(1) }));
}

criterion_group!(benches, unusual);
criterion_main!(benches);
