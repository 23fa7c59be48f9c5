//! A benchmark harness that counts heap allocations exactly, per iteration.
//!
//! ```no_run
//! use alloc_scenario::{CountingAlloc, Suite, black_box};
//!
//! #[global_allocator]
//! static ALLOC: CountingAlloc = CountingAlloc::system();
//!
//! fn main() -> std::process::ExitCode {
//!     let mut suite = Suite::from_args();
//!     suite
//!         .group("to_string")
//!         .scenario("u8", || black_box(7_u8).to_string())
//!         .scenario("u64", || black_box(u64::MAX).to_string());
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
//! In `Cargo.toml`, the target has to declare its own `main`:
//!
//! ```toml
//! [[bench]]
//! name = "alloc_count"
//! harness = false
//! ```
//!
//! `cargo bench` measures and prints a markdown table. `cargo test --benches` and nextest run each scenario
//! once, as a smoke test. `cargo alloc-gate` measures, and checks the limits in `gates.toml`. The metrics:
//!
//! | metric | what it counts |
//! |---|---|
//! | `allocs` | calls that allocate: `alloc`, `alloc_zeroed` and `realloc` |
//! | `reallocs` | how many of them were `realloc` |
//! | `deallocs` | calls of `dealloc` |
//! | `bytes` | sizes of new blocks, and what reallocations add |
//! | `peak-bytes` | the most bytes live at once, above the level at the start |
//! | `net-bytes`, `net-blocks` | what is left behind; can be negative |
//! | `foreign-allocs` | allocations of other threads meanwhile |
//!
//! [`Operation::metric`](builder::Operation::metric) adds a metric of your own: an integer computed from
//! each iteration's output. [`Scenario`] shows set-ups, inputs, async bodies, and a scenario that can't be
//! measured on a machine; [`builder`] has all parts in their order.
//!
//! # What is measured
//!
//! First the counter is proved: unless it counts known operations correctly, nothing is measured. Then each
//! scenario runs these passes, in this order:
//!
//! 1. the **first** call, cold, counted and timed by itself. Earlier work of the process may have warmed it
//!    up, unless the scenario has a [process of its own](Scenario::fresh_process);
//! 2. the **warm-up**, 1,000 iterations by default, not counted;
//! 3. the **counted pass**, 10,000 iterations by default, each counted by itself. The number of iterations
//!    does not depend on a clock. The result is the distribution over the iterations, not their average;
//! 4. the **timed pass**, with counting switched off: batches of iterations for at most a tenth of a second.
//!    The time is only reported.
//!
//! A scenario whose first calls are too slow for these numbers fails at once if it has a
//! [time limit](Scenario::timeout) or the bench has one, as under `cargo alloc-gate`. `cargo bench --
//! --quick` takes at most 10 iterations of warm-up and 100 counted ones.
//!
//! In each iteration, the window contains the body, whose output passes through [`black_box`], and dropping
//! the output unless [`drop_outside`](Scenario::drop_outside) is set. The harness does not allocate inside
//! the window: an empty scenario is zero in every metric.
//!
//! # What the numbers miss
//!
//! - Sizes are the requested ones. What an allocator rounds up, and calls of `malloc` by C code, are not
//!   counted.
//! - Only the thread that runs the body is counted, unless the scenario has [`Scope::Process`]. The table
//!   marks operations of other threads and inside [`uncounted`](uncounted()), and threads that outlived the
//!   iteration in which they began. A pool that set-up starts gets a millisecond to begin before the first
//!   call; wait in set-up until its threads have begun if that takes them longer.
//! - Constants in the body are known to the optimizer, which may then remove work that real input needs. Pass
//!   them through [`black_box`], or take the input from a set-up.
//! - An output that is a closure, a future or a lazy iterator has not run. If the body allocated nothing
//!   either, the scenario fails. To measure only how such a value is made, return it in a tuple, `(value,)`.
//!
//! The crate has no features. Tests assert counts with the crate alloc-assert, which has the same
//! [`CountingAlloc`].

// Reading the source. A scenario: `scenario.rs` is the builder, with its axes and its set-up, and
// `operation.rs` keeps it with all its points. `passes.rs` runs the passes over it, as `plan.rs` says, with
// the calls of `measure.rs` on one thread and of `threads.rs` on several. A run: `arguments.rs` and
// `selection.rs` say what is measured, `run.rs` measures it or runs it once, `child_process.rs` does so in a
// process of its own, and `recording.rs` and `table.rs` write the results. `suite.rs` keeps the scenarios
// for it, and `calls.rs` brings scenarios that are measured where they are called.

#![forbid(unsafe_code)]

mod arguments;
mod calls;
mod child_process;
mod console;
mod environment;
mod failure;
mod measure;
mod own_metrics;
mod pace;
mod passes;
mod plan;
mod recording;
mod run;
mod scenario;
mod selection;
mod sites;
mod suite;
mod table;
mod threads;
mod timed;

/// Keeps the optimizer from removing or precomputing a value; [`std::hint::black_box`].
pub use std::hint::black_box;

pub use alloc_results::Unit;
pub use child_process::fresh_process_for;
pub use counting_alloc::{self, CountingAlloc, Scope, uncounted};
pub use scenario::Scenario;
#[doc(hidden)]
pub use sites::anchor;
pub use suite::Suite;

/// The types between [`Suite`] and a finished scenario, for functions that take or return one.
///
/// The parts of a scenario have an order: axes first, then settings, then at most one set-up or input, and
/// then the body. What looks at the output comes after the body. Each closure gets the values of the axes
/// as the point, a tuple if there are several:
///
/// ```no_run
/// use std::collections::BTreeMap;
///
/// use alloc_scenario::{Suite, Unit};
///
/// let mut suite = Suite::from_args();
/// let words = std::fs::read_to_string("/usr/share/dict/words");
/// suite.scenario_with("index", |b| {
///     let axes = b
///         .axis("words", [10_usize, 100])
///         .labeled_axis("by", [("len", 0_u32), ("bits", 1)]);
///     let Ok(words) = &words else {
///         return axes.unavailable("there is no /usr/share/dict/words");
///     };
///     axes.elements(|&(count, _)| count)
///         .iterations(1_000)
///         .note("the words of the system's dictionary")
///         .setup(|&(count, by)| (words.lines().take(count).collect::<Vec<_>>(), by))
///         .run(|(words, by)| {
///             let key = |word: &str| word.len() << *by;
///             words.iter().map(|word| (key(word), *word)).collect::<BTreeMap<_, _>>()
///         })
///         .verify(|index| assert!(!index.is_empty()))
///         .metric("keys", Unit::Count, |index| index.len() as i64)
///         .into()
/// });
/// ```
///
/// A closure that returns `unavailable` in one case needs the `.into()` in the other.
pub mod builder {
    pub use crate::scenario::axis::Axes;
    pub use crate::scenario::operation::Operation;
    pub use crate::scenario::{Definition, WithInput, WithSetup};
    pub use crate::suite::Group;
}

/// Scenarios that are measured where they are called, for adapters of other harnesses.
pub mod adapter {
    pub use crate::calls::{Call, Called, Calls};
}

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
