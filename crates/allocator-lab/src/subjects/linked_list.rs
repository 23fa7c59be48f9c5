//! linked_list_allocator: first fit over a list of holes, ordered by their addresses.
//!
//! Each one has a fixed region, refuses when there is no hole that is large enough,
//! and gives nothing back to the system until it is dropped. Threads share it behind
//! one spin lock. What is freed is joined with the holes beside it; to find them, and to
//! find a hole that is large enough, the list is walked.

use linked_list_allocator::LockedHeap;

use super::region::InRegion;
use crate::subject::Unavailable;

pub(super) fn open() -> Result<InRegion<LockedHeap>, Unavailable> {
    // SAFETY: the region is the allocator's alone, as long as that is there; it does
    // nothing with its memory but when it is called.
    InRegion::open(|start, bytes| unsafe { LockedHeap::new(start, bytes) })
}
