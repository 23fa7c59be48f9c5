//! Counters that do a part of what any exact one has to do, and nothing else: to
//! look whether the inner allocator refused, and to tally for the thread. They show
//! how little time a counter can take. What ours does beside is not known here.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::ptr;

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
    allocs: Cell<u64>,
    alloc_bytes: Cell<u64>,
    deallocs: Cell<u64>,
    dealloc_bytes: Cell<u64>,
    refused: Cell<u64>,
}

thread_local! {
    static COUNTS: Counts = const {
        Counts {
            allocs: Cell::new(0),
            alloc_bytes: Cell::new(0),
            deallocs: Cell::new(0),
            dealloc_bytes: Cell::new(0),
            refused: Cell::new(0),
        }
    };
}

/// How many allocations the calling thread counted.
#[must_use]
pub fn allocs() -> u64 {
    COUNTS.with(|counts| counts.allocs.get())
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
fn add(counter: &Cell<u64>, n: usize) {
    counter.set(counter.get().wrapping_add(n as u64));
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
        counts.allocs.set(counts.allocs.get().wrapping_sub(1));
        let bytes = counts.alloc_bytes.get().wrapping_sub(size as u64);
        counts.alloc_bytes.set(bytes);
    });
    refused()
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
            let before = (allocs(), COUNTS.with(|counts| counts.refused.get()));
            let layout = Layout::new::<u64>();
            // SAFETY: the size is not zero.
            let block = unsafe { allocator.alloc(layout) };
            if !block.is_null() {
                // SAFETY: the block is live, of this allocator and layout.
                unsafe { allocator.dealloc(block, layout) };
            }
            let refused = COUNTS.with(|counts| counts.refused.get());
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
