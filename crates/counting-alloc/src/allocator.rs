//! [`CountingAlloc`]: forwards to the inner allocator and, once that
//! succeeded, has the operation tallied. Who counts in which sheet is not known
//! here.

use core::alloc::{GlobalAlloc, Layout};
use core::ptr;
#[cfg(feature = "std")]
use std::alloc::System;

use crate::counters;
use crate::operation::{Method, Operation};
use crate::sheet::{Flags, Sheet};

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
#[cfg(feature = "std")]
#[derive(Debug, Default)]
pub struct CountingAlloc<A = System> {
    inner: A,
}

/// A global allocator that counts what passes through it and leaves the
/// allocating to `A`.
///
/// Without the feature `std` all threads share one set of counters: measurements
/// are those of the process, and each operation costs two locked instructions.
///
/// The counters belong to the process, not to the value: a program has one
/// global allocator, and a second `CountingAlloc` that is called directly adds
/// to the same tallies.
#[cfg(not(feature = "std"))]
#[derive(Debug, Default)]
pub struct CountingAlloc<A> {
    inner: A,
}

#[cfg(feature = "std")]
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

// The frequent cases are inlined: counting, with and without the thread's peak,
// and counting switched off. Everything else is behind calls of cold functions,
// whose arguments are what is in registers already; `cargo xtask pairs` shows
// what a change costs.
impl<A: GlobalAlloc> CountingAlloc<A> {
    /// Tallies a call of `method` that returned `block`, and passes that on.
    /// When it is not null, what happened is `operation`.
    #[inline(always)]
    fn tallied(
        &self,
        block: *mut u8,
        method: Method,
        (from, to): (usize, usize),
        operation: Operation,
    ) -> *mut u8 {
        let sheet = counters::sheet();
        let flags = sheet.flags();
        if !flags.are_frequent() {
            if !flags.contain(Flags::OFF) {
                return tallied_rarely(block, method, from, to, &self.inner);
            }
            return block;
        }
        if block.is_null() {
            return refused(sheet, method, from, to);
        }
        sheet.add_owned(operation);
        if flags == Flags::PEAK {
            sheet.keep_peak(operation);
        }
        block
    }
}

/// Tallies where there is more to do, and passes `block` on.
#[cold]
#[inline(never)]
fn tallied_rarely<A: GlobalAlloc>(
    block: *mut u8,
    method: Method,
    from: usize,
    to: usize,
    inner: &A,
) -> *mut u8 {
    counters::record_rare(inner, method.outcome(from, to, block));
    block
}

/// Counts a call that the inner allocator refused, and passes the null on.
#[cold]
#[inline(never)]
fn refused(sheet: &Sheet, method: Method, from: usize, to: usize) -> *mut u8 {
    sheet.add_owned(method.outcome(from, to, ptr::null_mut()));
    ptr::null_mut()
}

/// `dealloc` where there is more to do, as a whole: so the frequent case
/// ends with a call of the inner allocator and needs no stack frame.
///
/// # Safety
///
/// As `GlobalAlloc::dealloc` of `inner`.
#[cold]
#[inline(never)]
unsafe fn dealloc_rarely<A: GlobalAlloc>(block: *mut u8, layout: Layout, inner: &A) {
    let size = layout.size();
    counters::record_rare(inner, Operation::Dealloc { size });
    // SAFETY: the caller's contract, which is the same.
    unsafe { inner.dealloc(block, layout) };
}

// SAFETY: every method hands its arguments to `inner`'s method of the same name
// and returns that method's result unchanged, so the contract that `A` keeps is
// kept here. Tallying neither unwinds nor allocates through the global
// allocator (see `threads` and `alone`).
//
// What may fail is tallied after `inner` returned. A `dealloc` can't fail, and
// is tallied before, so that the call of `inner` is the last thing to do.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAlloc<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size();
        // SAFETY: the caller upholds `alloc`'s contract for this very layout.
        let block = unsafe { self.inner.alloc(layout) };
        self.tallied(block, Method::Alloc, (0, size), Operation::Alloc { size })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let size = layout.size();
        // SAFETY: the caller upholds `alloc_zeroed`'s contract for this layout.
        let block = unsafe { self.inner.alloc_zeroed(layout) };
        let operation = Operation::AllocZeroed { size };
        self.tallied(block, Method::AllocZeroed, (0, size), operation)
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let size = layout.size();
        let operation = Operation::Dealloc { size };
        let sheet = counters::sheet();
        let flags = sheet.flags();
        if flags.are_frequent() {
            sheet.add_owned(operation);
            if flags == Flags::PEAK {
                sheet.keep_peak(operation);
            }
        } else if !flags.contain(Flags::OFF) {
            // SAFETY: the caller's contract, passed on.
            return unsafe { dealloc_rarely(block, layout, &self.inner) };
        }
        // SAFETY: the caller got `block` from this allocator with this layout,
        // and everything that this allocator hands out comes from `inner`.
        unsafe { self.inner.dealloc(block, layout) };
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let (from, to) = (layout.size(), new_size);
        // SAFETY: the caller got `block` from this allocator, and so from
        // `inner`, with this layout, and vouches for `new_size`.
        let moved = unsafe { self.inner.realloc(block, layout, new_size) };
        let operation = if to > from {
            Operation::Grow { from, to }
        } else {
            Operation::Shrink { from, to }
        };
        self.tallied(moved, Method::Realloc, (from, to), operation)
    }
}
