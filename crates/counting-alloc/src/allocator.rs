//! [`CountingAlloc`]: forwards each call to the inner allocator and counts the
//! calls that succeed.

use core::alloc::{GlobalAlloc, Layout};
use core::hint::assert_unchecked;
use core::ptr;
#[cfg(feature = "std")]
use std::alloc::System;

use crate::backend;
use crate::counters::{Counters, Flags};
use crate::inner_ref::{InnerRef, Sizeless};
use crate::native::platform::caller::as_rust;
use crate::operation::{Method, Operation};

/// A global allocator that forwards to `A` and counts the calls.
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

/// A global allocator that forwards to `A` and counts the calls.
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

/// `alloc`: selects the function for the mode that is in force.
///
/// # Safety
///
/// As `GlobalAlloc::alloc` of `inner`.
#[inline(always)]
unsafe fn alloc<A: GlobalAlloc, H: InnerRef<A>>(layout: Layout, inner: H) -> *mut u8 {
    let (size, align) = (layout.size(), layout.align());
    // `is_usual` as two branches, which take two instructions less than one.
    if align > USUAL_ALIGN {
        // SAFETY: this function's contract.
        return unsafe { alloc_rarely(size, align, inner) };
    }
    if align > size {
        // SAFETY: as above.
        return unsafe { alloc_rarely(size, align, inner) };
    }
    let counters = backend::counters();
    let flags = counters.flags();
    if flags < Flags::PEAK {
        // SAFETY: as above, and the layout is a usual one.
        unsafe { alloc_counted(size, align, inner, counters) }
    } else if flags.are_off(Flags::PEAK) {
        // SAFETY: as above.
        as_rust(|| unsafe { inner.get().alloc(layout) })
    } else if flags == Flags::PEAK {
        // SAFETY: as above, and the layout is a usual one.
        unsafe { alloc_below_peak(size, align, inner, counters) }
    } else {
        // SAFETY: as above.
        unsafe { alloc_rarely(size, align, inner) }
    }
}

/// `dealloc`: selects the function for the mode that is in force.
///
/// # Safety
///
/// As `GlobalAlloc::dealloc` of `inner`.
#[inline(always)]
unsafe fn dealloc<A: GlobalAlloc, H: InnerRef<A>>(block: *mut u8, layout: Layout, inner: H) {
    let size = layout.size();
    let counters = backend::counters();
    let flags = counters.flags();
    if flags < Flags::ABOVE_PEAK {
        // The peak needs no update, since live bytes fall.
        counters.add_owned(Operation::Dealloc { size });
    } else if !flags.are_off(Flags::ABOVE_PEAK) {
        // SAFETY: this function's contract.
        return unsafe { dealloc_in_full(block, layout, inner) };
    }
    // SAFETY: this function's contract.
    as_rust(|| unsafe { inner.get().dealloc(block, layout) });
}

/// Counts a call of `method` after it returned `block`, in all modes, and returns
/// `block`.
#[inline(never)]
fn tallied<A: GlobalAlloc, H: InnerRef<A>>(
    block: *mut u8,
    method: Method,
    from: usize,
    to: usize,
    inner: H,
) -> *mut u8 {
    let operation = method.operation(from, to, block);
    let counters = backend::counters();
    let flags = counters.flags();
    if flags == Flags::NONE {
        counters.add_owned(operation);
    } else if flags == Flags::PEAK {
        counters.add_owned(operation);
        counters.keep_peak(operation);
    } else if flags != Flags::OFF {
        backend::record_rare(inner.get(), operation);
    }
    block
}

/// `alloc`, counted. This function and the next two are not inlined, so that the
/// modes that count nothing don't pay for a stack frame. Size and alignment have
/// the order in which Rust's shim passes them.
///
/// # Safety
///
/// As `GlobalAlloc::alloc` of `inner`, for a layout of `size` and `align`, which
/// is a usual one.
#[inline(never)]
unsafe fn alloc_counted<A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
    counters: &Counters,
) -> *mut u8 {
    counters.add_owned(Operation::Alloc { size });
    // SAFETY: this function's contract.
    unsafe { alloc_or_give_back(size, align, inner) }
}

/// `alloc`, counted, in a window that keeps the thread's peak.
///
/// # Safety
///
/// As for `alloc_counted`.
#[inline(never)]
unsafe fn alloc_below_peak<A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
    counters: &Counters,
) -> *mut u8 {
    if counters.would_peak(size) {
        // SAFETY: this function's contract.
        return unsafe { alloc_in_full(size, align, inner) };
    }
    counters.add_owned(Operation::Alloc { size });
    // SAFETY: this function's contract.
    unsafe { alloc_or_give_back(size, align, inner) }
}

/// `alloc` in all other cases.
///
/// # Safety
///
/// As `GlobalAlloc::alloc` of `inner`, for a layout of `size` and `align`.
#[inline(never)]
unsafe fn alloc_in_full<A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
) -> *mut u8 {
    // SAFETY: this function's contract.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: the caller's contract, which is the same.
    let block = as_rust(|| unsafe { inner.get().alloc(layout) });
    tallied(block, Method::Alloc, 0, size, inner)
}

/// `alloc` in all other cases, out of the way of the frequent ones.
///
/// # Safety
///
/// As for `alloc_in_full`.
#[cold]
#[inline(never)]
unsafe fn alloc_rarely<A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
) -> *mut u8 {
    // SAFETY: this function's contract.
    unsafe { alloc_in_full(size, align, inner) }
}

/// Calls `inner` for an allocation that was counted already, and takes the count
/// back if `inner` refuses.
///
/// # Safety
///
/// As for `alloc_counted`.
#[inline(always)]
unsafe fn alloc_or_give_back<A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
) -> *mut u8 {
    // SAFETY: this function's contract.
    unsafe { assert_unchecked(is_usual(size, align)) };
    // SAFETY: this function's contract.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: this function's contract.
    let block = as_rust(|| unsafe { inner.get().alloc(layout) });
    if block.is_null() {
        return refused(size);
    }
    block
}

/// `dealloc` in all other cases.
///
/// # Safety
///
/// As `GlobalAlloc::dealloc` of `inner`.
#[cold]
#[inline(never)]
unsafe fn dealloc_in_full<A: GlobalAlloc, H: InnerRef<A>>(
    block: *mut u8,
    layout: Layout,
    inner: H,
) {
    let size = layout.size();
    backend::record_rare(inner.get(), Operation::Dealloc { size });
    // SAFETY: the caller's contract, which is the same.
    as_rust(|| unsafe { inner.get().dealloc(block, layout) });
}

/// Takes back the count of an allocation of `size` bytes that the inner allocator
/// refused, and returns null.
#[cold]
#[inline(never)]
fn refused(size: usize) -> *mut u8 {
    let counters = backend::counters();
    counters.give_back(size);
    counters.add_owned(Operation::Failed { size });
    ptr::null_mut()
}

/// Whether `System` passes such a layout to C's `malloc` on current platforms.
/// `System` tests the same condition. Where the compiler knows the answer, it
/// removes that test and the code for the other case.
#[inline(always)]
const fn is_usual(size: usize, align: usize) -> bool {
    align <= USUAL_ALIGN && align <= size
}

/// The alignment of every block of `malloc`.
const USUAL_ALIGN: usize = 16;

// SAFETY: every method passes its arguments to `inner`'s method of the same name
// and returns that method's result unchanged, so the contract that `A` keeps is
// kept here. Counting neither unwinds nor allocates through the global
// allocator (see `threads` and `shared`).
//
// Calls that may fail are counted after `inner` returned, with one exception: an
// `alloc` that is counted and makes no new peak is counted before, and taken back
// when `inner` refuses. So the counters need not be found again after the call of
// `inner`, nor kept in a register during it. A `dealloc` can't fail and is counted
// before as well.
//
// `alloc` and `dealloc` are written for few instructions. `cargo xtask pairs`
// counts them and enforces a limit.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAlloc<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match Sizeless::from_ref(&self.inner) {
            // SAFETY: the caller upholds `alloc`'s contract for this very layout.
            Some(inner) => unsafe { alloc(layout, inner) },
            // SAFETY: as above.
            None => unsafe { alloc(layout, &self.inner) },
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let size = layout.size();
        // SAFETY: the caller upholds `alloc_zeroed`'s contract for this layout.
        let block = as_rust(|| unsafe { self.inner.alloc_zeroed(layout) });
        tallied(block, Method::AllocZeroed, 0, size, &self.inner)
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match Sizeless::from_ref(&self.inner) {
            // SAFETY: the caller got `block` from this allocator with this layout,
            // and every block of this allocator comes from `inner`.
            Some(inner) => unsafe { dealloc(block, layout, inner) },
            // SAFETY: as above.
            None => unsafe { dealloc(block, layout, &self.inner) },
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let size = layout.size();
        // SAFETY: the caller got `block` from this allocator, and so from
        // `inner`, with this layout, and vouches for `new_size`.
        let moved = as_rust(|| unsafe { self.inner.realloc(block, layout, new_size) });
        tallied(moved, Method::Realloc, size, new_size, &self.inner)
    }
}
