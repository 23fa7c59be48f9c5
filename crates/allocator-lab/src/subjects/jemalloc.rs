//! jemalloc 5.3, configured and built from its C source, with names of its own beside
//! those of the system's allocator.
//!
//! Its memory is the process's. Threads are spread over arenas, four a processor, and
//! each has a cache of blocks. It gives unused pages back to the system over ten
//! seconds, as threads allocate and free, and tells the size of a block.

use std::alloc::{GlobalAlloc, Layout};

use tikv_jemallocator::{Jemalloc as Tikv, usable_size};

use crate::subject::{Subject, Unavailable};

/// The process's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jemalloc;

pub(super) fn open() -> Result<Jemalloc, Unavailable> {
    Ok(Jemalloc)
}

// SAFETY: `GlobalAlloc` promises a block of the layout's size, or null, on all threads.
unsafe impl Subject for Jemalloc {
    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the size is not 0, as the contract of `take` has it.
        unsafe { Tikv.alloc(layout) }
    }

    #[inline]
    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller has the block from `take`, for this layout.
        unsafe { Tikv.dealloc(block, layout) }
    }

    unsafe fn usable_size(&self, block: *mut u8, _layout: Layout) -> Option<usize> {
        // SAFETY: the block is live and of this allocator.
        Some(unsafe { usable_size(block) })
    }
}
