//! linked_list_allocator: first fit over a list of holes, ordered by their addresses.
//!
//! Each allocator has a fixed region, refuses requests when no hole is large enough, and
//! returns nothing to the system until it is dropped. Threads share it behind one spin
//! lock. A freed block is joined with the holes beside it. The list is walked to find them,
//! and to find a hole that is large enough.

use linked_list_allocator::LockedHeap;

use super::region::InRegion;

pub(super) fn open() -> InRegion<LockedHeap> {
    // SAFETY: the region belongs to the allocator alone, as long as that exists; it uses
    // its memory only when it is called.
    InRegion::open(|start, bytes| unsafe { LockedHeap::new(start, bytes) })
}
