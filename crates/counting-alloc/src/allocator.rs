//! [`CountingAlloc`]: forwards to the inner allocator and, once that
//! succeeded, has the operation tallied. How tallies are kept is the
//! registry's business.

use std::alloc::{GlobalAlloc, Layout, System};

use crate::block::Operation;
use crate::registry;

/// A global allocator that counts what passes through it and leaves the
/// allocating to `A`.
///
/// ```
/// use counting_alloc::CountingAlloc;
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {}
/// ```
///
/// Over another allocator, `CountingAlloc::new(MiMalloc)` for example, the type
/// of the static is `CountingAlloc<MiMalloc>`.
///
/// The counters belong to the process, not to the value: a program has one
/// global allocator, and a second `CountingAlloc` that is called directly adds
/// to the same tallies.
#[derive(Debug, Default)]
pub struct CountingAlloc<A = System> {
    inner: A,
}

impl CountingAlloc {
    /// Counts over the system's allocator.
    #[must_use]
    pub const fn system() -> Self {
        Self::new(System)
    }
}

impl<A> CountingAlloc<A> {
    /// Counts over `inner`.
    #[must_use]
    pub const fn new(inner: A) -> Self {
        Self { inner }
    }
}

impl<A: GlobalAlloc> CountingAlloc<A> {
    /// Tallies `operation`, or a failure when it yielded null.
    #[inline(always)]
    fn tallied(&self, block: *mut u8, operation: Operation) -> *mut u8 {
        let happened = if block.is_null() {
            Operation::Failed
        } else {
            operation
        };
        registry::record(&self.inner, happened);
        block
    }
}

// SAFETY: every method hands its arguments to `inner`'s method of the same name
// and returns that method's result unchanged, so the contract that `A` keeps is
// kept here. Tallying neither unwinds nor allocates through the global
// allocator (see `registry`).
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAlloc<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size();
        // SAFETY: the caller upholds `alloc`'s contract for this very layout.
        let block = unsafe { self.inner.alloc(layout) };
        self.tallied(block, Operation::Alloc { size })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let size = layout.size();
        // SAFETY: the caller upholds `alloc_zeroed`'s contract for this layout.
        let block = unsafe { self.inner.alloc_zeroed(layout) };
        self.tallied(block, Operation::Alloc { size })
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let size = layout.size();
        // SAFETY: the caller got `block` from this allocator with this layout,
        // and everything that this allocator hands out comes from `inner`.
        unsafe { self.inner.dealloc(block, layout) };
        registry::record(&self.inner, Operation::Dealloc { size });
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let size = layout.size();
        let operation = if new_size > size {
            Operation::Grow {
                by: new_size - size,
            }
        } else {
            Operation::Shrink {
                by: size - new_size,
            }
        };
        // SAFETY: the caller got `block` from this allocator, and so from
        // `inner`, with this layout, and vouches for `new_size`.
        let moved = unsafe { self.inner.realloc(block, layout, new_size) };
        self.tallied(moved, operation)
    }
}
