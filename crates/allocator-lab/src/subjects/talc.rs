//! talc 5: boundary tags and bins of free chunks, behind one spin lock, as its own
//! example of a global allocator has it.
//!
//! In two shapes. `talc` takes 1 MiB or more at a time from the operating system and
//! gives such a piece back when all of it is free. `talc-claim` has one fixed region,
//! as on a machine without an operating system, refuses when that is full, and gives
//! nothing back until it is dropped. Both may be used from several threads, which spin
//! while they wait; both join what is freed with its free neighbours.

use spinning_top::RawSpinlock;
use talc::TalcLock;
use talc::source::{Claim, GlobalAllocSource};

use super::region::{InRegion, Pages};
use crate::subject::{Global, Unavailable};

pub(super) fn open() -> Result<Global<TalcLock<RawSpinlock, GlobalAllocSource<Pages>>>, Unavailable>
{
    Ok(Global(TalcLock::new(GlobalAllocSource::new(Pages))))
}

pub(super) fn open_claim() -> Result<InRegion<TalcLock<RawSpinlock, Claim>>, Unavailable> {
    InRegion::open(|start, bytes| {
        // SAFETY: the region is the allocator's alone, as long as that is there.
        TalcLock::new(unsafe { Claim::new(start, bytes) })
    })
}
