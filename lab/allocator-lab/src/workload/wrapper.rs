//! Counting wrappers: the time of a pair through [`CountingAlloc`], paused and counting,
//! and through the two atomics that projects write for themselves. They have no subject:
//! the allocator beneath is the system's.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::thread;
use std::time::Instant;

use alloc_scenario::counting_alloc::pause;
use alloc_scenario::{CountingAlloc, Suite, Unit};

use crate::axis::axis_values;
use crate::floor::Floor;
use crate::heap::{Heap, Memory};
use crate::plan::Plan;
use crate::registration::Workload;
use crate::report::Report;
use crate::subject::{Global, Subject};
use crate::workload::pair::{self, pairs};
use crate::workload::phases::nanoseconds;

/// The size of the blocks.
const SIZE: usize = 64;

/// Calls of 1,000 pairs that make a turn on one thread: about 0.3 ms of the system's allocator,
/// which is shorter than most disturbances of a machine. On more threads a turn is ten times as
/// long, so that a thread that wakes late or is interrupted for once makes little difference.
const CALLS: u64 = 40;

/// Calls before the timed ones.
const WARM_UP: usize = 4;

/// How many wrappers there are.
const WRAPPERS: usize = Wrapper::ALL.len();

axis_values! {
    /// A wrapper around the system's allocator.
    pub enum Wrapper {
        /// No wrapper and no allocator: the loop alone.
        Floor = "floor",
        /// Nothing.
        None = "none",
        /// [`CountingAlloc`], paused.
        CountingOff = "counting-off",
        /// [`CountingAlloc`], counting; no window is open.
        CountingOn = "counting-on",
        /// Two atomics that all threads share, one for calls and one for bytes.
        TwoAtomics = "two-atomics",
        /// Nothing; measured a second time.
        NoneAgain = "none-again",
    }
}

/// The result of a turn of a wrapper.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn {
    /// The requests.
    pub report: Report,
    /// Nanoseconds of 1,000 pairs: the mean of the turn.
    pub pairs_nanoseconds: u64,
}

/// Rounds in which the wrappers take turns, all in one process, so that a disturbance of
/// the machine affects all of them. A round has a turn of each, first to last, and the next
/// round last to first.
#[derive(Debug)]
pub struct Rounds {
    threads: usize,
    taken: Vec<[Turn; WRAPPERS]>,
    /// How many turns of each wrapper were read.
    read: [usize; WRAPPERS],
}

impl Rounds {
    /// Rounds on this many threads, none of them run yet.
    #[must_use]
    pub fn on(threads: usize) -> Self {
        Self {
            threads,
            taken: Vec::new(),
            read: [0; WRAPPERS],
        }
    }

    /// The wrapper's next turn. If there is none, all wrappers take their turns of a round
    /// now.
    ///
    /// A suite can't time them, since it times one scenario after the other. No counting
    /// window may be open here: a pause would invalidate it.
    pub fn next(&mut self, wrapper: Wrapper) -> Turn {
        let round = self.read[wrapper as usize];
        self.read[wrapper as usize] += 1;
        while self.taken.len() <= round {
            let mut order = Wrapper::ALL;
            if self.taken.len() % 2 == 1 {
                order.reverse();
            }
            self.taken.push(turns(order, self.threads));
        }
        self.taken[round][wrapper as usize]
    }
}

/// A turn of each wrapper in this order: [`CALLS`] times 1,000 pairs of 64 bytes on this
/// thread, or ten times as many while `threads - 1` others make pairs, too.
fn turns(order: [Wrapper; WRAPPERS], threads: usize) -> [Turn; WRAPPERS] {
    let calls = if threads == 1 { CALLS } else { 10 * CALLS };
    let leader = Leader::default();
    let mut turns = [Turn::default(); WRAPPERS];
    thread::scope(|scope| {
        let _end = EndOnDrop(&leader);
        for _ in 1..threads {
            scope.spawn(|| leader.follow(order));
        }
        let mut loops = order.map(Wrapper::pairs);
        for (nth, wrapper) in order.into_iter().enumerate() {
            // A pause is for all threads, so it begins before they do.
            let _paused = (wrapper == Wrapper::CountingOff).then(pause);
            leader.begin(nth, threads - 1);
            turns[wrapper as usize] = turn(&mut *loops[nth], calls);
        }
    });
    turns
}

fn turn(pairs: &mut dyn FnMut() -> Report, calls: u64) -> Turn {
    for _ in 0..WARM_UP {
        let _ = pairs();
    }
    let mut report = Report::default();
    let begin = Instant::now();
    for _ in 0..calls {
        report += pairs();
    }
    Turn {
        report,
        pairs_nanoseconds: nanoseconds(begin, Instant::now()) / calls,
    }
}

impl Wrapper {
    /// A function that makes 1,000 pairs through the wrapper.
    fn pairs(self) -> Box<dyn FnMut() -> Report> {
        static TWO_ATOMICS: Global<TwoAtomics> = Global(TwoAtomics::new());
        match self {
            Self::None | Self::NoneAgain => pairs_of(Global(System)),
            Self::Floor => pairs_of(Floor),
            Self::CountingOff | Self::CountingOn => pairs_of(Global(CountingAlloc::system())),
            Self::TwoAtomics => pairs_of(&TWO_ATOMICS),
        }
    }
}

fn pairs_of<S: Subject + 'static>(subject: S) -> Box<dyn FnMut() -> Report> {
    let mut heap = Heap::new(subject, pair::blocks(SIZE));
    Box::new(move || pairs(&mut heap, SIZE, Memory::Untouched))
}

/// The current turn, for the threads that make pairs beside the one that is timed.
#[derive(Debug, Default)]
struct Leader {
    /// How many turns have begun.
    begun: AtomicUsize,
    /// How many turns the followers have seen begin, in sum.
    seen: AtomicUsize,
    is_over: AtomicBool,
}

impl Leader {
    /// Begins the turn of this place in the order, and waits for this many followers.
    fn begin(&self, nth: usize, followers: usize) {
        self.begun.store(nth + 1, Release);
        while self.seen.load(Acquire) < (nth + 1) * followers && !self.is_over.load(Relaxed) {
            // The followers may need the core.
            thread::yield_now();
        }
    }

    /// Makes pairs through the wrapper whose turn it is, until the round is over.
    fn follow(&self, order: [Wrapper; WRAPPERS]) {
        let _end = EndOnDrop(self);
        let mut loops = order.map(Wrapper::pairs);
        let mut seen = 0;
        while !self.is_over.load(Relaxed) {
            let begun = self.begun.load(Acquire);
            if begun > seen {
                self.seen.fetch_add(begun - seen, AcqRel);
                seen = begun;
            }
            match begun.checked_sub(1) {
                Some(nth) => {
                    let _ = loops[nth]();
                }
                None => thread::yield_now(),
            }
        }
    }
}

/// Ends the round when it is dropped, so that nobody waits for a thread that panicked.
struct EndOnDrop<'l>(&'l Leader);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Relaxed);
    }
}

/// Two sums that all threads share, before the system's allocator.
#[derive(Debug)]
struct TwoAtomics {
    allocs: AtomicU64,
    bytes: AtomicU64,
}

impl TwoAtomics {
    const fn new() -> Self {
        Self {
            allocs: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }
}

// SAFETY: both methods hand their arguments to `System`'s and return what it returns.
unsafe impl GlobalAlloc for TwoAtomics {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.allocs.fetch_add(1, Relaxed);
        self.bytes.fetch_add(layout.size() as u64, Relaxed);
        // SAFETY: the caller's contract, passed on.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { System.dealloc(block, layout) }
    }
}

/// How the wrappers are measured.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    /// The wrappers take turns: whichever is measured first has all of them timed, round
    /// by round, before the windows of its iterations are opened, and the others read
    /// their turns of the same rounds. A wrapper that is selected alone takes turns with
    /// the others, too.
    fn measure_alone(&self, suite: &mut Suite<'static>) {
        let rounds = RefCell::new(BTreeMap::new());
        suite.scenario_with("wrapper", |b| {
            b.axis("wrapper", Wrapper::ALL)
                .axis("threads", [1_usize, 2])
                .elements(|_| pair::PAIRS)
                .warm_up(0)
                .iterations(Plan::SHORT.iterations / 3)
                .untimed()
                .note("see pairs-time, of turns that all wrappers take in one process")
                .input(move |&(wrapper, threads)| {
                    rounds
                        .borrow_mut()
                        .entry(threads)
                        .or_insert_with(|| Rounds::on(threads))
                        .next(wrapper)
                })
                .run(|turn| turn)
                .outcome(|turn| turn.report.outcome())
                .metric("pairs-time", Unit::Nanoseconds, |turn| {
                    turn.pairs_nanoseconds as i64
                })
        });
    }
}
