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
//! [`assert_allocs!`] checks an expression, [`AssertMeasured`] the result of
//! [`measure`] or a [`Window`], and [`Steady`] each of many repeats. By default they
//! count the calling thread, so they are right in tests that run in parallel. A failure
//! panics at the line of the assertion, with all figures of the measurement:
//!
//! ```should_panic
//! # use alloc_assert::{CountingAlloc, assert_allocs};
//! # #[global_allocator]
//! # static ALLOC: CountingAlloc = CountingAlloc::system();
//! # fn main() {
//! // allocation limit exceeded: expected `allocs == 0`, got 1
//! //   expression:       vec![1_u8; 24]
//! //  --> src/lib.rs:7:16
//! //   |
//! // 7 | assert_allocs!(vec![1_u8; 24], "== 0");
//! //   |                ^^^^ allocs 1, bytes 24
//! //
//! //   allocs  bytes  line
//! //             1     24  src/lib.rs:7:16  vec! in main
//! //
//! //   counted:          1 allocs (24 bytes), 0 reallocs, 0 deallocs (0 bytes)
//! //   figures:          allocs 1, bytes 24, deallocs 0, reallocs 0, ...
//! //   first operations: alloc 24
//! //   scope:            the calling thread; counts and the thread's peak
//! //   other threads:    no operations meanwhile
//! //   build:            debug; a release build can count fewer, because the optimizer ...
//! assert_allocs!(vec![1_u8; 24], "== 0");
//! # }
//! ```
//!
//! An output that is a closure, a future or a lazy iterator has not run. If nothing was
//! allocated either, an assertion panics. To measure only how such a value is made, return
//! it in a tuple, `(value,)`.
//!
//! A window of the process also counts libtest's threads and other tests;
//! [`in_fresh_process`] runs a test alone.
//!
//! The crate alloc-scenario measures scenarios in benches. Both have the same [`CountingAlloc`].
//!
//! # The lines that allocate
//!
//! The lines in a failure need the feature `sites`, which is off by default. It adds
//! alloc-symbols with three third-party crates to the build, and needs Rust 1.88. In a package with
//! a dev-dependency on this crate, `cargo test --features alloc-assert/sites` switches it on for
//! one run.
//!
//! - The figures are those of the metrics that broke a requirement; they add up to the measured
//!   ones. At most ten lines are shown, and the others counted; above them stands the code of the
//!   first one, with its caller. Of `net-bytes`, `net-blocks` and
//!   `peak-bytes` a line has the blocks that it made.
//! - [`assert_allocs!`] and [`Steady`] capture the call stack of each operation from
//!   the start, in some 50 ns, so the lines are those of the run that failed: of [`Steady`] those
//!   of the repeat that it shows, and of a `mean` or a `total` those of all repeats. The counts
//!   are the same.
//! - The blamed line is the innermost one in a file below the root of the workspace. Vendored
//!   packages, downloaded ones and build outputs are not the workspace's own, and path
//!   dependencies outside of it are not either. Beside it stand the function that it calls and the
//!   function that it is in.
//! - A [`Window`] and [`measure`] capture no stacks, so they cost nothing more, and have no lines.
//!   Neither has an assertion inside another one that captures them.
//! - Lines of a [`Window::process`] need [`in_fresh_process`]: if other threads allocate meanwhile,
//!   the lines may not add up, and are not shown.
//! - A build without line tables, such as that of `cargo test --release`, shows functions; set
//!   `debug = "line-tables-only"` in the profile. A stripped one shows neither.
//! - A failure reads the executable, which takes about a second in a debug build.
//! - x86-64 and aarch64 Linux and macOS, and x86-64 Windows are supported; elsewhere a sentence says so.
//!
//! # Reading the source
//!
//! `assertion/requirements.rs` reads the text of an assertion, and says which requirements
//! `assertion/figures.rs` breaks; `report.rs` writes the message of a failure, and `assertion.rs`
//! joins them. `phases.rs` and `steady.rs` assert on parts and on repeats. `fresh_process.rs` runs a
//! test alone in a process. `sites/` has the lines of a failure.

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
