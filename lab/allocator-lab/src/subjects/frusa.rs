//! frusa, the allocator of Motor OS, in its form for blocks up to 2 KiB.
//!
//! Larger blocks, and the memory for smaller ones, come from the system's allocator. It is
//! one for the process, and returns memory only on demand. Threads share lists of slabs of
//! 64 blocks, without a lock except for adding a slab. It does not tell the size of a
//! block.
//!
//! Versions 0.1.0 to 0.1.3 read a lock that they never wrote in the first page of their
//! metadata, and wait for ever unless that page is zero. This adapter zeroes their pages.

use std::alloc::{GlobalAlloc, Layout, System};

use ::frusa::Frusa4K;

use crate::subject::Global;

/// The one of the process.
static PROCESS: Global<Frusa4K> = Global(Frusa4K::new(&ZeroedPages));

pub(super) fn open() -> &'static Global<Frusa4K> {
    &PROCESS
}

/// The system's allocator, with zeroed blocks where they are aligned to a page: those are
/// metadata and few others.
#[derive(Debug)]
struct ZeroedPages;

// SAFETY: the system's allocator keeps the contract, zeroed or not.
unsafe impl GlobalAlloc for ZeroedPages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() >= 4096 {
            // SAFETY: the caller keeps the contract of `alloc`, which is this one's.
            unsafe { System.alloc_zeroed(layout) }
        } else {
            // SAFETY: as above.
            unsafe { System.alloc(layout) }
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller has the block from `alloc`, which is the system's.
        unsafe { System.dealloc(block, layout) }
    }
}
