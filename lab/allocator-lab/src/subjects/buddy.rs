//! The buddy system of rCore: the size of every block is a power of two, and its alignment
//! too.
//!
//! Each allocator has a fixed region, refuses requests when no free block is large enough,
//! and returns nothing to the system until it is dropped. Threads share it behind one spin
//! lock. A freed block is joined with its buddy, which is searched for in the list of free
//! blocks of its size.

use buddy_system_allocator::LockedHeap;

use super::region::InRegion;

/// One more than the binary logarithm of the largest block, 1 GiB.
const ORDER: usize = 31;

pub(super) fn open() -> InRegion<LockedHeap<ORDER>> {
    InRegion::open(|start, bytes| {
        let heap = LockedHeap::new();
        // SAFETY: the region belongs to the allocator alone, as long as that exists.
        unsafe { heap.lock().init(start.expose_provenance(), bytes) };
        heap
    })
}
