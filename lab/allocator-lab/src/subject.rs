//! [`Subject`]: an allocator, as workloads see it.

use std::alloc::{GlobalAlloc, Layout};
use std::ops::Deref;
use std::ptr;
use std::sync::Arc;

use crate::heap::Heap;

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
/// Unless the subject [is an arena](Self::IS_ARENA), several threads may use it at once, by all
/// that takes `&self`, and a thread may give back the blocks of another.
pub unsafe trait Subject: Sized {
    /// Whether all blocks are taken back at once, by [`reset`](Self::reset). Giving back one does
    /// nothing then, and each thread has a subject of its own.
    const IS_ARENA: bool = false;

    /// Whether its blocks keep their contents. A floor, which shows what a workload costs without
    /// an allocator, has all blocks at one address: only the cost of writing can be measured.
    const HAS_MEMORY: bool = true;

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
        if Self::IS_ARENA && size <= layout.size() {
            return block;
        }
        // SAFETY: the caller promises that there is one.
        let resized = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        let other = self.take(resized);
        if other.is_null() {
            return other;
        }
        if Self::HAS_MEMORY {
            // SAFETY: both blocks are live and have at least this many bytes. Those of a broken
            // subject may overlap.
            unsafe { ptr::copy(block, other, layout.size().min(size)) };
        }
        if !Self::IS_ARENA {
            // SAFETY: the caller's contract, passed on.
            unsafe { self.give(block, layout) };
        }
        other
    }

    /// How many bytes of a live block can be used, where the allocator tells.
    ///
    /// # Safety
    ///
    /// As of [`give`](Self::give).
    unsafe fn usable_size(&self, _block: *mut u8, _layout: Layout) -> Option<usize> {
        None
    }

    /// A new subject of this kind in a region of this many bytes, at least 4,096; `None` unless
    /// the size of its memory is [fixed](Self::REGION_BYTES).
    fn with_region(&self, _bytes: usize) -> Option<Self> {
        None
    }

    /// Takes all blocks back at once if the subject is an arena; otherwise does nothing.
    fn reset(&mut self) {}
}

// SAFETY: the subject's own promise, passed on. A subject behind a pointer may be in use
// elsewhere and is not reset: the blocks of an arena stay until it is dropped.
unsafe impl<S: Subject, P: Deref<Target = S>> Subject for P {
    const IS_ARENA: bool = S::IS_ARENA;
    const HAS_MEMORY: bool = S::HAS_MEMORY;
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
    forward_to_global_alloc!(0);

    unsafe fn usable_size(&self, block: *mut u8, _layout: Layout) -> Option<usize> {
        // SAFETY: the caller has the block from `take`, and it is live.
        unsafe { (self.1)(block) }
    }
}

/// A handle to a subject that several threads use.
#[derive(Debug)]
pub struct Shared<S>(Arc<S>);

impl<S: Subject> Shared<S> {
    /// A handle to this subject, whose clones are for other threads.
    pub fn new(subject: S) -> Self {
        assert!(!S::IS_ARENA, "an arena is for one thread");
        Self(Arc::new(subject))
    }
}

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S> Deref for Shared<S> {
    type Target = S;

    #[inline]
    fn deref(&self) -> &S {
        &self.0
    }
}

// SAFETY: it is only made of subjects that several threads may use at once, as their contract
// promises. A bound by `Subject` would make rustdoc 1.95 panic.
unsafe impl<S> Send for Shared<S> {}

// SAFETY: as above.
unsafe impl<S> Sync for Shared<S> {}

// SAFETY: another thread may give back the blocks of the subject, and they are memory, which
// belongs to no thread.
unsafe impl<S> Send for Heap<Shared<S>> {}
