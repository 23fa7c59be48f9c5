//! [`Floor`] and [`ArenaFloor`]: the subjects that are none. What a workload takes on
//! them, the workload takes by itself.

use std::alloc::Layout;
use std::ptr;

use crate::subject::{Kind, Subject};

/// Hands out addresses that are aligned, not null, and nothing else: there is no
/// memory behind them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Floor;

/// The same for arenas, from which a workload takes all back at once: that is another
/// loop, and a shorter one.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArenaFloor;

// SAFETY: of the blocks of a floor nothing is promised.
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
