//! [`Subject`]: what a workload knows of an allocator. Which allocators there are
//! is not known here.

use std::alloc::{GlobalAlloc, Layout};
use std::error::Error;
use std::fmt;

/// An allocator under comparison.
///
/// What it hands out is checked and not believed: a block that is misaligned, that
/// overlaps another one or that loses its contents is a fault of the subject,
/// which is reported.
///
/// # Safety
///
/// A block that [`take`](Self::take) returned and that is not null can be read and
/// written as bytes, over the whole size of its layout, until it is given back; but
/// not where [`HAS_MEMORY`](Self::HAS_MEMORY) is false.
///
/// Where [`SHARED`](Self::SHARED) is true, several threads may call all but
/// [`reset`](Self::reset) of one subject at once, and one may give back what another
/// has taken.
pub unsafe trait Subject {
    /// How its blocks are to be treated.
    const KIND: Kind = Kind::General;

    /// Whether there is memory behind its blocks. Those of a floor, which is what a
    /// workload costs without an allocator, must not be touched.
    const HAS_MEMORY: bool = true;

    /// Whether several threads may use one subject at once.
    const SHARED: bool = true;

    /// A block of this layout, whose size is not 0; null where it is refused.
    fn take(&self, layout: Layout) -> *mut u8;

    /// Takes a block back.
    ///
    /// # Safety
    ///
    /// `block` is not null, was returned by [`take`](Self::take) of this subject
    /// for this layout, and was not given back since, nor was the subject
    /// [reset](Self::reset).
    unsafe fn give(&self, block: *mut u8, layout: Layout);

    /// How many bytes of a live block can be used, where the allocator tells.
    ///
    /// # Safety
    ///
    /// As of [`give`](Self::give).
    unsafe fn usable_size(&self, _block: *mut u8, _layout: Layout) -> Option<usize> {
        None
    }

    /// Takes all blocks back at once, where the subject is an arena; otherwise
    /// nothing.
    fn reset(&mut self) {}
}

// SAFETY: the subject's own promise, passed on. What is borrowed may be in use
// elsewhere and is not reset, so that blocks of an arena stay until it goes.
unsafe impl<S: Subject> Subject for &S {
    const KIND: Kind = S::KIND;
    const HAS_MEMORY: bool = S::HAS_MEMORY;
    const SHARED: bool = S::SHARED;

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
    unsafe fn usable_size(&self, block: *mut u8, layout: Layout) -> Option<usize> {
        // SAFETY: the caller's contract, passed on.
        unsafe { (**self).usable_size(block, layout) }
    }
}

/// How the blocks of a subject are to be treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Each is given back by itself.
    General,
    /// All are taken back at once, by [`Subject::reset`]; giving back one does
    /// nothing.
    Arena,
}

/// Any global allocator, as a subject.
#[derive(Clone, Copy, Debug, Default)]
pub struct Global<A>(pub A);

// SAFETY: `GlobalAlloc` promises a block of the layout's size, or null; what is
// `Sync` besides may be called from several threads, as that of a program is.
unsafe impl<A: GlobalAlloc + Sync> Subject for Global<A> {
    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the size is not 0, as the contract of `take` has it.
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller has the block from `take`, for this layout.
        unsafe { self.0.dealloc(block, layout) }
    }
}

/// Why an allocator can't be compared here, in words: what is missing, and how to
/// have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable(pub String);

impl fmt::Display for Unavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Error for Unavailable {}
