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
//! What the inner allocator rounds a request up to, and what C code takes
//! from `malloc` by itself, is not seen.
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
    not(feature = "std"),
    expect(
        dead_code,
        reason = "the parts that tell threads apart stand beside those that don't"
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

mod allocator;
#[cfg(not(feature = "std"))]
mod alone;
mod block;
#[cfg(feature = "std")]
mod ends;
mod first;
mod inner;
#[cfg(feature = "std")]
mod joined;
mod liveness;
mod measured;
mod operation;
mod pause;
mod phases;
mod polls;
mod process_peak;
mod registry;
mod sheet;
#[cfg(feature = "std")]
mod spans;
mod tally;
#[cfg(feature = "std")]
mod threads;
mod uncounted;
mod window;

// Who counts where.
#[cfg(not(feature = "std"))]
use alone as counters;
#[cfg(feature = "std")]
use threads as counters;

pub use allocator::CountingAlloc;
pub use first::FirstOperations;
pub use inner::inner_allocator;
#[cfg(feature = "std")]
pub use joined::{ScopeToken, measure_joined};
pub use liveness::{LivenessError, Proof, prove};
pub use measured::{MeasureError, Measured, Mode, Scope};
pub use operation::Operation;
pub use pause::{Paused, pause};
pub use phases::{Phase, Phased, Phases};
pub use tally::Tally;
#[cfg(feature = "std")]
pub use threads::thread_tally;
pub use uncounted::uncounted;
pub use window::{Window, measure, process_tally, try_measure};

/// The examples of the README are tests too.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
