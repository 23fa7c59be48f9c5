//! snmalloc, built from its C++ source by a compiler alone, without CMake. That way its crate
//! leaves the assertions on, and `.cargo/config.toml` of the workspace switches them off.
//!
//! It is one for the process. Each thread has an allocator of its own; blocks of another
//! thread go back to that in batches, as messages. It tells the size of a block.

use snmalloc_rs::SnMalloc;

use crate::subject::{GlobalWithSizes, Unavailable, UsableSize};

pub(super) fn open() -> Result<GlobalWithSizes<SnMalloc>, Unavailable> {
    Ok(GlobalWithSizes(SnMalloc))
}

impl UsableSize for SnMalloc {
    unsafe fn usable_size(&self, block: *mut u8) -> Option<usize> {
        Self.usable_size(block)
    }
}
