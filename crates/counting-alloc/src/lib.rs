//! A global allocator that counts exactly what each thread and the whole process allocate.
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
//!     assert_eq!(measured.tally.bytes, 64);
//!     assert_eq!(measured.tally.deallocs, 0, "the vector is still alive");
//!     assert_eq!(measured.peak_bytes, Some(64));
//! }
//! ```
//!
//! # What is counted
//!
//! The four methods of [`GlobalAlloc`](std::alloc::GlobalAlloc), where the inner allocator **succeeded**,
//! with the *requested* sizes in bytes; see [`Tally`] for the fields and the derived counts. Refused calls
//! are only in [`failed`](Tally::failed). All four methods are forwarded, so the inner allocator sees the
//! same calls as without this crate. The sizes to which it rounds requests up are not counted.
//!
//! # Scope
//!
//! A measurement counts the calling thread ([`Scope::Thread`], the default) or the process
//! ([`Scope::Process`]). Counts of a thread are exact whatever other threads do, so `measure` returns the
//! same numbers under a parallel `cargo test`. The operations of other threads meanwhile are in
//! [`foreign`](Measured::foreign). Counts of the process include libtest's own threads; see
//! [`Window::process`].
//!
//! # Windows
//!
//! | window | measures |
//! |---|---|
//! | [`measure`], [`try_measure`] | a closure |
//! | [`Window::measure`] | a closure, with the settings of the [`Window`]: scope, peak, first operations |
//! | [`Window::measure_phases`] | a closure that divides its work into named [`Phases`] |
//! | [`Window::measure_future`] | the polls of a future; in the scope of the process, all threads from the first poll to the last |
//! | [`Window::measure_sites`] | a closure, and the operations of each call stack in it, with the default feature `sites` |
//!
//! Operations inside [`uncounted`](uncounted()) are excluded from all of them, and are in
//! [`Measured::uncounted`].
//!
//! # Not measured is never zero
//!
//! A counter that is not the `#[global_allocator]` would read zero for everything. [`measure`] panics and
//! [`try_measure`] returns an error instead. [`prove`] runs known operations and returns their counts.
//!
//! # Modes
//!
//! The settings of a window decide its mode, and the mode decides the cost of an operation; it is in
//! [`Measured::mode`]. The cost is of one allocation and one deallocation, in instructions above a wrapper
//! that forwards, on x86-64 Linux:
//!
//! | mode | in force | cost |
//! |---|---|---|
//! | off | while [`pause`](pause()) is in force | 11 |
//! | [`Mode::Counting`] | otherwise | 16 |
//! | [`Mode::ThreadPeak`] | for a thread whose window keeps its peak | 26 |
//! | [`Mode::ProcessPeak`] | for all threads, while such a window is open | locked instructions: one for each operation, one for each such window when live bytes rise |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `sites`, on by default | [`Window::measure_sites`]: call stacks, on x86-64 and aarch64 Linux and macOS, and x86-64 Windows |
//! | `serde` | reading a [`Tally`] from a record, for `cargo alloc-gate` |
//!
//! The crate depends only on `std`, and requires 64-bit atomics, which thumbv6m, thumbv7em and riscv32imac
//! lack.

// How it works: a set of counters is behind a gate: one byte of flags, which says how operations are
// counted. A `const` thread-local without a destructor points to the counters of the thread. Only that
// thread writes them, with plain loads and stores. The flags are numbered so that two comparisons
// distinguish counting, thread peak and off. All rare cases are behind these comparisons.
//
// A thread owns a block: counters for its operations, counters for operations inside `uncounted`, and a
// place in the list of all blocks. The list is lock-free, and the inner allocator makes the blocks. A
// thread without a block points to counters whose flag leads to the rare path. There it acquires a block
// that another thread released, or a new one. A destructor releases the block when the thread ends. Later
// operations of the thread go to one set of shared counters, with locked instructions, and are only part
// of the process's totals. These totals are sums over the list.
//
// The modes of the process (pauses, and windows with the process's peak) are one number with a version
// that rises with each change. The thread that changes it makes all blocks of the list follow; a block
// that joins the list at that time follows by itself. A gate has the version that it follows, and follows
// only later versions, so that two changes at once have the same result everywhere. The peak and the first
// operations of the owner's windows are flags of their own, which no change of modes clears.
//
// A request of ordinary size and alignment is counted before the inner allocator runs, and undone if it
// fails. That makes the call a tail call, so no register has to be saved across it. The owner still reads
// exact counts. Another thread that reads meanwhile without being synchronised may see the request.
//
// A window with call stacks sets a flag that leads to the path for rare cases. There the stack of each
// operation is unwound, as far as the frame that opened the window, and found in a table by its return
// addresses. The table of a thread is in its block, the one of a window of the process behind a lock, and
// both in memory of the system.
//
// Loom models run the parts that threads share through all interleavings: `cargo xtask ci models`.
//
// Reading the source: `operation.rs`, `tally.rs` and `measured.rs` have the values, and `lazy.rs` finds
// outputs that never ran. `counters.rs` counts, one set for each thread in a `block.rs`, and `registry.rs`
// lists the blocks. In `threads.rs` a thread finds its own. `allocator.rs` is the `GlobalAlloc` that gets
// every call, counts it there and forwards it. `window.rs` reads the same counters before and after a
// closure; `phases.rs` and `future.rs` are windows of other shapes. `sites.rs` has call stacks, from the
// bottom up `unwind/`, `table.rs` and `capture.rs`. `models.rs` are loom's.

#![cfg_attr(
    all(test, loom),
    expect(dead_code, reason = "the models don't use all of the code")
)]
#![expect(
    unsafe_code,
    reason = "implementing GlobalAlloc is unsafe; every operation has a SAFETY comment"
)]

// The first module, since the others use its macro.
#[macro_use]
mod sync;

// The parts that threads share. They can be modelled without the others.
mod block;
mod counters;
mod first;
mod inner_ref;
mod lazy;
mod measured;
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
mod process;
#[cfg(not(all(test, loom)))]
mod window;

#[cfg(all(feature = "sites", not(all(test, loom))))]
mod sites;
#[cfg(not(all(test, loom)))]
mod spans;
#[cfg(not(all(test, loom)))]
mod thread_exit;
#[cfg(not(all(test, loom)))]
mod threads;

pub use first::FirstOperations;
pub use lazy::LazyOutput;
pub use measured::{MeasureError, Measured, Mode, Scope};
pub use operation::Operation;
pub use tally::Tally;

#[cfg(not(all(test, loom)))]
pub use crate::{
    allocator::CountingAlloc,
    inner::inner_allocator,
    liveness::{LivenessError, Proof, prove},
    pause::{Paused, pause},
    phases::{Phase, Phased, Phases},
    threads::{thread_tally, uncounted},
    window::{Window, measure, process_tally, try_measure},
};

#[cfg(all(feature = "sites", not(all(test, loom))))]
pub use crate::sites::{KeptBlocks, SiteRow, Sites};

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
