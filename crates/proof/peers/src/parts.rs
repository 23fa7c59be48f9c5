//! Counters that do a part of what any exact one has to do, and nothing else: to
//! look whether the inner allocator refused, and to tally for the thread. They show
//! how little time a counter can take. What ours does beside is not known here.

use std::alloc::{GlobalAlloc, Layout};
use std::ptr;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Looks whether an allocation was refused, and counts nothing else.
#[derive(Debug)]
pub struct Refusals<A>(A);

/// Counts calls and bytes per thread before it calls the inner allocator, and never
/// learns what became of them.
#[derive(Debug)]
pub struct Unasked<A>(A);

/// Both: counts before the call, and looks whether it was refused.
#[derive(Debug)]
pub struct Asked<A>(A);

/// What a thread counted, on a cache line of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Counts {
    allocs: AtomicU64,
    alloc_bytes: AtomicU64,
    deallocs: AtomicU64,
    dealloc_bytes: AtomicU64,
    refused: AtomicU64,
}

thread_local! {
    static COUNTS: Counts = const {
        Counts {
            allocs: AtomicU64::new(0),
            alloc_bytes: AtomicU64::new(0),
            deallocs: AtomicU64::new(0),
            dealloc_bytes: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        }
    };
}

/// How many allocations the calling thread counted.
#[must_use]
pub fn allocs() -> u64 {
    COUNTS.with(|counts| counts.allocs.load(Relaxed))
}

#[inline(always)]
fn count_alloc(size: usize) {
    COUNTS.with(|counts| {
        add(&counts.allocs, 1);
        add(&counts.alloc_bytes, size);
    });
}

#[inline(always)]
fn count_dealloc(size: usize) {
    COUNTS.with(|counts| {
        add(&counts.deallocs, 1);
        add(&counts.dealloc_bytes, size);
    });
}

#[inline(always)]
fn add(counter: &AtomicU64, n: usize) {
    // Only the thread itself writes. An atomic keeps the compiler from making one
    // vector of the two, which takes longer than two additions in memory.
    counter.store(counter.load(Relaxed).wrapping_add(n as u64), Relaxed);
}

/// Counts a refusal, and passes the null on.
#[cold]
#[inline(never)]
fn refused() -> *mut u8 {
    COUNTS.with(|counts| add(&counts.refused, 1));
    ptr::null_mut()
}

/// Takes back an allocation that was counted, and passes the null on.
#[cold]
#[inline(never)]
fn given_back(size: usize) -> *mut u8 {
    COUNTS.with(|counts| {
        counts.allocs.fetch_sub(1, Relaxed);
        counts.alloc_bytes.fetch_sub(size as u64, Relaxed);
    });
    refused()
}

/// Whether C's `malloc` serves it, which the system's allocator asks as well: asked
/// before, the question is not asked again, and the usual call needs no room on the
/// stack for the others.
#[inline(always)]
const fn is_usual(layout: Layout) -> bool {
    layout.align() <= 16 && layout.align() <= layout.size()
}

/// The call for all other layouts: nothing here makes one, and it counts nothing.
///
/// # Safety
///
/// As for `GlobalAlloc::alloc`.
#[cold]
#[inline(never)]
unsafe fn unusual<A: GlobalAlloc>(inner: &A, layout: Layout) -> *mut u8 {
    // SAFETY: the caller's contract, passed on.
    unsafe { inner.alloc(layout) }
}

macro_rules! constructor {
    ($name:ident) => {
        impl<A> $name<A> {
            /// Over `inner`.
            #[must_use]
            pub const fn new(inner: A) -> Self {
                Self(inner)
            }
        }
    };
}

constructor!(Refusals);
constructor!(Unasked);
constructor!(Asked);

// SAFETY: both methods hand their arguments to the inner allocator's and return what
// it returns; counting neither unwinds nor allocates. So do the next two.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Refusals<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_usual(layout) {
            // SAFETY: the caller's contract, passed on.
            return unsafe { unusual(&self.0, layout) };
        }
        // SAFETY: the caller's contract, passed on.
        let block = unsafe { self.0.alloc(layout) };
        if block.is_null() { refused() } else { block }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.dealloc(block, layout) }
    }
}

// SAFETY: see `Refusals`.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Unasked<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_usual(layout) {
            // SAFETY: the caller's contract, passed on.
            return unsafe { unusual(&self.0, layout) };
        }
        count_alloc(layout.size());
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count_dealloc(layout.size());
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.dealloc(block, layout) }
    }
}

// SAFETY: see `Refusals`.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Asked<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_usual(layout) {
            // SAFETY: the caller's contract, passed on.
            return unsafe { unusual(&self.0, layout) };
        }
        count_alloc(layout.size());
        // SAFETY: the caller's contract, passed on.
        let block = unsafe { self.0.alloc(layout) };
        if block.is_null() {
            given_back(layout.size())
        } else {
            block
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count_dealloc(layout.size());
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.dealloc(block, layout) }
    }
}

#[cfg(test)]
mod tests {
    use std::alloc::System;

    use super::*;

    /// Refuses everything.
    struct Refuses;

    // SAFETY: it hands out nothing.
    unsafe impl GlobalAlloc for Refuses {
        unsafe fn alloc(&self, _: Layout) -> *mut u8 {
            ptr::null_mut()
        }

        unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
    }

    #[test]
    fn each_part_does_its_part_and_no_more() {
        fn grown(allocator: &impl GlobalAlloc) -> (u64, u64) {
            let before = (allocs(), COUNTS.with(|counts| counts.refused.load(Relaxed)));
            let layout = Layout::new::<u64>();
            // SAFETY: the size is not zero.
            let block = unsafe { allocator.alloc(layout) };
            if !block.is_null() {
                // SAFETY: the block is live, of this allocator and layout.
                unsafe { allocator.dealloc(block, layout) };
            }
            let refused = COUNTS.with(|counts| counts.refused.load(Relaxed));
            (allocs() - before.0, refused - before.1)
        }
        assert_eq!(grown(&Refusals::new(System)), (0, 0));
        assert_eq!(grown(&Refusals::new(Refuses)), (0, 1));
        assert_eq!(grown(&Unasked::new(System)), (1, 0));
        assert_eq!(grown(&Unasked::new(Refuses)), (1, 0));
        assert_eq!(grown(&Asked::new(System)), (1, 0));
        assert_eq!(grown(&Asked::new(Refuses)), (0, 1));
    }
}
