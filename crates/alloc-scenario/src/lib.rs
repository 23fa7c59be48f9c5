//! What an operation allocates, exactly: asserted in a test, or measured per
//! iteration by scenarios in a bench of its own.
//!
//! # In a test
//!
//! ```
//! use alloc_scenario::{AssertMeasured, CountingAlloc, Steady, assert_allocs, measure};
//!
//! #[global_allocator]
//! static ALLOC: CountingAlloc = CountingAlloc::system();
//!
//! # fn main() {
//! let text = assert_allocs!(7_u8.to_string(), "== 1");
//! let bytes = measure(|| text.into_bytes()).assert("alloc-calls == 0, net-bytes == 0");
//! assert_eq!(bytes, b"7");
//!
//! let mut line = String::new();
//! Steady::new().warm_up(1).repeats(1_000).assert("alloc-calls == 0", || {
//!     line.clear();
//!     line.push_str("the same line again");
//! });
//! # }
//! ```
//!
//! [`assert_allocs!`] is of an expression, [`AssertMeasured`] of what [`measure`]
//! or a [`Window`] returned, [`Steady`] of each of many repeats. The counts are
//! those of the calling thread, unless the window is of more, and so they are
//! right in tests that run in parallel. A failure shows all that was measured,
//! and panics at the line of the assertion:
//!
//! ```should_panic
//! # use alloc_scenario::{CountingAlloc, assert_allocs};
//! # #[global_allocator]
//! # static ALLOC: CountingAlloc = CountingAlloc::system();
//! # fn main() {
//! // allocations are not as required: `allocs == 0`, but allocs is 1
//! //   expression:       vec![1_u8; 24]
//! //   counted:          1 allocs (24 bytes), 0 deallocs (0 bytes), 0 grows (0 bytes), ...
//! //   figures:          allocs 1, bytes 24, deallocs 0, freed-bytes 0, reallocs 0, ...
//! //   first operations: alloc 24
//! //   scope:            the calling thread; counts and the thread's peak
//! //   other threads:    nothing meanwhile
//! //   build:            with debug assertions; without them code can allocate differently
//! assert_allocs!(vec![1_u8; 24], "== 0");
//! # }
//! ```
//!
//! # In a bench
//!
//! ```no_run
//! use alloc_scenario::{CountingAlloc, Suite};
//!
//! #[global_allocator]
//! static ALLOC: CountingAlloc = CountingAlloc::system();
//!
//! fn main() -> std::process::ExitCode {
//!     let mut suite = Suite::from_args();
//!     suite
//!         .group("to_string")
//!         .scenario("u8", || 7_u8.to_string())
//!         .scenario("u64", || u64::MAX.to_string());
//!     suite.scenario_with("join", |b| {
//!         b.axis("words", [10, 100, 1_000])
//!             .elements(|&words| words)
//!             .setup(|&words| vec!["word"; words])
//!             .run(|words| words.join(" "))
//!     });
//!     suite.finish()
//! }
//! ```
//!
//! In `Cargo.toml`, the target says that it has a `main` of its own:
//!
//! ```toml
//! [[bench]]
//! name = "alloc_count"
//! harness = false
//! ```
//!
//! `cargo bench` measures and prints a markdown table. `cargo test --benches`
//! and nextest run each scenario once, as a smoke test. `cargo alloc-gate`
//! measures and judges by the rules in `gates.toml`.
//!
//! # What is measured
//!
//! First of all the counter is proved: known operations must be counted as what
//! they are, or nothing is measured. Then, for each scenario, in this order:
//!
//! 1. the **first** call, cold, counted by itself, and timed by itself with counting
//!    on: what ran before in the process has warmed it up, unless the scenario has a
//!    [process of its own](Scenario::fresh_process);
//! 2. the **warm-up**, 1,000 iterations by default, not counted;
//! 3. the **counted pass**, 10,000 iterations by default, each counted by
//!    itself. The number is fixed and never shortened by a clock, and the
//!    result is the distribution over the iterations and not their average;
//! 4. the **timed pass**, with counting switched off: batches of iterations for
//!    a tenth of a second at most. It is reported and no part of any verdict.
//!
//! Per iteration, what stands between the opening and the closing of the window
//! is the body, with its output passed through [`black_box`](std::hint::black_box)
//! and, unless [`drop_outside`](Scenario::drop_outside) says otherwise, dropped.
//! The harness itself allocates nothing there: an empty scenario is zero in
//! every field.
//!
//! # Figures of one's own
//!
//! What matters beside allocations can be measured with them, as an integer of
//! each iteration's output:
//!
//! ```no_run
//! use alloc_scenario::{Suite, Unit};
//!
//! let mut suite = Suite::from_args();
//! suite.scenario_with("read", |b| {
//!     b.axis("lines", [10_usize, 100])
//!         .setup(|&lines| "7\n8\nnine\n".repeat(lines))
//!         .run(|text| text.lines().map(str::parse::<u8>).collect::<Vec<_>>())
//!         .metric("refused", Unit::Count, |numbers| {
//!             numbers.iter().filter(|number| number.is_err()).count() as i64
//!         })
//! });
//! ```
//!
//! They are in the results, with their distribution, and in a second table. See
//! [`Operation::metric`].
//!
//! An operation that can go wrong without a panic says so by
//! [`Operation::outcome`], and then its time is not shown as one. What can't be
//! measured on a machine is registered as [`Scenario::unavailable`].
//!
//! # What the numbers miss
//!
//! Sizes are those requested; what an allocator rounds them up to is not seen,
//! and what C code takes from `malloc` by itself only with the feature `native`,
//! on Linux with glibc. In the default scope only
//! the thread that runs the body is counted, and what other threads did is
//! marked in the table; for bodies with worker threads there is
//! [`Scope::Process`].
//!
//! This crate knows nothing of gates.toml, of baselines and of the verdicts of a
//! gate.

#![forbid(unsafe_code)]

mod arguments;
mod assertion;
mod axis;
mod bench;
mod body;
mod console;
mod environment;
mod failure;
mod figures;
mod fresh;
mod measure;
mod outcome;
mod recording;
mod scenario;
mod selection;
mod settings;
mod smoke;
mod stopwatch;
mod suite;
mod sweep;
mod table;
mod threads;

pub use alloc_results::{Unit, protocol};
#[doc(hidden)]
pub use assertion::expansion;
pub use assertion::{AssertMeasured, Steady, measure};
pub use axis::{Axes, NoAxis, OneAxis, ThreeAxes, TwoAxes};
pub use counting_alloc::{
    self, CountingAlloc, MeasureError, Measured, Scope, ScopeToken, Tally, Window, measure_joined,
    uncounted,
};
pub use outcome::Outcome;
pub use scenario::{Definition, Operation, Scenario, WithInput, WithSetup};
pub use suite::{Group, Suite};

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
