//! A program with a global allocator of its own, besides the one that `criterion_main!` installs.

use std::alloc::System;

use criterion::{Criterion, criterion_group, criterion_main};

#[global_allocator]
static GLOBAL: System = System;

fn boxes(c: &mut Criterion) {
    c.bench_function("box", |b| b.iter(|| Box::new(1_u64)));
}

criterion_group!(benches, boxes);
criterion_main!(benches);
