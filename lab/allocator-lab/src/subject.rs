//! [`Subject`]: an allocator, as workloads see it.

use std::alloc::{GlobalAlloc, Layout};
use std::fmt;
use std::ops::Deref;
use std::ptr;

/// An allocator under comparison.
///
/// Workloads check its blocks: a block that is misaligned, that overlaps another one or
/// that loses its contents is reported as a fault of the subject.
///
/// # Safety
///
/// Where [`HAS_MEMORY`](Self::HAS_MEMORY) is true, a block that [`take`](Self::take)
/// returned and that is not null can be read and written as bytes, over the whole size of
/// its layout, until it is given back.
///
/// Where it is false, one thread may write to a block, and nobody reads it.
///
/// Where [`SHARED`](Self::SHARED) is true, several threads may use one subject at once, by all
/// that takes `&self`, and a thread may give back the blocks of another.
pub unsafe trait Subject {
    /// How its blocks are to be treated.
    const KIND: Kind = Kind::General;

    /// Whether its blocks keep their contents. Those of a floor, which shows what a workload
    /// costs without an allocator, are all at one address: only the cost of writing can be
    /// measured.
    const HAS_MEMORY: bool = true;

    /// Whether several threads may use one subject at once.
    const SHARED: bool = true;

    /// Whether [`usable_size`](Self::usable_size) tells the size of every block.
    const TELLS_SIZES: bool = false;

    /// The bytes of its region, where that has a fixed size.
    const REGION_BYTES: Option<usize> = None;

    /// A block of this layout, whose size is not 0; null if the request is refused.
    fn take(&self, layout: Layout) -> *mut u8;

    /// Takes a block back.
    ///
    /// # Safety
    ///
    /// `block` is not null and was returned by [`take`](Self::take) of this subject for this
    /// layout. It was not given back since, and the subject was not [reset](Self::reset).
    unsafe fn give(&self, block: *mut u8, layout: Layout);

    /// Changes the size of a block and keeps its alignment, as
    /// [`realloc`](GlobalAlloc::realloc) does: the block that it returns has the contents,
    /// as far as they fit, and replaces the old one. Null if the request is refused; the
    /// old block is then as it was.
    ///
    /// Without an implementation, it takes another block, copies the contents and gives the
    /// old block back. An arena gives nothing back, and a block that shrinks stays where it
    /// is.
    ///
    /// # Safety
    ///
    /// As of [`give`](Self::give). `size` is not 0, and there is a layout of this size with
    /// the alignment of `layout`.
    #[inline]
    unsafe fn resize(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if matches!(Self::KIND, Kind::Arena) && size <= layout.size() {
            return block;
        }
        // SAFETY: the caller's contract, passed on.
        unsafe { resize_by_copy(self, block, layout, size) }
    }

    /// How many bytes of a live block can be used, where the allocator tells.
    ///
    /// # Safety
    ///
    /// As of [`give`](Self::give).
    unsafe fn usable_size(&self, _block: *mut u8, _layout: Layout) -> Option<usize> {
        None
    }

    /// A new subject of this kind in a region of this many bytes, at least 4,096.
    ///
    /// # Errors
    ///
    /// Where there is no such region; mostly, because the size of the memory of the subject
    /// is not [fixed](Self::REGION_BYTES).
    fn with_region(&self, _bytes: usize) -> Result<Self, Unavailable>
    where
        Self: Sized,
    {
        Err(Unavailable(GROWS.to_owned()))
    }

    /// Takes all blocks back at once if the subject is an arena; otherwise does nothing.
    fn reset(&mut self) {}
}

/// [Resizes](Subject::resize) a block: takes another one, copies the contents and gives
/// the old one back, unless the subject is an arena.
///
/// # Safety
///
/// As of [`Subject::resize`].
#[inline]
pub(crate) unsafe fn resize_by_copy<S: Subject + ?Sized>(
    subject: &S,
    block: *mut u8,
    layout: Layout,
    size: usize,
) -> *mut u8 {
    // SAFETY: the caller promises that there is one.
    let resized = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
    let other = subject.take(resized);
    if other.is_null() {
        return other;
    }
    if S::HAS_MEMORY {
        // SAFETY: both blocks are live and have at least this many bytes. Those of a broken
        // subject may overlap.
        unsafe { ptr::copy(block, other, layout.size().min(size)) };
    }
    if matches!(S::KIND, Kind::General) {
        // SAFETY: the caller's contract, passed on.
        unsafe { subject.give(block, layout) };
    }
    other
}

// SAFETY: the subject's own promise, passed on. A subject behind a pointer may be in use
// elsewhere and is not reset: the blocks of an arena stay until it is dropped.
unsafe impl<S: Subject, P: Deref<Target = S>> Subject for P {
    const KIND: Kind = S::KIND;
    const HAS_MEMORY: bool = S::HAS_MEMORY;
    const SHARED: bool = S::SHARED;
    const TELLS_SIZES: bool = S::TELLS_SIZES;
    const REGION_BYTES: Option<usize> = S::REGION_BYTES;

    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        (**self).take(layout)
    }

    #[inline]
    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { (**self).give(block, layout) }
    }

    #[inline]
    unsafe fn resize(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        unsafe { (**self).resize(block, layout, size) }
    }

    #[inline]
    unsafe fn usable_size(&self, block: *mut u8, layout: Layout) -> Option<usize> {
        // SAFETY: the caller's contract, passed on.
        unsafe { (**self).usable_size(block, layout) }
    }
}

/// Why a subject has no region.
pub(crate) const GROWS: &str = "its memory has no fixed size";

/// How the blocks of a subject are to be treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Each is given back by itself.
    General,
    /// All are taken back at once, by [`Subject::reset`]; giving back one does
    /// nothing.
    Arena,
}

/// The methods of [`Subject`] that call the allocator in a field, a [`GlobalAlloc`].
macro_rules! forward_to_global_alloc {
    ($allocator:tt) => {
        #[inline]
        fn take(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the size is not 0, as the contract of `take` has it.
            unsafe { self.$allocator.alloc(layout) }
        }

        #[inline]
        unsafe fn give(&self, block: *mut u8, layout: Layout) {
            // SAFETY: the caller has the block from `take`, for this layout.
            unsafe { self.$allocator.dealloc(block, layout) }
        }

        #[inline]
        unsafe fn resize(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            // SAFETY: the caller has the block from `take`, for this layout, and there is a
            // layout of this size.
            unsafe { self.$allocator.realloc(block, layout, size) }
        }
    };
}

#[cfg(any(feature = "buddy", feature = "linked-list", feature = "talc"))]
pub(crate) use forward_to_global_alloc;

/// Any global allocator, as a subject.
#[derive(Clone, Copy, Debug, Default)]
pub struct Global<A>(pub A);

/// The same with a function that tells how many bytes of a live block can be used.
#[derive(Clone, Copy, Debug)]
pub struct GlobalWithSizes<A>(pub A, pub unsafe fn(*mut u8) -> Option<usize>);

// SAFETY: `GlobalAlloc` promises a block of the layout's size, or null; an allocator that
// is `Sync` may be called from several threads, as that of a program is.
unsafe impl<A: GlobalAlloc + Sync> Subject for Global<A> {
    forward_to_global_alloc!(0);
}

// SAFETY: as of `Global`.
unsafe impl<A: GlobalAlloc + Sync> Subject for GlobalWithSizes<A> {
    const TELLS_SIZES: bool = true;

    forward_to_global_alloc!(0);

    unsafe fn usable_size(&self, block: *mut u8, _layout: Layout) -> Option<usize> {
        // SAFETY: the caller has the block from `take`, and it is live.
        unsafe { (self.1)(block) }
    }
}

/// Why an allocator can't be compared here: what is missing, and how to get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable(pub String);

impl fmt::Display for Unavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
