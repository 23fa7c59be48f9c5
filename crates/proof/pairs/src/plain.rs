//! [`Plain`]: a wrapper that only forwards.

use std::alloc::{GlobalAlloc, Layout, System};

/// Forwards to the system's allocator and does nothing else: the least that any
/// counter costs.
#[derive(Debug)]
pub struct Plain;

// SAFETY: every method passes its arguments to the method of `System` with the same
// name and returns its result.
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
