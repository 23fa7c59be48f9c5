//! rpmalloc 1.4, built from its C source with the options that its crate sets: none
//! but that a thread's heap is made when the thread first allocates.
//!
//! Its memory is the process's. Each thread has a heap of spans of 64 KiB, each of
//! blocks of one size; what another thread frees goes onto a list of its span. Spans
//! that are free are kept in caches, of the thread and of all. It tells the size of a
//! block.

use std::alloc::{GlobalAlloc, Layout};

use ::rpmalloc::RpMalloc;

use crate::subject::{Subject, Unavailable};

/// The process's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rpmalloc;

pub(super) fn open() -> Result<Rpmalloc, Unavailable> {
    Ok(Rpmalloc)
}

// SAFETY: `GlobalAlloc` promises a block of the layout's size, or null, on all threads.
unsafe impl Subject for Rpmalloc {
    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the size is not 0, as the contract of `take` has it.
        unsafe { RpMalloc.alloc(layout) }
    }

    #[inline]
    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller has the block from `take`, for this layout.
        unsafe { RpMalloc.dealloc(block, layout) }
    }

    unsafe fn usable_size(&self, block: *mut u8, _layout: Layout) -> Option<usize> {
        // SAFETY: the block is live and of this allocator.
        Some(unsafe { rpmalloc_sys::rpmalloc_usable_size(block.cast()) })
    }
}
