//! Assertions on exact allocation counts, in tests.
//!
//! ```
//! use alloc_assert::{AssertMeasured, CountingAlloc, Steady, assert_allocs, measure};
//!
//! #[global_allocator]
//! static ALLOC: CountingAlloc = CountingAlloc::system();
//!
//! # fn main() {
//! let text = assert_allocs!(7_u8.to_string(), "== 1");
//! let bytes = measure(|| text.into_bytes()).assert("allocs == 0, net-bytes == 0");
//! assert_eq!(bytes, b"7");
//!
//! let mut line = String::new();
//! Steady::new().warm_up(1).repeats(1_000).assert("allocs == 0", || {
//!     line.clear();
//!     line.push_str("the same line again");
//! });
//! # }
//! ```
//!
//! | to assert on | use |
//! |---|---|
//! | an expression | [`assert_allocs!`] |
//! | a closure, a future, the phases of a window | [`measure`] or a [`Window`], with [`AssertMeasured`] or [`AssertPhases`] |
//! | each of many repeats, after a warm-up | [`Steady`] |
//! | all threads of the process | [`Window::process`] in [`in_fresh_process`], which runs the test alone |
//!
//! # Requirements
//!
//! `"METRIC COMPARATOR NUMBER"`, joined by commas: `"allocs <= 2, bytes <= 1.5 KiB"`. The comparators are
//! `<`, `<=`, `==`, `>=` and `>`. If [`assert_allocs!`] names no metric first, that is `allocs`.
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
//! By default an assertion counts the calling thread, so it is right in tests that run in parallel. If
//! the expression hands work to a pool, `== 0` passes no matter what the pool allocates; count the
//! process instead.
//!
//! An output that is a closure, a future or a lazy iterator has not run. If nothing was allocated either,
//! an assertion panics. To measure only how such a value is made, return it in a tuple, `(value,)`.
//!
//! # Failures
//!
//! A failure panics at the line of the assertion. It shows each requirement that is broken, the line
//! that allocates, the other counts that are not 0, and the first operations:
//!
//! ```should_panic
//! # use alloc_assert::{CountingAlloc, assert_allocs};
//! # #[global_allocator]
//! # static ALLOC: CountingAlloc = CountingAlloc::system();
//! # fn main() {
//! // assertion failed: expected `allocs == 0`, got 1
//! //   expression:       vec![1_u8; 24]
//! //  --> src/lib.rs:7:16
//! //   |
//! // 7 | assert_allocs!(vec![1_u8; 24], "== 0");
//! //   |                ^^^^ allocs 1, bytes 24
//! //
//! //   other counts:     bytes 24, net-bytes 24, net-blocks 1, peak-bytes 24
//! //   first operations: alloc 24
//! assert_allocs!(vec![1_u8; 24], "== 0");
//! # }
//! ```
//!
//! A debug build can count more than a release build, whose optimizer removes allocations.
//!
//! # Features
//!
//! `sites`, off by default, adds the lines that allocate to a failure, as above. It needs Rust 1.88,
//! adds alloc-symbols with three third-party crates to the build, and works on x86-64 and aarch64 Linux
//! and macOS, and x86-64 Windows; elsewhere a failure says that lines are not available. Without it, a
//! failure has the command that switches it on for one run:
//! `cargo test --features alloc-assert/sites NAME`.
//!
//! - If several lines allocate, a table lists them. It shows the metrics that broke a requirement, and
//!   its rows add up to the measured totals. It lists at most ten lines and says how many are left out.
//!   Above it is the source of the first line, with its caller. For `net-bytes`, `net-blocks` and
//!   `peak-bytes`, a line has the blocks that it made.
//! - A line is the innermost one in a file below the root of the workspace. Vendored and downloaded
//!   packages, build outputs, and path dependencies outside of the workspace don't count.
//! - [`assert_allocs!`] and [`Steady`] capture the call stack of each operation, in some 50 ns, so the
//!   lines are from the run that failed: from the repeat that [`Steady`] shows, or, for a `mean` or a
//!   `total`, from all repeats. The counts are the same.
//! - A [`Window`] and [`measure`] capture no stacks and have no lines, and neither has an assertion inside
//!   another one that captures them. In process scope, lines need [`in_fresh_process`].
//! - A build without line tables, such as `cargo test --release`, shows functions; set `debug =
//!   "line-tables-only"` in the profile. A stripped one shows neither.
//! - A failure reads the executable, which takes about a second in a debug build.
//!
//! The crate alloc-scenario measures scenarios in benches, with the same [`CountingAlloc`].

// Reading the source: `assertion/requirements.rs` reads the text of an assertion, and says which
// requirements an `assertion/measurement.rs` breaks; `assertion/report.rs` writes the message of a
// failure, and `assertion.rs` joins them. `assertion/phases.rs` and `assertion/steady.rs` assert on parts and on
// repeats. `fresh_process.rs` runs a test alone in a process. `sites/` has the lines of a failure.

#![forbid(unsafe_code)]

mod assertion;
mod fresh_process;
mod sites;
#[doc(hidden)]
pub use assertion::expansion;
pub use assertion::{AssertMeasured, AssertPhases, Steady, measure};
pub use counting_alloc::{self, CountingAlloc, Measured, Tally, Window, uncounted};
pub use fresh_process::in_fresh_process;

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
