//! Benches that can't be measured, each for another reason, and one between them that can.

use criterion::{Criterion, criterion_group, criterion_main};

fn never(c: &mut Criterion) {
    c.bench_function("never", |_| ());
}

fn nested(c: &mut Criterion) {
    c.bench_function("nested", |b| {
        Criterion::default().bench_function("inner", |b| b.iter(|| 1));
        b.iter(|| 2);
    });
}

fn routine(c: &mut Criterion) {
    c.bench_function("routine", |b| b.iter(|| "x".parse::<u8>().unwrap()));
}

fn after(c: &mut Criterion) {
    c.bench_function("after", |b| {
        b.iter(|| 1);
        panic!("it is not sorted");
    });
}

fn good(c: &mut Criterion) {
    c.bench_function("good", |b| b.iter(|| Box::new(1)));
}

criterion_group!(benches, never, nested, routine, after, good);
criterion_main!(benches);
