//! Partial counters, which do a part of the work of any exact counter: check whether
//! the inner allocator refused, or tally for the thread, or both. They show the least
//! time that a counter can take.

use std::alloc::{GlobalAlloc, Layout};
use std::ptr;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Tallies calls and bytes per thread if `TALLIES`, and checks whether an allocation was
/// refused if `CHECKS`. It tallies before it calls the inner allocator, and takes back a
/// refused allocation if it checks.
#[derive(Debug)]
pub struct Partial<A, const TALLIES: bool, const CHECKS: bool>(A);

/// Only checks.
pub type Checks<A> = Partial<A, false, true>;

/// Only tallies.
pub type Tallies<A> = Partial<A, true, false>;

/// Tallies and checks.
pub type TalliesAndChecks<A> = Partial<A, true, true>;

/// The counts of a thread, on a cache line of their own.
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

/// The allocations that the calling thread counted.
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
    // Only the thread itself writes. The atomics keep the compiler from vectorizing two
    // additions, which would take longer.
    counter.store(counter.load(Relaxed).wrapping_add(n as u64), Relaxed);
}

/// Counts a refusal, and returns null.
#[cold]
#[inline(never)]
fn refused() -> *mut u8 {
    COUNTS.with(|counts| add(&counts.refused, 1));
    ptr::null_mut()
}

/// Takes back a counted allocation that was refused, and returns null.
#[cold]
#[inline(never)]
fn take_back(size: usize) -> *mut u8 {
    COUNTS.with(|counts| {
        counts.allocs.fetch_sub(1, Relaxed);
        counts.alloc_bytes.fetch_sub(size as u64, Relaxed);
    });
    refused()
}

/// Whether C's `malloc` serves this layout. The system's allocator makes the same
/// check; after this one the compiler removes it, and the usual call needs no stack
/// space for the others.
#[inline(always)]
const fn is_usual(layout: Layout) -> bool {
    layout.align() <= 16 && layout.align() <= layout.size()
}

/// The call for all other layouts, which the timed loop never makes. It counts
/// nothing.
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

impl<A, const TALLIES: bool, const CHECKS: bool> Partial<A, TALLIES, CHECKS> {
    /// A counter over `inner`.
    #[must_use]
    pub const fn new(inner: A) -> Self {
        Self(inner)
    }
}

// SAFETY: both methods pass their arguments to those of the inner allocator and return
// their results; counting neither unwinds nor allocates.
unsafe impl<A: GlobalAlloc, const TALLIES: bool, const CHECKS: bool> GlobalAlloc
    for Partial<A, TALLIES, CHECKS>
{
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_usual(layout) {
            // SAFETY: the caller's contract, passed on.
            return unsafe { unusual(&self.0, layout) };
        }
        if TALLIES {
            count_alloc(layout.size());
        }
        // SAFETY: the caller's contract, passed on.
        let block = unsafe { self.0.alloc(layout) };
        match (CHECKS && block.is_null(), TALLIES) {
            (false, _) => block,
            (true, false) => refused(),
            (true, true) => take_back(layout.size()),
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if TALLIES {
            count_dealloc(layout.size());
        }
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.dealloc(block, layout) }
    }
}

#[cfg(test)]
mod tests {
    use std::alloc::System;

    use super::*;

    /// Refuses all requests.
    struct Refuses;

    // SAFETY: it returns no blocks.
    unsafe impl GlobalAlloc for Refuses {
        unsafe fn alloc(&self, _: Layout) -> *mut u8 {
            ptr::null_mut()
        }

        unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
    }

    #[test]
    fn each_partial_counter_does_its_part_only() {
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
        assert_eq!(grown(&Checks::new(System)), (0, 0));
        assert_eq!(grown(&Checks::new(Refuses)), (0, 1));
        assert_eq!(grown(&Tallies::new(System)), (1, 0));
        assert_eq!(grown(&Tallies::new(Refuses)), (1, 0));
        assert_eq!(grown(&TalliesAndChecks::new(System)), (1, 0));
        assert_eq!(grown(&TalliesAndChecks::new(Refuses)), (0, 1));
    }
}
