//! The allocator below the counter, and what becomes of the counts when it
//! calls back into the global allocator or refuses, at whichever of a new
//! thread's calls: also at the one with which the counter makes room for that
//! thread's counters.

use std::alloc::{GlobalAlloc, Layout, alloc, dealloc};
use std::cell::Cell;
use std::env;
use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use counting_alloc::Tally;

use crate::bare_thread::counted_of_a_bare_thread;
use crate::inner::{INNER, Inner};
use crate::{one_block, one_block_is, own_tally};

/// Does what it is told at one of the calling thread's allocations.
pub(crate) struct Capricious(Inner);

impl Capricious {
    pub(crate) const fn new() -> Self {
        Self(INNER)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Caprice {
    /// It uses the global allocator for itself.
    CallsBack,
    Refuses,
}

thread_local! {
    /// What to do, and after how many allocations. Without a destructor.
    static NEXT: Cell<Option<(Caprice, u64)>> = const { Cell::new(None) };
}

/// Bytes that it allocates for itself.
const OWN: usize = 48;

impl Capricious {
    /// Whether this allocation is refused.
    fn refuses(&self) -> bool {
        match NEXT.get() {
            None => false,
            Some((caprice, 0)) => {
                // Before anything else: what it does itself comes here too.
                NEXT.set(None);
                if caprice == Caprice::CallsBack {
                    one_block(OWN);
                }
                caprice == Caprice::Refuses
            }
            Some((caprice, after)) => {
                NEXT.set(Some((caprice, after - 1)));
                false
            }
        }
    }
}

// SAFETY: every call goes to `Inner` with the same arguments, or returns null,
// which each method may. Calling the global allocator from here ends after one
// round, because that is done once.
unsafe impl GlobalAlloc for Capricious {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if self.refuses() {
            return ptr::null_mut();
        }
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if self.refuses() {
            return ptr::null_mut();
        }
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.realloc(block, layout, new_size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.dealloc(block, layout) };
    }
}

/// How many of three allocations of a new thread were granted, and whether the
/// caprice came to it.
static GRANTED: AtomicU64 = AtomicU64::new(0);
static UNSPENT: AtomicU64 = AtomicU64::new(0);

/// Whether the thread had counters of its own at the end.
static HAS_COUNTERS: AtomicBool = AtomicBool::new(false);

const SIZE: usize = 640;

/// Makes three allocations on a new thread, with the caprice after so many of
/// its calls. Nothing is on that thread but this, and in this process there was
/// no thread before that has left counters to it: room has to be made for them.
fn three_allocations() {
    let caprice = *ORDERED.get().expect("it was ordered");
    let layout = Layout::new::<[u64; SIZE / 8]>();
    NEXT.set(Some(caprice));
    for _ in 0..3 {
        // SAFETY: the size is not zero.
        let block = black_box(unsafe { alloc(layout) });
        if !block.is_null() {
            GRANTED.fetch_add(1, Relaxed);
            // SAFETY: `block` is live with this layout.
            unsafe { dealloc(block, layout) };
        }
    }
    UNSPENT.store(u64::from(NEXT.take().is_some()), Relaxed);
    HAS_COUNTERS.store(own_tally() != Tally::ZERO, Relaxed);
}

/// The caprice, and after how many calls.
static ORDERED: OnceLock<(Caprice, u64)> = OnceLock::new();

/// Which of a thread's calls it may come at: three are the program's, and one
/// of the first is the counter's.
const CALLS: std::ops::Range<u64> = 0..3;

pub(crate) fn an_allocator_below_that_calls_back_is_counted_once_for_each_call() {
    for after in CALLS {
        assert_eq!(in_a_process_of_its_own(Caprice::CallsBack, after), 3);
    }
}

pub(crate) fn a_refusal_of_any_call_of_a_new_thread_loses_no_count() {
    let mut granted: Vec<u64> = CALLS
        .map(|after| in_a_process_of_its_own(Caprice::Refuses, after))
        .collect();
    granted.sort_unstable();
    // One of them was the counter's own call, and the program got its three.
    // Without std, it makes no call of its own.
    let expected = if cfg!(feature = "std") {
        [2, 2, 3]
    } else {
        [2, 2, 2]
    };
    assert_eq!(granted, expected);
}

/// In which the variable holds the number of the call and the caprice.
pub(crate) const CAPRICE: &str = "COUNTING_ALLOC_CAPRICE";

/// Starts this program once more, because in this process a new thread would
/// find counters that another one left. Returns how many allocations were
/// granted.
fn in_a_process_of_its_own(caprice: Caprice, after: u64) -> u64 {
    let output = Command::new(env::current_exe().expect("this program has a path"))
        .env(CAPRICE, format!("{caprice:?} {after}"))
        .output()
        .expect("this program starts once more");
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output
        .status
        .code()
        .and_then(|code| u64::try_from(code).ok());
    match code {
        Some(granted @ 0..=3) => granted,
        _ => panic!("{caprice:?} after {after}: {}, {said}", output.status),
    }
}

/// The `main` of that process, which ends with the number that was granted.
pub(crate) fn alone(variable: &str) -> ExitCode {
    let (caprice, after) = variable.split_once(' ').expect("two words");
    let after = after.parse().expect("a number");
    let caprice = match caprice {
        "CallsBack" => Caprice::CallsBack,
        "Refuses" => Caprice::Refuses,
        other => panic!("{other} is no caprice"),
    };
    ORDERED.get_or_init(|| (caprice, after));
    let counted = counted_of_a_bare_thread(three_allocations);
    assert_eq!(UNSPENT.load(Relaxed), 0, "it did not come to it");
    // A refusal is not for good.
    assert!(HAS_COUNTERS.load(Relaxed), "the thread counts by itself");
    let granted = GRANTED.load(Relaxed);
    let expected = granted_blocks()
        + match caprice {
            Caprice::CallsBack => one_block_is(OWN as u64),
            Caprice::Refuses => Tally {
                failed: 3 - granted,
                ..Tally::ZERO
            },
        };
    assert_eq!(counted, expected);
    ExitCode::from(u8::try_from(granted).expect("at most 3"))
}

fn granted_blocks() -> Tally {
    let size = SIZE as u64;
    (0..GRANTED.load(Relaxed)).fold(Tally::ZERO, |sum, _| sum + one_block_is(size))
}
