//! The buddy system of rCore: every block is a power of two of bytes, and aligned to
//! its own size.
//!
//! Each one has a fixed region, refuses when there is no block left that is large
//! enough, and gives nothing back to the system until it is dropped. Threads share it
//! behind one spin lock. A block that is freed is joined with its buddy, which is
//! searched for in the list of free blocks of its size.

use buddy_system_allocator::LockedHeap;

use super::region::InRegion;
use crate::subject::Unavailable;

/// One more than the binary logarithm of the largest block, 1 GiB.
const ORDER: usize = 31;

pub(super) fn open() -> Result<InRegion<LockedHeap<ORDER>>, Unavailable> {
    InRegion::open(|start, bytes| {
        let heap = LockedHeap::new();
        // SAFETY: the region is the allocator's alone, as long as that is there.
        unsafe { heap.lock().init(start.expose_provenance(), bytes) };
        heap
    })
}
