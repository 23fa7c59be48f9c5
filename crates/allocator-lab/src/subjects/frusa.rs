//! frusa, the allocator of Motor OS, in its form for blocks up to 2 KiB.
//!
//! Larger blocks, and the memory for smaller ones, come from the system's allocator. It
//! is the process's, and keeps what it took: nothing is given back unless it is asked
//! to. Threads share lists of slabs of 64 blocks without a lock, but for adding to one.
//! It does not tell the size of a block.
//!
//! It reads a lock that it never wrote in the first page of metadata that it gets
//! (0.1.0 to 0.1.3), and waits for ever on it unless that page is zero. Pages that it
//! asks for are therefore zeroed here.

use std::alloc::{GlobalAlloc, Layout, System};

use ::frusa::Frusa4K;

use crate::subject::{Subject, Unavailable};

static PROCESS: Frusa4K = Frusa4K::new(&ZeroedPages);

/// The process's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frusa;

pub(super) fn open() -> Result<Frusa, Unavailable> {
    Ok(Frusa)
}

// SAFETY: `GlobalAlloc` promises a block of the layout's size, or null, on all threads.
unsafe impl Subject for Frusa {
    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the size is not 0, as the contract of `take` has it.
        unsafe { PROCESS.alloc(layout) }
    }

    #[inline]
    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller has the block from `take`, for this layout.
        unsafe { PROCESS.dealloc(block, layout) }
    }
}

/// The system's allocator, which zeroes what is aligned to a page: metadata are, and
/// few other blocks, which would otherwise pay for it.
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
