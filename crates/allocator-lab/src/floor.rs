//! [`Floor`] and [`ArenaFloor`]: subjects that allocate nothing. A workload on them takes
//! as long as its own loop.

use std::alloc::Layout;
use std::ptr;

use crate::subject::{Kind, Subject};

/// Hands out aligned addresses without memory behind them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Floor;

/// The floor of arenas, which take all blocks back at once: the loop of a workload is a
/// shorter one.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArenaFloor;

// SAFETY: without `HAS_MEMORY`, nothing is promised of a block.
unsafe impl Subject for Floor {
    const HAS_MEMORY: bool = false;

    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        ptr::without_provenance_mut(layout.align())
    }

    #[inline]
    unsafe fn give(&self, _block: *mut u8, _layout: Layout) {}
}

// SAFETY: as of `Floor`.
unsafe impl Subject for ArenaFloor {
    const KIND: Kind = Kind::Arena;

    const HAS_MEMORY: bool = false;

    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        Floor.take(layout)
    }

    #[inline]
    unsafe fn give(&self, _block: *mut u8, _layout: Layout) {}
}
