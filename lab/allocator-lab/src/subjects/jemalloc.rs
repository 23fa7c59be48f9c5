//! jemalloc 5.3, built from its C source, with function names of its own, so that it does
//! not replace the system's allocator.
//!
//! It is one for the process. Threads are spread over arenas, four a processor, and
//! each has a cache of blocks. It returns unused pages to the system over ten
//! seconds, as threads allocate and free. It tells the size of a block.

use tikv_jemallocator::{Jemalloc, usable_size};

use crate::subject::GlobalWithSizes;

pub(super) fn open() -> GlobalWithSizes<Jemalloc> {
    GlobalWithSizes(Jemalloc, |block| {
        // SAFETY: the block is live and of this allocator.
        Some(unsafe { usable_size(block) })
    })
}
