//! snmalloc, built from its C++ source by a compiler alone, without CMake.
//!
//! Its memory is the process's. Each thread has an allocator of its own; what it frees
//! of another's goes back to that one in batches, as messages. It tells the size of a
//! block.

use std::alloc::{GlobalAlloc, Layout};

use snmalloc_rs::SnMalloc;

use crate::subject::{Subject, Unavailable};

/// The process's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Snmalloc;

pub(super) fn open() -> Result<Snmalloc, Unavailable> {
    Ok(Snmalloc)
}

// SAFETY: `GlobalAlloc` promises a block of the layout's size, or null, on all threads.
unsafe impl Subject for Snmalloc {
    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the size is not 0, as the contract of `take` has it.
        unsafe { SnMalloc.alloc(layout) }
    }

    #[inline]
    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller has the block from `take`, for this layout.
        unsafe { SnMalloc.dealloc(block, layout) }
    }

    unsafe fn usable_size(&self, block: *mut u8, _layout: Layout) -> Option<usize> {
        SnMalloc.usable_size(block)
    }
}
