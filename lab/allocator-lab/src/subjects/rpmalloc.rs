//! rpmalloc 1.4, built from its C source with the option of its crate: a thread's heap is
//! made when the thread first allocates.
//!
//! It is one for the process. Each thread has a heap of spans of 64 KiB, each of blocks of
//! one size; blocks that another thread frees go onto a list of their span. Free spans are
//! kept in caches, one a thread and one for all. It tells the size of a block.

use ::rpmalloc::RpMalloc;
use rpmalloc_sys::rpmalloc_usable_size;

use crate::subject::GlobalWithSizes;

pub(super) fn open() -> GlobalWithSizes<RpMalloc> {
    GlobalWithSizes(RpMalloc, |block| {
        // SAFETY: the block is live and of this allocator.
        Some(unsafe { rpmalloc_usable_size(block.cast()) })
    })
}
