//! Two hand-written wrappers: one that only forwards, which is what any counter
//! costs at least, and the one that projects write for themselves, with two
//! atomics that all threads share.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Forwards to the system's allocator and does nothing else.
#[derive(Debug)]
pub struct Plain;

/// Counts calls of `alloc` and their bytes.
#[derive(Debug, Default)]
pub struct TwoAtomics {
    allocs: AtomicU64,
    bytes: AtomicU64,
}

impl TwoAtomics {
    /// At zero.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            allocs: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    /// How many allocations were counted.
    #[must_use]
    pub fn allocs(&self) -> u64 {
        self.allocs.load(Relaxed)
    }

    #[inline]
    fn count(&self, layout: Layout) {
        self.allocs.fetch_add(1, Relaxed);
        self.bytes.fetch_add(layout.size() as u64, Relaxed);
    }
}

// SAFETY: every method hands its arguments to `System`'s method of the same name
// and returns that method's result.
unsafe impl GlobalAlloc for Plain {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { System.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        unsafe { System.realloc(block, layout, new_size) }
    }
}

// SAFETY: as for `Plain`; counting neither unwinds nor allocates.
unsafe impl GlobalAlloc for TwoAtomics {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count(layout);
        // SAFETY: the caller's contract, passed on.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.count(layout);
        // SAFETY: the caller's contract, passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { System.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        unsafe { System.realloc(block, layout, new_size) }
    }
}
