//! dlmalloc: Doug Lea's malloc, translated to Rust; std's allocator on WebAssembly.
//!
//! It is one for the process, and maps memory in pieces of 64 KiB or more. Threads share it
//! behind one mutex of the operating system. It joins freed blocks with their free
//! neighbours, and returns the top and whole pieces to the system beyond a threshold. It
//! does not tell the size of a block.

use ::dlmalloc::GlobalDlmalloc;

use crate::subject::Global;

pub(super) fn open() -> Global<GlobalDlmalloc> {
    Global(GlobalDlmalloc)
}
