//! snmalloc, built from its C++ source by a compiler alone, without CMake. That way its crate
//! leaves the assertions on, and `.cargo/config.toml` of the workspace switches them off.
//!
//! It is one for the process. Each thread has an allocator of its own; blocks of another
//! thread go back to that in batches, as messages. It tells the size of a block.

use snmalloc_rs::SnMalloc;

use crate::subject::GlobalWithSizes;

pub(super) fn open() -> GlobalWithSizes<SnMalloc> {
    GlobalWithSizes(SnMalloc, |block| SnMalloc.usable_size(block))
}
