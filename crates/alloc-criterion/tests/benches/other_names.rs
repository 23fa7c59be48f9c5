//! Benches whose names differ each time.

use std::sync::atomic::{AtomicU32, Ordering};

use criterion::{Criterion, criterion_group, criterion_main};

static CALLS: AtomicU32 = AtomicU32::new(0);

fn named(c: &mut Criterion) {
    c.bench_function("first", |b| b.iter(|| 1));
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    c.bench_function(&format!("call {call}"), |b| b.iter(|| 1));
}

criterion_group!(benches, named);
criterion_main!(benches);
