//! A program with a `main` of its own.

use criterion::Criterion;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("box", |b| b.iter(|| Box::new(1)));
    criterion.final_summary();
}
