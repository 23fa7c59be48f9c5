//! [`Floor`]: a subject that allocates nothing. A workload on it takes as long as its own loop.

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::ptr;

use crate::subject::Subject;

/// Hands out one address, where each block of up to 64 MiB can be written and keeps nothing. The
/// floor of arenas, which take all blocks back at once, has a shorter loop.
#[derive(Clone, Copy, Debug)]
pub struct Floor<const IS_ARENA: bool>;

const MOST_BYTES: usize = 64 << 20;

/// The largest alignment, which [`Scratch`] has.
const MOST_ALIGN: usize = 4_096;

/// The memory of all blocks of the floors. A page of it takes memory when it is written.
#[repr(C, align(4096))]
struct Scratch(UnsafeCell<[u8; MOST_BYTES]>);

// SAFETY: it is only handed out as blocks, which one thread writes and nobody reads, as the
// contract of `Subject` without `HAS_MEMORY` has it.
unsafe impl Sync for Scratch {}

static SCRATCH: Scratch = Scratch(UnsafeCell::new([0; MOST_BYTES]));

// SAFETY: a block is not larger than the memory at its address, so that it can be written.
unsafe impl<const IS_ARENA: bool> Subject for Floor<IS_ARENA> {
    const IS_ARENA: bool = IS_ARENA;
    const HAS_MEMORY: bool = false;

    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST_BYTES || layout.align() > MOST_ALIGN {
            return ptr::null_mut();
        }
        SCRATCH.0.get().cast()
    }

    #[inline]
    unsafe fn give(&self, _block: *mut u8, _layout: Layout) {}
}
