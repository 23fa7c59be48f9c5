//! The allocator below the counter calls back into the global allocator or refuses, at
//! any one of a new thread's calls, including the call with which the counter allocates
//! the thread's counters. The counts have to be right afterwards.

use std::alloc::{Layout, alloc, dealloc};
use std::cell::Cell;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use counting_alloc::Tally;

use crate::bare_thread::counted_of_a_bare_thread;
use crate::watched::{Call, Method, Watch};
use crate::{one_block, one_block_is, thread_tally};

/// Acts on command at one of the calling thread's allocations.
pub(crate) struct Misbehaving;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Misbehavior {
    /// It allocates by the global allocator.
    CallsBack,
    Refuses,
}

thread_local! {
    /// The action, and after how many allocations it comes. It has no destructor.
    static NEXT: Cell<Option<(Misbehavior, u64)>> = const { Cell::new(None) };
}

/// The bytes that it allocates by the global allocator.
const OWN: usize = 48;

impl Watch for Misbehaving {
    fn refuses(call: Call) -> bool {
        if call.method == Method::Realloc {
            return false;
        }
        match NEXT.get() {
            None => false,
            Some((action, 0)) => {
                // The action is cleared first, since its own allocation comes here too.
                NEXT.set(None);
                if action == Misbehavior::CallsBack {
                    one_block(OWN);
                }
                action == Misbehavior::Refuses
            }
            Some((action, after)) => {
                NEXT.set(Some((action, after - 1)));
                false
            }
        }
    }
    fn saw(_: Call) {}
}

/// How many of three allocations of a new thread were granted, and whether the action
/// took place.
static GRANTED: AtomicU64 = AtomicU64::new(0);
static UNSPENT: AtomicU64 = AtomicU64::new(0);

/// Whether the thread had its own counters at the end.
static HAS_COUNTERS: AtomicBool = AtomicBool::new(false);

const SIZE: usize = 640;

/// Makes three allocations on a new thread, with the action after that many of its
/// calls. The thread does nothing else, and no earlier thread of this process has
/// released counters, so they have to be allocated.
fn three_allocations() {
    let action = *ORDERED.get().expect("it was set");
    let layout = Layout::new::<[u64; SIZE / 8]>();
    NEXT.set(Some(action));
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
    HAS_COUNTERS.store(thread_tally() != Tally::ZERO, Relaxed);
}

/// The action, and after how many calls it comes.
static ORDERED: OnceLock<(Misbehavior, u64)> = OnceLock::new();

/// The calls of a thread at which the action may come: three of the program, and one of
/// the first by the counter.
const CALLS: std::ops::Range<u64> = 0..3;

pub(crate) fn an_allocator_below_that_calls_back_is_counted_once_for_each_call() {
    for after in CALLS {
        assert_eq!(in_a_process_of_its_own(Misbehavior::CallsBack, after), 3);
    }
}

pub(crate) fn a_refusal_of_any_call_of_a_new_thread_loses_no_count() {
    let mut granted: Vec<u64> = CALLS
        .map(|after| in_a_process_of_its_own(Misbehavior::Refuses, after))
        .collect();
    granted.sort_unstable();
    // One of them was the counter's own call, and the program's three were granted.
    let expected = [2, 2, 3];
    assert_eq!(granted, expected);
}

/// The environment variable with the number of the call and the action.
pub(crate) const ACTION: &str = "COUNTING_ALLOC_CAPRICE";

/// Starts this program again, because a new thread of this process would acquire
/// counters that another thread released. Returns the number of granted allocations.
fn in_a_process_of_its_own(action: Misbehavior, after: u64) -> u64 {
    let output = own_process::command()
        .env(ACTION, format!("{action:?} {after}"))
        .output()
        .expect("this program starts once more");
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output
        .status
        .code()
        .and_then(|code| u64::try_from(code).ok());
    match code {
        Some(granted @ 0..=3) => granted,
        _ => panic!("{action:?} after {after}: {}, {said}", output.status),
    }
}

/// The `main` of that process, whose exit code is the number of granted allocations.
pub(crate) fn alone(variable: &str) -> ExitCode {
    let (action, after) = variable.split_once(' ').expect("two words");
    let after = after.parse().expect("a number");
    let action = match action {
        "CallsBack" => Misbehavior::CallsBack,
        "Refuses" => Misbehavior::Refuses,
        other => panic!("{other} is no action"),
    };
    ORDERED.get_or_init(|| (action, after));
    let counted = counted_of_a_bare_thread(three_allocations);
    assert_eq!(UNSPENT.load(Relaxed), 0, "it did not come to it");
    // A later request is granted again.
    assert!(HAS_COUNTERS.load(Relaxed), "the thread counts by itself");
    let granted = GRANTED.load(Relaxed);
    let expected = granted_blocks()
        + match action {
            Misbehavior::CallsBack => one_block_is(OWN as u64),
            Misbehavior::Refuses => Tally::ZERO.with_failed(3 - granted),
        };
    assert_eq!(counted, expected);
    ExitCode::from(u8::try_from(granted).expect("at most 3"))
}

fn granted_blocks() -> Tally {
    let size = SIZE as u64;
    (0..GRANTED.load(Relaxed)).fold(Tally::ZERO, |sum, _| sum + one_block_is(size))
}
