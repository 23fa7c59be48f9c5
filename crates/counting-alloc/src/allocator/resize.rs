//! `realloc` of [`CountingAlloc`](super::CountingAlloc).

use std::alloc::{GlobalAlloc, Layout};
use std::hint::assert_unchecked;
use std::ptr;

use super::{USUAL_ALIGN, tallied};
use crate::counters::{Counters, Flags};
use crate::inner_ref::InnerRef;
use crate::operation::Method;
use crate::threads;

/// `realloc`: selects the function for the mode that is in force. Where the alignment is a
/// constant, the compiler should inline it, as [`alloc`](super::alloc).
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
    if align > USUAL_ALIGN {
        // SAFETY: this function's contract.
        return unsafe { realloc_over_aligned(block, size, align, new_size, inner) };
    }
    'rare: {
        if align > new_size {
            break 'rare;
        }
        let counters = threads::counters();
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

/// `realloc` for an alignment above [`USUAL_ALIGN`]. It is inlined for the same reason as
/// [`alloc_over_aligned`](super::alloc_over_aligned).
///
/// # Safety
///
/// As `GlobalAlloc::realloc` of `inner`.
#[inline(always)]
unsafe fn realloc_over_aligned<A: GlobalAlloc, H: InnerRef<A>>(
    block: *mut u8,
    size: usize,
    align: usize,
    new_size: usize,
    inner: H,
) -> *mut u8 {
    let counters = threads::counters();
    if counters.flags() != Flags::NONE {
        // SAFETY: this function's contract.
        return unsafe { realloc_in_full(block, size, align, new_size, inner) };
    }
    counters.add_resize(size, new_size);
    // SAFETY: this function's contract.
    unsafe { realloc_after_count(block, size, align, new_size, inner) }
}

/// `realloc` that was counted already.
///
/// # Safety
///
/// As for `realloc_over_aligned`.
#[inline(never)]
unsafe fn realloc_after_count<A: GlobalAlloc, H: InnerRef<A>>(
    block: *mut u8,
    size: usize,
    align: usize,
    new_size: usize,
    inner: H,
) -> *mut u8 {
    // SAFETY: this function's contract.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: this function's contract.
    let moved = unsafe { inner.get().realloc(block, layout, new_size) };
    if moved.is_null() {
        return refused_to_resize(new_size.wrapping_sub(size) as isize);
    }
    moved
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
    unsafe { inner.get().realloc(block, layout, new_size) }
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
    let net = counters.add_resize(size, new_size);
    // SAFETY: this function's contract.
    let moved = unsafe { realloc_usual(block, size, align, new_size, inner) };
    if moved.is_null() {
        return refused_to_resize(net);
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
    if counters.would_peak(new_size.wrapping_sub(size) as isize) {
        // SAFETY: this function's contract.
        return unsafe { realloc_in_full(block, size, align, new_size, inner) };
    }
    let net = counters.add_resize(size, new_size);
    // SAFETY: this function's contract.
    let moved = unsafe { realloc_usual(block, size, align, new_size, inner) };
    if moved.is_null() {
        return refused_to_resize(net);
    }
    moved
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
    threads::before_resize(block);
    // SAFETY: the caller's contract, which is the same.
    let moved = unsafe { inner.get().realloc(block, layout, new_size) };
    tallied(moved, Method::Realloc, size, new_size, inner)
}

/// Takes back the count of a reallocation that the inner allocator refused, and returns
/// null.
#[cold]
#[inline(never)]
fn refused_to_resize(net: isize) -> *mut u8 {
    threads::counters().give_back_resize(net);
    ptr::null_mut()
}
