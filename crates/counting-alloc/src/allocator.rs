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

/// The method of the inner allocator that the functions for `alloc` and `alloc_zeroed`,
/// which are the same otherwise, call.
trait Request {
    const METHOD: Method;

    /// # Safety
    ///
    /// As the method of `inner`.
    unsafe fn call<A: GlobalAlloc>(inner: &A, layout: Layout) -> *mut u8;
}

struct Plain;

impl Request for Plain {
    const METHOD: Method = Method::Alloc;

    #[inline(always)]
    unsafe fn call<A: GlobalAlloc>(inner: &A, layout: Layout) -> *mut u8 {
        // SAFETY: this function's contract.
        as_rust(|| unsafe { inner.alloc(layout) })
    }
}

struct Zeroed;

impl Request for Zeroed {
    const METHOD: Method = Method::AllocZeroed;

    #[inline(always)]
    unsafe fn call<A: GlobalAlloc>(inner: &A, layout: Layout) -> *mut u8 {
        // SAFETY: this function's contract.
        as_rust(|| unsafe { inner.alloc_zeroed(layout) })
    }
}

/// `alloc` and `alloc_zeroed`: selects the function for the mode that is in force.
///
/// # Safety
///
/// As the method of `inner` that `R` calls.
#[inline(always)]
unsafe fn alloc<R: Request, A: GlobalAlloc, H: InnerRef<A>>(layout: Layout, inner: H) -> *mut u8 {
    let (size, align) = (layout.size(), layout.align());
    // All rare cases end in one call: a larger function is not inlined into the code that
    // allocates, and `is_usual` is two branches, which take two instructions less than one.
    'rare: {
        if align > USUAL_ALIGN {
            break 'rare;
        }
        if align > size {
            break 'rare;
        }
        let counters = backend::counters();
        let flags = counters.flags();
        if flags < Flags::PEAK {
            // SAFETY: this function's contract, and the layout is a usual one.
            return unsafe { alloc_counted::<R, A, H>(size, align, inner, counters) };
        }
        if flags.are_off(Flags::PEAK) {
            // SAFETY: as above.
            return unsafe { R::call(inner.get(), layout) };
        }
        if flags == Flags::PEAK {
            // SAFETY: as above.
            return unsafe { alloc_below_peak::<R, A, H>(size, align, inner, counters) };
        }
    }
    // SAFETY: this function's contract.
    unsafe { alloc_rarely::<R, A, H>(size, align, inner) }
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

/// `realloc`: selects the function for the mode that is in force.
///
/// # Safety
///
/// As `GlobalAlloc::realloc` of `inner`.
#[inline(always)]
unsafe fn realloc<A: GlobalAlloc, H: InnerRef<A>>(
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

/// Calls `inner` for a new layout that is a usual one.
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
    unsafe { assert_unchecked(is_usual(new_size, align)) };
    // SAFETY: this function's contract.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: this function's contract.
    as_rust(|| unsafe { inner.get().realloc(block, layout, new_size) })
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
    if flags.are_owners() {
        backend::record_owned(counters, flags, operation);
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
unsafe fn alloc_counted<R: Request, A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
    counters: &Counters,
) -> *mut u8 {
    counters.add_owned(Operation::Alloc { size });
    // SAFETY: this function's contract.
    unsafe { alloc_or_give_back::<R, A, H>(size, align, inner) }
}

/// `alloc`, counted, in a window that keeps the thread's peak.
///
/// # Safety
///
/// As for `alloc_counted`.
#[inline(never)]
unsafe fn alloc_below_peak<R: Request, A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
    counters: &Counters,
) -> *mut u8 {
    if counters.would_peak(size) {
        // SAFETY: this function's contract.
        return unsafe { alloc_in_full::<R, A, H>(size, align, inner) };
    }
    counters.add_owned(Operation::Alloc { size });
    // SAFETY: this function's contract.
    unsafe { alloc_or_give_back::<R, A, H>(size, align, inner) }
}

/// `alloc` in all other cases.
///
/// # Safety
///
/// As `GlobalAlloc::alloc` of `inner`, for a layout of `size` and `align`.
#[inline(never)]
unsafe fn alloc_in_full<R: Request, A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
) -> *mut u8 {
    // SAFETY: this function's contract.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: the caller's contract, which is the same.
    let block = unsafe { R::call(inner.get(), layout) };
    let counters = backend::counters();
    let flags = counters.flags();
    if flags.are_owners() && !block.is_null() {
        backend::record_owned(counters, flags, R::METHOD.operation(0, size, block));
        return block;
    }
    tallied(block, R::METHOD, 0, size, inner)
}

/// `alloc` in all other cases, out of the way of the frequent ones.
///
/// # Safety
///
/// As for `alloc_in_full`.
#[cold]
#[inline(never)]
unsafe fn alloc_rarely<R: Request, A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
) -> *mut u8 {
    // SAFETY: this function's contract.
    unsafe { alloc_in_full::<R, A, H>(size, align, inner) }
}

/// Calls `inner` for an allocation that was counted already, and takes the count
/// back if `inner` refuses.
///
/// # Safety
///
/// As for `alloc_counted`.
#[inline(always)]
unsafe fn alloc_or_give_back<R: Request, A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
) -> *mut u8 {
    // SAFETY: this function's contract.
    unsafe { assert_unchecked(is_usual(size, align)) };
    // SAFETY: this function's contract.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: this function's contract.
    let block = unsafe { R::call(inner.get(), layout) };
    if block.is_null() {
        return refused(size);
    }
    block
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
    // SAFETY: the caller's contract, which is the same.
    let moved = as_rust(|| unsafe { inner.get().realloc(block, layout, new_size) });
    tallied(moved, Method::Realloc, size, new_size, inner)
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
    let operation = Operation::Dealloc {
        size: layout.size(),
    };
    let counters = backend::counters();
    let flags = counters.flags();
    if flags.are_owners() {
        backend::record_owned(counters, flags, operation);
    } else {
        backend::record_rare(inner.get(), operation);
    }
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
// Calls that may fail are counted after `inner` returned, with one exception: a request of
// usual size and alignment that makes no new peak is counted before, and taken back
// when `inner` refuses. So the counters need not be found again after the call of
// `inner`, nor kept in a register during it. A `dealloc` can't fail and is counted
// before as well.
//
// All methods are written for few instructions. `cargo xtask pairs`
// counts them and enforces a limit.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAlloc<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match Sizeless::from_ref(&self.inner) {
            // SAFETY: the caller upholds `alloc`'s contract for this very layout.
            Some(inner) => unsafe { alloc::<Plain, A, _>(layout, inner) },
            // SAFETY: as above.
            None => unsafe { alloc::<Plain, A, _>(layout, &self.inner) },
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match Sizeless::from_ref(&self.inner) {
            // SAFETY: the caller upholds `alloc_zeroed`'s contract for this very layout.
            Some(inner) => unsafe { alloc::<Zeroed, A, _>(layout, inner) },
            // SAFETY: as above.
            None => unsafe { alloc::<Zeroed, A, _>(layout, &self.inner) },
        }
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
        match Sizeless::from_ref(&self.inner) {
            // SAFETY: the caller got `block` from this allocator, and so from `inner`, with
            // this layout, and vouches for `new_size`.
            Some(inner) => unsafe { realloc(block, layout, new_size, inner) },
            // SAFETY: as above.
            None => unsafe { realloc(block, layout, new_size, &self.inner) },
        }
    }
}
