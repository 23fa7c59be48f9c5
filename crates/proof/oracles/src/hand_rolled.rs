//! [`TwoAtomics`]: the wrapper that is quickly written by hand, two counters
//! around two methods. It stands for its kind in the table of the peers.
#![expect(
    unsafe_code,
    reason = "implementing GlobalAlloc is unsafe; every operation carries its argument"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Allocations so far.
pub static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
/// The sum of their sizes, in bytes.
pub static BYTES: AtomicU64 = AtomicU64::new(0);

/// Counts in `alloc`, forwards in `dealloc`, and leaves the other two methods
/// to their default implementations.
#[derive(Debug)]
pub struct TwoAtomics;

// SAFETY: both methods hand their arguments to `System`, and the defaults of the
// others are built on them.
unsafe impl GlobalAlloc for TwoAtomics {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(layout.size() as u64, Relaxed);
        // SAFETY: the caller's contract, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { System.dealloc(block, layout) }
    }
}
