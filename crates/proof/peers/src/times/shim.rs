//! The timed loop. It calls a counter as a program calls its global allocator: through
//! a function that takes a size and an alignment, like `__rust_alloc`, and that is not
//! inlined into the loop.
//!
//! The position of code in the binary alone changes a time by some percent. So there
//! are several copies of the loop and of each counter's functions.

use std::alloc::{GlobalAlloc, Layout, System};
use std::arch::asm;
use std::hint::black_box;
use std::ptr;
use std::time::{Duration, Instant};

/// A global allocator that can be called directly.
pub trait TimedAllocator: 'static {
    /// The type of the allocator, over [`SystemAt`] if it can wrap another allocator.
    type Allocator<const COPY: usize>: GlobalAlloc;

    /// The value that this copy of the loop calls.
    fn allocator<const COPY: usize>() -> &'static Self::Allocator<COPY>;
}

/// The system's allocator for one copy of the loop. A counter over it has copies of
/// all its functions, even of those that are not inlined.
#[derive(Debug)]
pub struct SystemAt<const COPY: usize>;

/// Allocates and frees `pairs` blocks, and returns when.
pub(super) type Slice = fn(pairs: u64) -> Span;

/// The time in which a slice ran.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: Instant,
    pub(super) taken: Duration,
}

/// The number of copies of the code of each counter.
pub(super) const COPIES: usize = 8;

/// The copies of the loop with `LIVE` live blocks for the counter `C`.
pub(super) const fn copies<C: TimedAllocator, const LIVE: usize>() -> [Slice; COPIES] {
    [
        slice::<C, LIVE, 0>,
        slice::<C, LIVE, 1>,
        slice::<C, LIVE, 2>,
        slice::<C, LIVE, 3>,
        slice::<C, LIVE, 4>,
        slice::<C, LIVE, 5>,
        slice::<C, LIVE, 6>,
        slice::<C, LIVE, 7>,
    ]
}

#[inline(never)]
fn slice<C: TimedAllocator, const LIVE: usize, const COPY: usize>(pairs: u64) -> Span {
    let layout = black_box(Layout::new::<[u64; 8]>());
    let (size, align) = (layout.size(), layout.align());
    let mut blocks = [ptr::null_mut(); LIVE];
    let start = Instant::now();
    for _ in 0..pairs / LIVE as u64 {
        for place in &mut blocks {
            // SAFETY: the size and the alignment are those of a layout, and the
            // size is not zero.
            let block = unsafe { alloc::<C, COPY>(size, align) };
            assert!(!block.is_null(), "64 bytes were refused");
            *place = block;
        }
        for &block in black_box(&blocks) {
            // SAFETY: `block` is live, of this allocator and of this layout.
            unsafe { dealloc::<C, COPY>(block, size, align) };
        }
    }
    Span {
        start,
        taken: start.elapsed(),
    }
}

/// Calls the counter as `__rust_alloc` does.
///
/// # Safety
///
/// As for `GlobalAlloc::alloc`, with a size and an alignment that make a layout.
#[inline(never)]
unsafe fn alloc<C: TimedAllocator, const COPY: usize>(size: usize, align: usize) -> *mut u8 {
    keep_apart::<COPY>();
    // SAFETY: the caller vouches for the size and the alignment.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: the caller's contract, passed on.
    unsafe { C::allocator::<COPY>().alloc(layout) }
}

/// Calls the counter as `__rust_dealloc` does.
///
/// # Safety
///
/// As for `GlobalAlloc::dealloc`, with a size and an alignment that make a layout.
#[inline(never)]
unsafe fn dealloc<C: TimedAllocator, const COPY: usize>(block: *mut u8, size: usize, align: usize) {
    keep_apart::<COPY>();
    // SAFETY: the caller vouches for the size and the alignment.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: the caller's contract, passed on.
    unsafe { C::allocator::<COPY>().dealloc(block, layout) }
}

// SAFETY: both methods pass their arguments to those of `System` and return their
// results; the default methods, which the loop doesn't call, are built on them.
unsafe impl<const COPY: usize> GlobalAlloc for SystemAt<COPY> {
    #[inline(always)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        keep_apart::<COPY>();
        // SAFETY: the caller's contract, passed on.
        unsafe { System.alloc(layout) }
    }

    #[inline(always)]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        keep_apart::<COPY>();
        // SAFETY: the caller's contract, passed on.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Keeps the compiler from merging the copies into one function: each has another
/// comment in its assembly.
#[inline(always)]
fn keep_apart<const COPY: usize>() {
    // SAFETY: a comment does nothing.
    unsafe { asm!("/* copy {} */", const COPY, options(nomem, nostack, preserves_flags)) };
}
