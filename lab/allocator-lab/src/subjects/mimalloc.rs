//! mimalloc 3, built from its C source without the protections of `secure`.
//!
//! It is one for the process. Each thread has a heap of its own, made of pages of blocks of
//! one size; blocks that another thread frees go onto a list of their page. It returns
//! unused pages to the system after a delay, and tells the size of a block.
//!
//! It asks for huge pages, which are a reason for its speed and for its memory.

use ::mimalloc::MiMalloc;

use crate::subject::GlobalWithSizes;

pub(super) fn open() -> GlobalWithSizes<MiMalloc> {
    GlobalWithSizes(MiMalloc, |block| {
        // SAFETY: the block is live and of this allocator.
        Some(unsafe { MiMalloc.usable_size(block) })
    })
}
