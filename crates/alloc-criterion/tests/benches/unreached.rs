//! A bench that is listed and then not called.

use std::sync::atomic::{AtomicBool, Ordering};

use criterion::{Criterion, criterion_group, criterion_main};

static WAS_CALLED: AtomicBool = AtomicBool::new(false);

fn named(c: &mut Criterion) {
    c.bench_function("first", |b| b.iter(|| 1));
    if !WAS_CALLED.swap(true, Ordering::Relaxed) {
        c.bench_function("once", |b| b.iter(|| 1));
    }
}

criterion_group!(benches, named);
criterion_main!(benches);
