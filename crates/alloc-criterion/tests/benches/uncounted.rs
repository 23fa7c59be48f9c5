//! A program with a global allocator that is not counted.

use std::alloc::System;

use criterion::{Criterion, criterion_group, criterion_main, own_allocator};

#[global_allocator]
static GLOBAL: System = System;

fn boxes(c: &mut Criterion) {
    c.bench_function("box", |b| b.iter(|| Box::new(1_u64)));
}

criterion_group!(benches, boxes);
criterion_main!(own_allocator, benches);
