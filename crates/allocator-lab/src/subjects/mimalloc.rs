//! mimalloc 3, built from its C source without the protections of `secure`.
//!
//! Its memory is the process's. Each thread has a heap of its own, made of pages of
//! blocks of one size; what another thread frees goes onto a list of its page. It gives
//! unused pages back to the system after a delay, and tells the size of a block.

use std::alloc::{GlobalAlloc, Layout};

use ::mimalloc::MiMalloc;

use crate::subject::{Subject, Unavailable};

/// The process's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mimalloc;

pub(super) fn open() -> Result<Mimalloc, Unavailable> {
    Ok(Mimalloc)
}

// SAFETY: `GlobalAlloc` promises a block of the layout's size, or null, on all threads.
unsafe impl Subject for Mimalloc {
    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the size is not 0, as the contract of `take` has it.
        unsafe { MiMalloc.alloc(layout) }
    }

    #[inline]
    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller has the block from `take`, for this layout.
        unsafe { MiMalloc.dealloc(block, layout) }
    }

    unsafe fn usable_size(&self, block: *mut u8, _layout: Layout) -> Option<usize> {
        // SAFETY: the block is live and of this allocator.
        Some(unsafe { MiMalloc.usable_size(block) })
    }
}
