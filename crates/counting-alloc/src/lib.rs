//! A [`GlobalAlloc`](std::alloc::GlobalAlloc) wrapper that counts, exactly,
//! what each thread and the whole process allocate.
//!
//! ```
//! use counting_alloc::{CountingAlloc, measure};
//!
//! #[global_allocator]
//! static ALLOC: CountingAlloc = CountingAlloc::system();
//!
//! fn main() {
//!     let measured = measure(|| Vec::<u8>::with_capacity(64));
//!     assert_eq!(measured.tally.allocs, 1);
//!     assert_eq!(measured.tally.bytes(), 64);
//!     assert_eq!(measured.tally.deallocs, 0, "the vector is still alive");
//!     assert_eq!(measured.peak_bytes, Some(64));
//! }
//! ```
//!
//! # What is counted
//!
//! The four operations of `GlobalAlloc`, where the inner allocator **succeeded**,
//! with the sizes that were *requested*, in bytes; see [`Tally`] for the fields
//! and for what is derived from them. What it refused is in
//! [`failed`](Tally::failed) alone. All four are forwarded, so the inner allocator
//! sees the program that would run without this crate. What it rounds a request up
//! to is not seen.
//!
//! With the feature `native`, on Linux with glibc, the program's `malloc` and its
//! kin are this crate's: they hand each call to glibc and count those that did
//! not come through Rust's allocator, which C code makes, as
//! [`native`](Measured::native). Elsewhere that is `None`.
//!
//! # Scope
//!
//! A measurement is of the calling thread ([`Scope::Thread`], the default) or
//! of the process ([`Scope::Process`]). Counts of a thread are exact whatever
//! other threads do, so `measure` gives the same number under a parallel
//! `cargo test`. What other threads did in the meantime is reported beside it
//! as [`foreign`](Measured::foreign).
//!
//! # Windows
//!
//! | window | of what |
//! |---|---|
//! | [`measure`], [`try_measure`] | a closure |
//! | [`Window::measure`] | a closure, with what the [`Window`] asks for: scope, peak, first operations |
//! | [`Window::measure_phases`] | a closure that divides what it does into named [`Phases`] |
//! | [`Window::measure_future`] | the polls of a future |
//! | [`measure_joined`] | a closure, and what other threads do in [`ScopeToken::count`] |
//!
//! What is done inside of [`uncounted`](uncounted()) is left out of all of them and
//! stands in [`Measured::uncounted`].
//!
//! # Modes
//!
//! What a window keeps decides what an operation costs, and is in
//! [`Measured::mode`]. The cost is that of one allocation and one deallocation, in
//! instructions above a wrapper that forwards, on x86-64 Linux:
//!
//! | mode | in force | cost |
//! |---|---|---|
//! | off | while [`pause`](pause()) is in force | 8 |
//! | [`Mode::Counting`] | otherwise | 17 |
//! | [`Mode::ThreadPeak`] | for a thread whose window asked for its peak | 26 |
//! | [`Mode::ProcessPeak`] | for all threads, while such a window is open | locked instructions: one for each operation, one for each such window when live bytes rise |
//!
//! # Features
//!
//! * `std`, on by default: counts of each thread. Without it the crate needs `core`
//!   and `alloc`; all threads share one set of counters with locked instructions,
//!   and only process scope can be measured.
//! * `native`, off by default: what C code takes from `malloc` is counted as well.
//!
//! # Not measured is never zero
//!
//! A counter that is not the `#[global_allocator]` would read zero for
//! everything. [`measure`] panics and [`try_measure`] returns an error instead;
//! [`prove`] runs known operations and shows what was counted.
//!
//! # Without std
//!
//! Without the default feature `std` the crate is `no_std` and needs 64-bit atomics
//! and `alloc`. The types are the same, and all threads share one set of
//! counters, so that no thread can be told from another:
//!
//! * [`measure`] measures the process, with its peak. At most 16 windows that keep
//!   the peak can be open at once; `measure` panics in a 17th.
//! * [`Scope::Thread`] and [`Window::thread`] are an error,
//!   [`MeasureError::NoThreads`].
//! * A number is exact if nothing but what is measured allocates meanwhile. Threads
//!   have to be joined one by one: the ends of threads are not known, so they are
//!   not waited for.
//! * [`uncounted`] excludes what all threads do, and while one of them is in it no
//!   window opens on any.
//! * [`foreign`](Measured::foreign) is zero, [`first`](Measured::first) and
//!   [`native`](Measured::native) are `None`, and [`prove`] starts no thread.
//! * `CountingAlloc::system`, `thread_tally`, `measure_joined` and `ScopeToken` are
//!   not there. The allocator below is named: `CountingAlloc::new(inner)`.
//!
//! # Implementation
//!
//! A **sheet** is a set of counters behind a gate: one byte of flags, which says
//! what is to be done with an operation. A `const` thread-local without a destructor
//! points to the sheet that the thread counts in. Only that thread writes the
//! counters, with plain loads and stores. The flags are numbered so that two
//! comparisons tell counting, thread peak and off from each other; all that is rare
//! is behind them.
//!
//! A **block** is what a thread owns: a sheet for what is counted, one for what is
//! done inside of [`uncounted`](uncounted()), and its place in the list of all
//! blocks. The list is lock-free, and the inner allocator makes the blocks. A thread
//! without a block points to a sheet whose flag leads to the rare path, where it
//! takes one up: one that was handed on, or a new one. A destructor hands the block
//! on when the thread ends. What the thread does after that goes to one shared
//! sheet, with locked instructions, and is part of the process's totals alone.
//! These totals are sums over the list.
//!
//! The **modes** of the process (pauses, and windows with the process's peak) are
//! one number with a **version** that rises with each change. Whoever changes it
//! goes through the list and has every sheet follow; a block that joins the list at
//! that time follows by itself. A gate has the version that it follows, and goes on
//! only to a later one, so that two changes at once end the same on all sheets. The
//! owner's wishes, its peak and its first operations, are flags of their own that no
//! change of modes takes back.
//!
//! An allocation of usual size and alignment is tallied before the inner allocator
//! is called, and given back when that refuses: the call is then the last thing
//! that happens, and no register has to be kept over it. The owner reads exact
//! counts all the same. Another thread that reads meanwhile without being
//! synchronised may see the request.
//!
//! Models in loom run what threads share through all interleavings:
//! `cargo xtask ci models`.
//!
//! This crate knows nothing of scenarios, files or formats, and depends on
//! nothing but `std`, or `alloc` without it.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(
    any(not(feature = "std"), all(test, loom)),
    expect(
        dead_code,
        reason = "what tells threads apart, and what isn't modelled, is here all the same"
    )
)]
#![expect(
    unsafe_code,
    reason = "implementing GlobalAlloc is unsafe; every operation carries its argument"
)]

extern crate alloc;

// First, for its macro.
#[macro_use]
mod sync;

// The parts that threads share. They can be modelled without the others.
mod block;
mod calls;
mod counters;
mod first;
mod inner_ref;
mod measured;
mod native;
mod operation;
mod process_peak;
mod registry;
mod tally;

#[cfg(all(test, loom))]
mod models;

// The modules that use the one registry of the process.
#[cfg(not(all(test, loom)))]
mod allocator;
#[cfg(not(all(test, loom)))]
mod backend;
#[cfg(not(all(test, loom)))]
mod future;
#[cfg(not(all(test, loom)))]
mod inner;
#[cfg(not(all(test, loom)))]
mod liveness;
#[cfg(not(all(test, loom)))]
mod pause;
#[cfg(not(all(test, loom)))]
mod phases;
#[cfg(not(all(test, loom)))]
mod process_peak_span;
#[cfg(not(all(test, loom)))]
mod uncounted;
#[cfg(not(all(test, loom)))]
mod window;

// The two kinds of backend: counters of each thread,
#[cfg(all(feature = "std", not(all(test, loom))))]
mod scope_token;
#[cfg(all(feature = "std", not(all(test, loom))))]
mod spans;
#[cfg(all(feature = "std", not(all(test, loom))))]
mod thread_exit;
#[cfg(all(feature = "std", not(all(test, loom))))]
mod threads;

// or one set of counters for all.
#[cfg(all(not(feature = "std"), not(all(test, loom))))]
mod shared;

pub use first::FirstOperations;
pub use measured::{MeasureError, Measured, Mode, Scope};
pub use native::process_native_tally;
pub use native::tally::NativeTally;
pub use operation::Operation;
pub use tally::Tally;

#[cfg(not(all(test, loom)))]
pub use allocator::CountingAlloc;
#[cfg(not(all(test, loom)))]
pub use inner::inner_allocator;
#[cfg(not(all(test, loom)))]
pub use liveness::{LivenessError, Proof, prove};
#[cfg(not(all(test, loom)))]
pub use pause::{Paused, pause};
#[cfg(not(all(test, loom)))]
pub use phases::{Phase, Phased, Phases};
#[cfg(all(feature = "std", not(all(test, loom))))]
pub use scope_token::{ScopeToken, measure_joined};
#[cfg(all(feature = "std", not(all(test, loom))))]
pub use threads::thread_tally;
#[cfg(not(all(test, loom)))]
pub use uncounted::uncounted;
#[cfg(not(all(test, loom)))]
pub use window::{Window, measure, process_tally, try_measure};

/// The examples of the README are tests too.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
