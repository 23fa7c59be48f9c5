//! [`Floor`]: the subject that is none. What a workload takes on it, the workload
//! takes by itself.

use std::alloc::Layout;
use std::ptr;

use crate::subject::{Kind, Subject};

/// Hands out addresses that are aligned, not null, and nothing else: there is no
/// memory behind them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Floor;

// SAFETY: of the blocks of a floor nothing is promised.
unsafe impl Subject for Floor {
    const KIND: Kind = Kind::Floor;

    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        ptr::without_provenance_mut(layout.align())
    }

    #[inline]
    unsafe fn give(&self, _block: *mut u8, _layout: Layout) {}
}
