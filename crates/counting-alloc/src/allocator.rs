//! [`CountingAlloc`]: forwards each call to the inner allocator and counts the
//! calls that succeed.

mod resize;

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;

use crate::counters::{Counters, Flags};
use crate::first::Place;
use crate::inner_ref::{InnerRef, Sizeless};
use crate::operation::{Method, Operation};
use crate::threads;

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
#[derive(Debug, Default)]
pub struct CountingAlloc<A = System> {
    inner: A,
}

impl CountingAlloc {
    /// Counts over the system's allocator.
    ///
    /// ```
    /// # use counting_alloc::CountingAlloc;
    /// #[global_allocator]
    /// static ALLOC: CountingAlloc = CountingAlloc::system();
    /// # fn main() {}
    /// ```
    #[must_use]
    pub const fn system() -> Self {
        Self::new(System)
    }
}

impl<A> CountingAlloc<A> {
    /// Counts over `inner`.
    ///
    /// ```
    /// # use counting_alloc::CountingAlloc;
    /// use std::alloc::System;
    ///
    /// #[global_allocator]
    /// static ALLOC: CountingAlloc<System> = CountingAlloc::new(System);
    /// # fn main() {}
    /// ```
    #[must_use]
    pub const fn new(inner: A) -> Self {
        Self { inner }
    }
}

/// The method of the inner allocator that the functions for `alloc` and `alloc_zeroed`,
/// which are the same otherwise, call.
trait Request {
    const METHOD: Method;

    /// A call that was served.
    fn operation(size: usize) -> Operation;

    /// # Safety
    ///
    /// As the method of `inner`.
    unsafe fn call<A: GlobalAlloc>(inner: &A, layout: Layout) -> *mut u8;
}

struct Plain;

impl Request for Plain {
    const METHOD: Method = Method::Alloc;

    #[inline(always)]
    fn operation(size: usize) -> Operation {
        Operation::Alloc { size }
    }

    #[inline(always)]
    unsafe fn call<A: GlobalAlloc>(inner: &A, layout: Layout) -> *mut u8 {
        // SAFETY: this function's contract.
        unsafe { inner.alloc(layout) }
    }
}

struct Zeroed;

impl Request for Zeroed {
    const METHOD: Method = Method::AllocZeroed;

    #[inline(always)]
    fn operation(size: usize) -> Operation {
        Operation::AllocZeroed { size }
    }

    #[inline(always)]
    unsafe fn call<A: GlobalAlloc>(inner: &A, layout: Layout) -> *mut u8 {
        // SAFETY: this function's contract.
        unsafe { inner.alloc_zeroed(layout) }
    }
}

/// `alloc` and `alloc_zeroed`.
///
/// In the crate of the global allocator the compiler may inline this function. Where the
/// alignment is a constant, as in `Box` and `Vec`, it should: the code for larger alignments
/// is removed, and the cost of the rest is below the compiler's limit, since all rare cases
/// end in one call. Where the alignment is a variable, it must not: inside of std such a
/// function becomes too large for its own callers. So the code for larger alignments is
/// inlined too, which makes the whole cost more than the limit. design/performance.md has
/// the numbers.
///
/// The layout is tested in two branches, which take two instructions less than one.
///
/// # Safety
///
/// As the method of `inner` that `R` calls.
#[inline(always)]
unsafe fn alloc<R: Request, A: GlobalAlloc, H: InnerRef<A>>(layout: Layout, inner: H) -> *mut u8 {
    let (size, mut align) = (layout.size(), layout.align());
    if align > USUAL_ALIGN {
        // SAFETY: this function's contract.
        return unsafe { alloc_over_aligned::<R, A, H>(size, align, inner) };
    }
    let mut counters = threads::counters();
    'rare: {
        if align > size {
            break 'rare;
        }
        let flags = counters.flags();
        if flags >= Flags::PEAK {
            if flags.are_off(Flags::PEAK) {
                // SAFETY: this function's contract.
                return unsafe { R::call(inner.get(), layout) };
            }
            if flags != Flags::PEAK || counters.would_peak(size as isize) {
                break 'rare;
            }
        }
        counters.add_owned(Operation::Alloc { size });
        // SAFETY: this function's contract.
        let block = unsafe { R::call(inner.get(), layout) };
        if !block.is_null() {
            return block;
        }
        // Neither is kept in a register during the call.
        (align, counters) = (REFUSED, threads::unowned());
    }
    // SAFETY: this function's contract.
    unsafe { alloc_rarely::<R, A, H>(size, align, inner, counters) }
}

/// `alloc` for an alignment above [`USUAL_ALIGN`].
///
/// # Safety
///
/// As the method of `inner` that `R` calls, for a layout of `size` and `align`.
#[inline(always)]
unsafe fn alloc_over_aligned<R: Request, A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
) -> *mut u8 {
    let counters = threads::counters();
    if counters.flags() != Flags::NONE {
        // SAFETY: this function's contract.
        return unsafe { alloc_in_full::<R, A, H>(size, align, inner) };
    }
    counters.add_owned(Operation::Alloc { size });
    // SAFETY: this function's contract.
    unsafe { alloc_after_count::<R, A, H>(size, align, inner) }
}

/// `alloc` that was counted already.
///
/// # Safety
///
/// As for `alloc_over_aligned`.
#[inline(never)]
unsafe fn alloc_after_count<R: Request, A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
) -> *mut u8 {
    // SAFETY: this function's contract.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: this function's contract.
    let block = unsafe { R::call(inner.get(), layout) };
    if block.is_null() {
        return refused(size);
    }
    block
}

/// `dealloc`.
///
/// # Safety
///
/// As `GlobalAlloc::dealloc` of `inner`.
#[inline(always)]
unsafe fn dealloc<A: GlobalAlloc, H: InnerRef<A>>(block: *mut u8, layout: Layout, inner: H) {
    let (size, align) = (layout.size(), layout.align());
    let counters = threads::counters();
    let flags = counters.flags();
    if flags < Flags::ABOVE_PEAK {
        // The peak needs no update, since live bytes fall.
        counters.add_owned(Operation::Dealloc { size });
    } else if !flags.are_off(Flags::ABOVE_PEAK) {
        // SAFETY: this function's contract.
        return unsafe { dealloc_rarely(block, size, align, inner, counters) };
    }
    // SAFETY: this function's contract.
    unsafe { inner.get().dealloc(block, layout) };
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
    let counters = threads::counters();
    let flags = counters.flags();
    if flags.are_owners() {
        threads::record_owned(counters, flags, operation);
    } else if flags != Flags::OFF {
        threads::record_rare(inner.get(), operation, block);
    }
    block
}

/// `alloc` in all other cases, or after `inner` refused an allocation that was counted: then
/// `align` is [`REFUSED`]. Size and alignment have the order in which Rust's shim passes
/// them.
///
/// # Safety
///
/// As the method of `inner` that `R` calls, for a layout of `size` and `align`, which is not
/// above [`USUAL_ALIGN`]; or `align` is [`REFUSED`] and `counters` belong to no thread and don't record.
#[cold]
#[inline(never)]
unsafe fn alloc_rarely<R: Request, A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
    counters: &Counters,
) -> *mut u8 {
    'rare: {
        // (In this order the compiler does not join conditions, which takes more
        // instructions.)
        if counters.would_peak(size as isize) || align > size {
            break 'rare;
        }
        // A window of `measure` that still records.
        if counters.flags() != Flags::RECORDING {
            break 'rare;
        }
        let Some(place) = counters.free_place() else {
            break 'rare;
        };
        let operation = R::operation(size);
        counters.add_owned(operation);
        // SAFETY: these are the thread's counters.
        unsafe { counters.record_at(place, operation) };
        // SAFETY: this function's contract.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: this function's contract.
        let block = unsafe { R::call(inner.get(), layout) };
        if block.is_null() {
            // SAFETY: the window is still open, so its buffer is alive.
            return refused_and_recorded(unsafe { &*place });
        }
        return block;
    }
    // SAFETY: this function's contract.
    unsafe { alloc_in_full::<R, A, H>(size, align, inner) }
}

/// `alloc_rarely` without recording.
///
/// # Safety
///
/// As the method of `inner` that `R` calls, for a layout of `size` and `align`; or `align` is
/// [`REFUSED`].
#[inline(never)]
unsafe fn alloc_in_full<R: Request, A: GlobalAlloc, H: InnerRef<A>>(
    size: usize,
    align: usize,
    inner: H,
) -> *mut u8 {
    if align == REFUSED {
        return refused(size);
    }
    // SAFETY: this function's contract.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: this function's contract.
    let block = unsafe { R::call(inner.get(), layout) };
    tallied(block, R::METHOD, 0, size, inner)
}

/// `dealloc` in a window of `measure` that still records, and in all other cases.
///
/// # Safety
///
/// As `GlobalAlloc::dealloc` of `inner`, for a layout of `size` and `align`.
#[cold]
#[inline(never)]
unsafe fn dealloc_rarely<A: GlobalAlloc, H: InnerRef<A>>(
    block: *mut u8,
    size: usize,
    align: usize,
    inner: H,
    counters: &Counters,
) {
    'rare: {
        if counters.flags() != Flags::RECORDING {
            break 'rare;
        }
        let Some(place) = counters.free_place() else {
            break 'rare;
        };
        let operation = Operation::Dealloc { size };
        counters.add_owned(operation);
        // SAFETY: these are the thread's counters.
        unsafe { counters.record_at(place, operation) };
        // SAFETY: this function's contract.
        let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
        // SAFETY: the caller's contract, which is the same.
        return unsafe { inner.get().dealloc(block, layout) };
    }
    // SAFETY: the caller's contract, which is the same.
    unsafe { dealloc_in_full(block, size, align, inner, counters) }
}

/// `dealloc` in all other cases.
///
/// # Safety
///
/// As for `dealloc_rarely`.
#[cold]
#[inline(never)]
unsafe fn dealloc_in_full<A: GlobalAlloc, H: InnerRef<A>>(
    block: *mut u8,
    size: usize,
    align: usize,
    inner: H,
    counters: &Counters,
) {
    let operation = Operation::Dealloc { size };
    let flags = counters.flags();
    if flags.are_owners() {
        threads::record_owned(counters, flags, operation);
    } else {
        threads::record_rare(inner.get(), operation, block);
    }
    // SAFETY: this function's contract.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: the caller's contract, which is the same.
    unsafe { inner.get().dealloc(block, layout) };
}

/// Replaces the record of an allocation that the inner allocator refused, takes back its
/// count, and returns null.
#[cold]
#[inline(never)]
fn refused_and_recorded(place: &Place) -> *mut u8 {
    let size = place.get().net_bytes() as usize;
    place.set(Operation::Failed { size });
    refused(size)
}

/// Takes back the count of an allocation of `size` bytes that the inner allocator
/// refused, and returns null.
#[cold]
#[inline(never)]
fn refused(size: usize) -> *mut u8 {
    let counters = threads::counters();
    counters.give_back(size);
    counters.add_owned(Operation::Failed { size });
    ptr::null_mut()
}

/// Stands for the alignment of an allocation that was refused. No alignment is zero.
const REFUSED: usize = 0;

/// The alignment of every block of `malloc`. `System` passes a layout that is aligned to
/// this and to its size at most to `malloc`, and tests the same condition: where the
/// compiler knows the answer, it removes that test and the code for the other case.
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
            Some(inner) => unsafe { resize::realloc(block, layout, new_size, inner) },
            // SAFETY: as above.
            None => unsafe { resize::realloc(block, layout, new_size, &self.inner) },
        }
    }
}
