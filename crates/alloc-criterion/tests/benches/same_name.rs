//! Two benches of one name.

use criterion::{Criterion, criterion_group, criterion_main};

fn one(c: &mut Criterion) {
    c.bench_function("same", |b| b.iter(|| 1));
}

fn other(c: &mut Criterion) {
    c.benchmark_group("same")
        .bench_function("x", |b| b.iter(|| 1));
    c.bench_function("same/x", |b| b.iter(|| 1));
}

criterion_group!(benches, one, other);
criterion_main!(benches);
