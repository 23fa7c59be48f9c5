//! bumpalo: an arena, in which a pointer moves through a chunk.
//!
//! A block can't be freed by itself: a workload [resets](Subject::reset) the arena, which
//! keeps the newest and largest chunk and frees the others, so that it takes a few frames
//! until one chunk holds a frame. The chunks come from the global allocator of the program.
//! Threads can't share it.

use std::alloc::Layout;
use std::ptr::{self, NonNull};

use ::bumpalo::Bump;

use crate::subject::Subject;

/// An arena.
#[derive(Debug)]
pub(super) struct Bumpalo(Bump);

pub(super) fn open() -> Bumpalo {
    Bumpalo(Bump::new())
}

// SAFETY: a block of the arena is the caller's until the arena is reset or dropped.
unsafe impl Subject for Bumpalo {
    const IS_ARENA: bool = true;

    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        let block = self.0.try_alloc_layout(layout);
        block.map_or(ptr::null_mut(), NonNull::as_ptr)
    }

    #[inline]
    unsafe fn give(&self, _block: *mut u8, _layout: Layout) {}

    #[inline]
    fn reset(&mut self) {
        self.0.reset();
    }
}
