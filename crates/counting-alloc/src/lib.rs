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
//! The four operations of `GlobalAlloc`, each **after** the inner allocator
//! succeeded, with the sizes that were *requested*, in bytes; see [`Tally`]
//! for the fields and for what is derived from them. All four are forwarded,
//! so the inner allocator sees the program that would run without this crate.
//! What the inner allocator rounds a request up to is not seen.
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
//! # Not measured is never zero
//!
//! A counter that is not the `#[global_allocator]` would read zero for
//! everything. [`measure`] panics and [`try_measure`] returns an error instead;
//! [`prove`] runs known operations and shows what was counted.
//!
//! # Implementation
//!
//! Each thread has a block of counters that only it writes, with plain loads
//! and stores, found through a `const` thread-local without a destructor. The
//! blocks stand in a lock-free list, are made by the inner allocator, and are
//! handed on when a thread ends; totals of the process are sums over the list.
//! What a thread allocates after its block was handed on (in destructors of
//! thread-locals that run later) goes to one shared block and is part of the
//! process's totals alone.
//!
//! This crate knows nothing of scenarios, files or formats, and depends on
//! nothing but `std`.
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

// What threads share, which can be modelled by itself.
mod block;
mod calls;
mod first;
mod measured;
mod native;
mod operation;
mod process_peak;
mod registry;
mod sheet;
mod tally;

#[cfg(all(test, loom))]
mod models;

// What stands on the one registry of the process.
#[cfg(not(all(test, loom)))]
mod allocator;
#[cfg(not(all(test, loom)))]
mod inner;
#[cfg(not(all(test, loom)))]
mod liveness;
#[cfg(not(all(test, loom)))]
mod pause;
#[cfg(not(all(test, loom)))]
mod phases;
#[cfg(not(all(test, loom)))]
mod polls;
#[cfg(not(all(test, loom)))]
mod uncounted;
#[cfg(not(all(test, loom)))]
mod window;

// Who counts where: every thread by itself,
#[cfg(all(feature = "std", not(all(test, loom))))]
mod ends;
#[cfg(all(feature = "std", not(all(test, loom))))]
mod joined;
#[cfg(all(feature = "std", not(all(test, loom))))]
mod spans;
#[cfg(all(feature = "std", not(all(test, loom))))]
mod threads;
#[cfg(all(feature = "std", not(all(test, loom))))]
use threads as counters;

// or all in one place.
#[cfg(all(not(feature = "std"), not(all(test, loom))))]
mod alone;
#[cfg(all(not(feature = "std"), not(all(test, loom))))]
use alone as counters;

pub use first::FirstOperations;
pub use measured::{MeasureError, Measured, Mode, Scope};
pub use native::{NativeTally, process_native_tally};
pub use operation::Operation;
pub use tally::Tally;

#[cfg(not(all(test, loom)))]
pub use allocator::CountingAlloc;
#[cfg(not(all(test, loom)))]
pub use inner::inner_allocator;
#[cfg(all(feature = "std", not(all(test, loom))))]
pub use joined::{ScopeToken, measure_joined};
#[cfg(not(all(test, loom)))]
pub use liveness::{LivenessError, Proof, prove};
#[cfg(not(all(test, loom)))]
pub use pause::{Paused, pause};
#[cfg(not(all(test, loom)))]
pub use phases::{Phase, Phased, Phases};
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
