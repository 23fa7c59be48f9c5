//! A group that is used after its end.

use criterion::{Criterion, criterion_group, criterion_main};

fn late(c: &mut Criterion) {
    let mut group = c.benchmark_group("group");
    group.finish();
    group.bench_function("late", |b| b.iter(|| 1));
}

criterion_group!(benches, late);
criterion_main!(benches);
