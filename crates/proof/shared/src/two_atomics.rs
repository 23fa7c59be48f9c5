//! [`TwoAtomics`]: the counter that projects write for themselves.
#![expect(
    unsafe_code,
    reason = "implementing GlobalAlloc is unsafe; every operation carries its argument"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Counts the calls of `alloc` and their bytes, with two atomics that all threads
/// share, and forwards to the system's allocator.
///
/// Like most such counters it implements `alloc` and `dealloc` only. The default
/// `realloc` is an allocation, a copy and a deallocation, so a reallocation counts
/// as an allocation of its whole new size.
#[derive(Debug, Default)]
pub struct TwoAtomics {
    allocs: AtomicU64,
    bytes: AtomicU64,
}

impl TwoAtomics {
    /// A counter at zero.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            allocs: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }
}

// SAFETY: both methods pass their arguments to `System` and return its result; the
// default methods are built on them. Counting neither unwinds nor allocates.
unsafe impl GlobalAlloc for TwoAtomics {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.allocs.fetch_add(1, Relaxed);
        self.bytes.fetch_add(layout.size() as u64, Relaxed);
        // SAFETY: the caller's contract, passed on.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { System.dealloc(block, layout) }
    }
}
