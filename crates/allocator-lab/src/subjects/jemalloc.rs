//! jemalloc 5.3, configured and built from its C source, with names of its own beside
//! those of the system's allocator.
//!
//! Its memory is the process's. Threads are spread over arenas, four a processor, and
//! each has a cache of blocks. It gives unused pages back to the system over ten
//! seconds, as threads allocate and free, and tells the size of a block.

use tikv_jemallocator::{Jemalloc, usable_size};

use crate::subject::{GlobalWithSizes, Unavailable, UsableSize};

pub(super) fn open() -> Result<GlobalWithSizes<Jemalloc>, Unavailable> {
    Ok(GlobalWithSizes(Jemalloc))
}

impl UsableSize for Jemalloc {
    unsafe fn usable_size(&self, block: *mut u8) -> Option<usize> {
        // SAFETY: the block is live and of this allocator.
        Some(unsafe { usable_size(block) })
    }
}
