//! dlmalloc: Doug Lea's malloc, translated to Rust; the one that std has on WebAssembly.
//!
//! Its memory is the process's, mapped in pieces of 64 KiB or more. Threads share it
//! behind one mutex of the operating system. It joins what is freed with its free
//! neighbours, and gives the top and whole pieces back when they have grown beyond a
//! threshold. It does not tell the size of a block.

use ::dlmalloc::GlobalDlmalloc;

use crate::subject::{Global, Unavailable};

pub(super) fn open() -> Result<Global<GlobalDlmalloc>, Unavailable> {
    Ok(Global(GlobalDlmalloc))
}
