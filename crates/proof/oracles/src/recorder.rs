//! [`Recorder`]: a global allocator that records the requested sizes by method and
//! outcome. It is the simplest counter to compare with, and a slow one.
#![expect(
    unsafe_code,
    reason = "implementing GlobalAlloc is unsafe; every operation carries its argument"
)]

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;

use crate::values::Values;

/// Forwards to `A` and records.
///
/// Its methods are never inlined and do some work after the forwarded call, so each
/// is in the call stacks that valgrind keeps. These distinguish Rust's blocks from
/// C's.
#[derive(Debug)]
pub struct Recorder<A>(pub A);

/// The text by which a [`Recorder`]'s methods are found in a call stack.
pub const SYMBOL: &str = "Recorder";

/// The calls of one kind.
struct Calls {
    name: &'static str,
    /// Their number, and the sums of their old and new sizes.
    sums: [AtomicU64; 3],
}

impl Calls {
    const fn new(name: &'static str) -> Self {
        Self {
            name,
            sums: [const { AtomicU64::new(0) }; 3],
        }
    }

    /// Adds a call that turned a block of `old` bytes into one of `new` bytes.
    fn add(&self, old: usize, new: usize) {
        for (sum, more) in self.sums.iter().zip([1, old, new]) {
            sum.fetch_add(more as u64, SeqCst);
        }
    }
}

static ALLOC: Calls = Calls::new("alloc");
static ALLOC_ZEROED: Calls = Calls::new("alloc_zeroed");
static DEALLOC: Calls = Calls::new("dealloc");
static REALLOC_LARGER: Calls = Calls::new("realloc_larger");
static REALLOC_SMALLER: Calls = Calls::new("realloc_smaller");
static REALLOC_EQUAL: Calls = Calls::new("realloc_equal");
static REFUSED_ALLOC: Calls = Calls::new("refused_alloc");
static REFUSED_REALLOC: Calls = Calls::new("refused_realloc");
/// The successful reallocations that the system's allocator makes of an allocation,
/// a copy and a deallocation, because C has no aligned `realloc`.
static REALLOC_BY_COPY: Calls = Calls::new("realloc_by_copy");

static KINDS: [&Calls; 9] = [
    &ALLOC,
    &ALLOC_ZEROED,
    &DEALLOC,
    &REALLOC_LARGER,
    &REALLOC_SMALLER,
    &REALLOC_EQUAL,
    &REFUSED_ALLOC,
    &REFUSED_REALLOC,
    &REALLOC_BY_COPY,
];

/// The numbers at one time. Reading them allocates nothing.
#[derive(Clone, Copy, Debug)]
pub struct Reading([[u64; 3]; KINDS.len()]);

/// The numbers so far.
#[must_use]
pub fn read() -> Reading {
    Reading(KINDS.map(|kind| kind.sums.each_ref().map(|sum| sum.load(SeqCst))))
}

impl Reading {
    /// The numbers between `earlier` and this reading. Each kind has three values:
    /// its calls (`KIND`), and their bytes (`KIND.old` and `KIND.new`).
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Values {
        let mut values = Values::default();
        for (at, kind) in KINDS.iter().enumerate() {
            let [number, old, new] =
                [0, 1, 2].map(|n| self.0[at][n].wrapping_sub(earlier.0[at][n]));
            let named = Values::new([("", number), (".old", old), (".new", new)]);
            values = values.and(named.prefixed(kind.name));
        }
        values
    }
}

/// Adds the allocation of a block to its kind, or to the refused ones.
fn add_block(block: *mut u8, kind: &Calls, layout: Layout) {
    let kind = if block.is_null() {
        &REFUSED_ALLOC
    } else {
        kind
    };
    kind.add(0, layout.size());
}

/// The alignment that C's `malloc` always provides, as std assumes on 64-bit targets.
const MALLOC_ALIGNMENT: usize = 16;

// SAFETY: every method passes its arguments to the inner method of the same name
// and returns its result; recording neither unwinds nor allocates.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Recorder<A> {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let block = unsafe { self.0.alloc(layout) };
        add_block(block, &ALLOC, layout);
        block
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let block = unsafe { self.0.alloc_zeroed(layout) };
        add_block(block, &ALLOC_ZEROED, layout);
        block
    }

    #[inline(never)]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.dealloc(block, layout) };
        DEALLOC.add(layout.size(), 0);
    }

    #[inline(never)]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let moved = unsafe { self.0.realloc(block, layout, new_size) };
        let kind = if moved.is_null() {
            &REFUSED_REALLOC
        } else if new_size > layout.size() {
            &REALLOC_LARGER
        } else if new_size < layout.size() {
            &REALLOC_SMALLER
        } else {
            &REALLOC_EQUAL
        };
        kind.add(layout.size(), new_size);
        if !moved.is_null() && (layout.align() > MALLOC_ALIGNMENT || layout.align() > new_size) {
            REALLOC_BY_COPY.add(layout.size(), new_size);
        }
        moved
    }
}
