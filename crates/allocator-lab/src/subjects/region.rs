//! Memory by the page for allocators that are given theirs: fixed regions, and
//! [`Pages`] for what grows.
//!
//! It comes from the operating system and not from `malloc`. A block of up to 32 MiB for
//! which glibc maps pages raises its thresholds when it is given back: it then keeps at
//! the top of its heap twice as much as that block had. What one subject gives back, as
//! talc does pieces of 1 MiB, would change what the subject `system` costs afterwards.

use std::alloc::{GlobalAlloc, Layout};

use crate::subject::{Subject, Unavailable};

/// Enough for every workload: the largest has less than a quarter of it live. A page
/// of it takes memory when it is first touched.
const REGION_BYTES: usize = 512 << 20;

/// An allocator in a region of its own, which is given back with it.
#[derive(Debug)]
pub(super) struct InRegion<A> {
    // Before the region, so that it is dropped before its memory.
    allocator: A,
    _region: Region,
}

impl<A> InRegion<A> {
    /// `make` gets where a new region begins and how many bytes it has, which nobody
    /// else has as long as the allocator is there.
    pub(super) fn open(make: impl FnOnce(*mut u8, usize) -> A) -> Result<Self, Unavailable> {
        let region = Region::new(REGION_BYTES).ok_or_else(|| {
            let mebibytes = REGION_BYTES >> 20;
            Unavailable(format!(
                "the system has no {mebibytes} MiB of addresses for its region"
            ))
        })?;
        Ok(Self {
            allocator: make(region.start, REGION_BYTES),
            _region: region,
        })
    }
}

// SAFETY: `GlobalAlloc` promises a block of the layout's size, or null; what is `Sync`
// besides may be called from several threads. The region is there as long as this.
unsafe impl<A: GlobalAlloc + Sync> Subject for InRegion<A> {
    const REGION_BYTES: Option<usize> = Some(REGION_BYTES);

    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the size is not 0, as the contract of `take` has it.
        unsafe { self.allocator.alloc(layout) }
    }

    #[inline]
    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller has the block from `take`, for this layout.
        unsafe { self.allocator.dealloc(block, layout) }
    }
}

/// Memory that nobody else has, aligned to its own size: an allocator that halves
/// blocks splits each region the same way, wherever it is.
#[derive(Debug)]
struct Region {
    start: *mut u8,
    bytes: usize,
}

// SAFETY: the memory belongs to whoever has the region, on whichever thread.
unsafe impl Send for Region {}

// SAFETY: nothing is done with a shared one.
unsafe impl Sync for Region {}

impl Region {
    /// `bytes` is a power of two and a multiple of a page.
    fn new(bytes: usize) -> Option<Self> {
        let start = platform::reserve_aligned(bytes);
        (!start.is_null()).then_some(Self { start, bytes })
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: it was reserved as this, and its owner ends here.
        unsafe { platform::release(self.start, self.bytes) }
    }
}

/// The operating system as an allocator that takes whole pages for every block. It
/// is for allocators that take much at once.
#[derive(Clone, Copy, Debug)]
#[cfg(feature = "talc")]
pub(super) struct Pages;

// SAFETY: the pages of a mapping are nobody else's, and are there until they are
// released. Both functions look at the size of a layout and not at its alignment, so
// it does no harm that talc 5.1 gives back with another alignment than it takes with.
#[cfg(feature = "talc")]
unsafe impl GlobalAlloc for Pages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > platform::PAGE_BYTES {
            return std::ptr::null_mut();
        }
        platform::reserve(layout.size())
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller has the block from `alloc`, where it had this size.
        unsafe { platform::release(block, layout.size()) }
    }
}

#[cfg(unix)]
mod platform {
    use std::ptr;

    /// No page is smaller.
    #[cfg(feature = "talc")]
    pub(super) const PAGE_BYTES: usize = 4096;

    /// Zeroed memory by the page; null where there is none.
    pub(super) fn reserve(bytes: usize) -> *mut u8 {
        // Most of a region is never touched, so Linux need not set memory aside.
        #[cfg(target_os = "linux")]
        const LAZY: libc::c_int = libc::MAP_NORESERVE;
        #[cfg(not(target_os = "linux"))]
        const LAZY: libc::c_int = 0;
        // SAFETY: a new mapping at a place of the system's choice changes none that
        // is there.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANON | LAZY,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return ptr::null_mut();
        }
        start.cast()
    }

    /// As [`reserve`], at a multiple of `bytes`, which is a power of two and of pages.
    pub(super) fn reserve_aligned(bytes: usize) -> *mut u8 {
        let Some(twice) = bytes.checked_mul(2) else {
            return ptr::null_mut();
        };
        let start = reserve(twice);
        if start.is_null() {
            return start;
        }
        let before = start.align_offset(bytes);
        let aligned = start.wrapping_add(before);
        let end = aligned.wrapping_add(bytes);
        // What stands out on both sides would count as memory that is mapped.
        if before > 0 {
            // SAFETY: it was reserved just now, and nobody has it.
            unsafe { release(start, before) };
        }
        if before < bytes {
            // SAFETY: as above.
            unsafe { release(end, bytes - before) };
        }
        aligned
    }

    /// Gives pages back.
    ///
    /// # Safety
    ///
    /// They were reserved, and nobody uses them any more.
    pub(super) unsafe fn release(start: *mut u8, bytes: usize) {
        // SAFETY: the caller promises that these pages are a mapping that is not used.
        let outcome = unsafe { libc::munmap(start.cast(), bytes) };
        debug_assert_eq!(outcome, 0, "pages that were reserved are given back");
    }
}

#[cfg(not(unix))]
mod platform {
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::ptr;

    /// The alignment of what is reserved.
    pub(super) const PAGE_BYTES: usize = 4096;

    /// Memory at a multiple of [`PAGE_BYTES`]; null where there is none.
    pub(super) fn reserve(bytes: usize) -> *mut u8 {
        match Layout::from_size_align(bytes, PAGE_BYTES) {
            // SAFETY: nobody reserves nothing.
            Ok(layout) => unsafe { System.alloc(layout) },
            Err(_) => ptr::null_mut(),
        }
    }

    /// There is no cheap way to more alignment than a page has.
    pub(super) fn reserve_aligned(bytes: usize) -> *mut u8 {
        reserve(bytes)
    }

    /// Gives memory back.
    ///
    /// # Safety
    ///
    /// It was reserved with this size, and nobody uses it any more.
    pub(super) unsafe fn release(start: *mut u8, bytes: usize) {
        if let Ok(layout) = Layout::from_size_align(bytes, PAGE_BYTES) {
            // SAFETY: the caller promises that it was reserved, which is with this layout.
            unsafe { System.dealloc(start, layout) }
        }
    }
}
