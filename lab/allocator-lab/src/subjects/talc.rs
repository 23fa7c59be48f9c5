//! talc 5: boundary tags and bins of free chunks, behind one spin lock, as in its own
//! example of a global allocator.
//!
//! There are two subjects. `talc` takes 1 MiB or more at a time from the allocator of the system,
//! and returns such a piece when all of it is free. `talc-claim` has one fixed region, as on
//! a machine without an operating system, refuses requests when that is full, and returns
//! nothing until it is dropped. Threads can share both, and spin while they wait. Both join
//! freed blocks with their free neighbours.

use std::alloc::System;

use spinning_top::RawSpinlock;
use talc::TalcLock;
use talc::source::{Claim, GlobalAllocSource};

use super::region::InRegion;
use crate::subject::Global;

pub(super) fn open() -> Global<TalcLock<RawSpinlock, GlobalAllocSource<System>>> {
    Global(TalcLock::new(GlobalAllocSource::new(System)))
}

pub(super) fn open_claim() -> InRegion<TalcLock<RawSpinlock, Claim>> {
    InRegion::open(|start, bytes| {
        // SAFETY: the region belongs to the allocator alone, as long as that exists.
        TalcLock::new(unsafe { Claim::new(start, bytes) })
    })
}
