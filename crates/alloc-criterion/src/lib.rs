//! Exact allocation counts for your existing criterion benchmarks.
//!
//! One line of `Cargo.toml` changes, and no source file:
//!
//! ```toml
//! [dev-dependencies]
//! criterion = { package = "alloc-criterion", path = "../alloc-gate/crates/alloc-criterion" }
//! ```
//!
//! ```no_run
//! # use alloc_criterion as criterion;
//! use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
//!
//! fn join(c: &mut Criterion) {
//!     let mut group = c.benchmark_group("join");
//!     for words in [10, 100, 1_000] {
//!         let input = vec!["word"; words];
//!         group.throughput(Throughput::Elements(words as u64));
//!         group.bench_with_input(BenchmarkId::new("spaces", words), &input, |b, input| {
//!             b.iter(|| input.join(" "))
//!         });
//!     }
//!     group.finish();
//! }
//!
//! criterion_group!(benches, join);
//! criterion_main!(benches);
//! ```
//!
//! Under `cargo bench`, the crate is criterion itself. It adds two names for programs with a global
//! allocator of their own, [`global_allocator!`] and [`own_allocator`], and counts nothing.
//!
//! `cargo alloc-gate` sets a variable for its builds. With it, the crate is criterion's interface over
//! alloc-scenario, and counts: `join/spaces/10` and the others are scenarios on the axis `parameter`.
//! Criterion is compiled as well, as `cargo bench` has done already.
//!
//! The README says what each method counts, and what differs. The features are criterion's.

// Reading the source: `counting.rs` has the parts of the counted crate. `passes.rs` runs the groups twice,
// `group.rs` and `settings.rs` name the benches, and `bencher.rs` measures them where they are called, with
// the `Calls` of alloc-scenario.

#![forbid(unsafe_code)]

mod allocator;
#[cfg(alloc_gate)]
mod counting;

pub use allocator::own_allocator;
#[cfg(alloc_gate)]
pub use counting::*;
#[cfg(not(alloc_gate))]
pub use criterion::*;
