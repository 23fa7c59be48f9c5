//! [`InRegion`]: allocators that manage memory of their user, in a fixed region of pages from the
//! operating system.

use std::alloc::{GlobalAlloc, Layout};
use std::ptr;

use crate::subject::{Subject, forward_to_global_alloc};

/// Enough for every workload. A page takes memory when it is first touched.
const REGION_BYTES: usize = 512 << 20;

/// An allocator in a region of its own, which is released with it.
#[derive(Debug)]
pub(super) struct InRegion<A> {
    // Before the region, since fields are dropped in this order.
    allocator: A,
    make: fn(*mut u8, usize) -> A,
    _region: Region,
}

impl<A> InRegion<A> {
    /// Opens an allocator. `make` gets the beginning and the bytes of a new region, which
    /// belongs to the allocator alone.
    pub(super) fn open(make: fn(*mut u8, usize) -> A) -> Self {
        Self::open_in(REGION_BYTES, make)
    }

    fn open_in(bytes: usize, make: fn(*mut u8, usize) -> A) -> Self {
        let region = Region::new(bytes.next_power_of_two());
        Self {
            allocator: make(region.start, bytes),
            make,
            _region: region,
        }
    }
}

// SAFETY: `GlobalAlloc` promises a block of the layout's size, or null; an allocator that
// is `Sync` may be called from several threads. The region exists as long as `self`.
unsafe impl<A: GlobalAlloc + Sync> Subject for InRegion<A> {
    const REGION_BYTES: Option<usize> = Some(REGION_BYTES);

    forward_to_global_alloc!(allocator);

    fn with_region(&self, bytes: usize) -> Option<Self> {
        Some(Self::open_in(bytes, self.make))
    }
}

/// Memory of one owner, aligned to its own size, so that an allocator that halves blocks
/// splits every region the same way.
#[derive(Debug)]
struct Region {
    start: *mut u8,
    bytes: usize,
}

// SAFETY: the memory belongs to the owner of the region, on any thread.
unsafe impl Send for Region {}

// SAFETY: a shared reference gives no access to the memory.
unsafe impl Sync for Region {}

impl Region {
    /// Reserves a region. `bytes` is a power of two and a multiple of a page.
    fn new(bytes: usize) -> Self {
        let all = reserve(2 * bytes);
        let before = all.align_offset(bytes);
        let start = all.wrapping_add(before);
        // The rest on both sides would count as mapped memory.
        if before > 0 {
            // SAFETY: it was reserved just now, and is not used.
            unsafe { release(all, before) };
        }
        // SAFETY: as above.
        unsafe { release(start.wrapping_add(bytes), bytes - before) };
        Self { start, bytes }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: it was reserved with this size, and its owner ends here.
        unsafe { release(self.start, self.bytes) }
    }
}

/// Zeroed pages.
fn reserve(bytes: usize) -> *mut u8 {
    // SAFETY: a new mapping at an address of the system's choice changes no other.
    let start = unsafe {
        libc::mmap(
            ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            // Most of a region is never touched, and needs no memory.
            libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    assert!(start != libc::MAP_FAILED, "no {bytes} bytes of addresses");
    start.cast()
}

/// Releases pages.
///
/// # Safety
///
/// They were reserved, and are not used any more.
unsafe fn release(start: *mut u8, bytes: usize) {
    // SAFETY: the caller promises that these pages are an unused mapping.
    let outcome = unsafe { libc::munmap(start.cast(), bytes) };
    debug_assert_eq!(outcome, 0, "reserved pages are released");
}
