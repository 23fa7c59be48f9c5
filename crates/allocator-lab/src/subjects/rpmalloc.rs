//! rpmalloc 1.4, built from its C source with the options that its crate sets: none
//! but that a thread's heap is made when the thread first allocates.
//!
//! Its memory is the process's. Each thread has a heap of spans of 64 KiB, each of
//! blocks of one size; what another thread frees goes onto a list of its span. Spans
//! that are free are kept in caches, of the thread and of all. It tells the size of a
//! block.

use ::rpmalloc::RpMalloc;
use rpmalloc_sys::rpmalloc_usable_size;

use crate::subject::{GlobalWithSizes, Unavailable, UsableSize};

pub(super) fn open() -> Result<GlobalWithSizes<RpMalloc>, Unavailable> {
    Ok(GlobalWithSizes(RpMalloc))
}

impl UsableSize for RpMalloc {
    unsafe fn usable_size(&self, block: *mut u8) -> Option<usize> {
        // SAFETY: the block is live and of this allocator.
        Some(unsafe { rpmalloc_usable_size(block.cast()) })
    }
}
