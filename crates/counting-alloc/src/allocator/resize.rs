//! `realloc` of [`CountingAlloc`](super::CountingAlloc).

use core::alloc::{GlobalAlloc, Layout};
use core::hint::assert_unchecked;
use core::ptr;

use super::{USUAL_ALIGN, tallied};
use crate::backend;
use crate::counters::{Counters, Flags};
use crate::inner_ref::InnerRef;
use crate::native::platform::caller::as_rust;
use crate::operation::{Method, Operation};

/// `realloc`: selects the function for the mode that is in force.
///
/// # Safety
///
/// As `GlobalAlloc::realloc` of `inner`.
#[inline(always)]
pub(super) unsafe fn realloc<A: GlobalAlloc, H: InnerRef<A>>(
    block: *mut u8,
    layout: Layout,
    new_size: usize,
    inner: H,
) -> *mut u8 {
    let (size, align) = (layout.size(), layout.align());
    'rare: {
        if align > USUAL_ALIGN {
            break 'rare;
        }
        if align > new_size {
            break 'rare;
        }
        let counters = backend::counters();
        let flags = counters.flags();
        if flags < Flags::PEAK {
            // SAFETY: this function's contract, and the new layout is a usual one.
            return unsafe { realloc_counted(block, size, align, new_size, inner, counters) };
        }
        if flags.are_off(Flags::PEAK) {
            // SAFETY: as above.
            return unsafe { realloc_usual(block, size, align, new_size, inner) };
        }
        if flags == Flags::PEAK {
            // SAFETY: as above.
            return unsafe { realloc_below_peak(block, size, align, new_size, inner, counters) };
        }
    }
    // SAFETY: this function's contract.
    unsafe { realloc_in_full(block, size, align, new_size, inner) }
}

/// Calls `inner` for a new layout that is a usual one. Where the compiler knows that,
/// `System` does not test it.
///
/// # Safety
///
/// As `GlobalAlloc::realloc` of `inner`, where `new_size` and `align` are usual.
#[inline(always)]
unsafe fn realloc_usual<A: GlobalAlloc, H: InnerRef<A>>(
    block: *mut u8,
    size: usize,
    align: usize,
    new_size: usize,
    inner: H,
) -> *mut u8 {
    // SAFETY: this function's contract.
    unsafe { assert_unchecked(align <= USUAL_ALIGN && align <= new_size) };
    // SAFETY: this function's contract.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: this function's contract.
    as_rust(|| unsafe { inner.get().realloc(block, layout, new_size) })
}

/// `realloc`, counted.
///
/// # Safety
///
/// As for `realloc_usual`.
#[inline(never)]
unsafe fn realloc_counted<A: GlobalAlloc, H: InnerRef<A>>(
    block: *mut u8,
    size: usize,
    align: usize,
    new_size: usize,
    inner: H,
    counters: &Counters,
) -> *mut u8 {
    counters.add_owned(Operation::resize(size, new_size));
    // SAFETY: this function's contract.
    let moved = unsafe { realloc_usual(block, size, align, new_size, inner) };
    if moved.is_null() {
        return refused_to_resize(size, new_size);
    }
    moved
}

/// `realloc`, counted, in a window that keeps the thread's peak.
///
/// # Safety
///
/// As for `realloc_usual`.
#[inline(never)]
unsafe fn realloc_below_peak<A: GlobalAlloc, H: InnerRef<A>>(
    block: *mut u8,
    size: usize,
    align: usize,
    new_size: usize,
    inner: H,
    counters: &Counters,
) -> *mut u8 {
    if !counters.resized_below_peak(Operation::resize(size, new_size)) {
        // SAFETY: this function's contract.
        return unsafe { realloc_in_full(block, size, align, new_size, inner) };
    }
    // SAFETY: this function's contract.
    unsafe { realloc_counted(block, size, align, new_size, inner, counters) }
}

/// `realloc` in all other cases.
///
/// # Safety
///
/// As `GlobalAlloc::realloc` of `inner`.
#[cold]
#[inline(never)]
unsafe fn realloc_in_full<A: GlobalAlloc, H: InnerRef<A>>(
    block: *mut u8,
    size: usize,
    align: usize,
    new_size: usize,
    inner: H,
) -> *mut u8 {
    // SAFETY: this function's contract.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    backend::before_resize(block);
    // SAFETY: the caller's contract, which is the same.
    let moved = as_rust(|| unsafe { inner.get().realloc(block, layout, new_size) });
    tallied(moved, Method::Realloc, size, new_size, inner)
}

/// Takes back the count of a reallocation that the inner allocator refused, and returns
/// null.
#[cold]
#[inline(never)]
fn refused_to_resize(from: usize, to: usize) -> *mut u8 {
    let counters = backend::counters();
    counters.give_back_resize(Operation::resize(from, to));
    counters.add_owned(Operation::Failed { size: to });
    ptr::null_mut()
}
