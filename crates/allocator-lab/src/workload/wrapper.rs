//! The counting wrapper itself: what a pair costs through it, switched off, switched
//! on, and through the wrapper that projects write for themselves.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt;
use std::sync::Barrier;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;
use std::time::Instant;

use alloc_scenario::CountingAlloc;
use alloc_scenario::counting_alloc::pause;

use crate::floor::Floor;
use crate::heap::{Heap, Memory};
use crate::report::Report;
use crate::subject::{Global, Subject};

use super::pair::{self, pairs};
use super::phases::nanoseconds;

/// The size of the blocks.
const SIZE: usize = 64;

/// Calls that go before the timed ones.
const WARM_UP: usize = 20;

/// What stands before the system's allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wrapper {
    /// Nothing.
    None,
    /// [`CountingAlloc`], in a pause.
    CountingOff,
    /// [`CountingAlloc`], counting; no window is open.
    CountingOn,
    /// Two atomics that all threads share, one of calls and one of bytes.
    TwoAtomics,
    /// Nothing, measured a second time.
    NoneAgain,
    /// Nothing, and no allocator: the loop alone.
    Floor,
}

impl Wrapper {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Floor,
        Self::None,
        Self::CountingOff,
        Self::CountingOn,
        Self::TwoAtomics,
        Self::NoneAgain,
    ];
}

impl fmt::Display for Wrapper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::CountingOff => "counting-off",
            Self::CountingOn => "counting-on",
            Self::TwoAtomics => "two-atomics",
            Self::NoneAgain => "none-again",
            Self::Floor => "floor",
        })
    }
}

/// One round of pairs through a wrapper.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// What was requested.
    pub report: Report,
    /// Nanoseconds of the 1,000 pairs.
    pub pairs_nanoseconds: u64,
}

/// So many rounds of 1,000 pairs of 64 bytes on this thread, while as many threads as
/// make `threads` with it do the same.
///
/// They can't be timed by a suite: its windows count, and its timed pass does not.
/// No window may be open here, since a pause would spoil it.
#[must_use]
pub fn rounds(wrapper: Wrapper, threads: usize, rounds: usize) -> Vec<Round> {
    match wrapper {
        Wrapper::None | Wrapper::NoneAgain => beside(&Global(System), threads, rounds),
        Wrapper::Floor => beside(&Floor, threads, rounds),
        Wrapper::CountingOff => {
            let _paused = pause();
            beside(&Global(CountingAlloc::system()), threads, rounds)
        }
        Wrapper::CountingOn => beside(&Global(CountingAlloc::system()), threads, rounds),
        Wrapper::TwoAtomics => beside(&Global(TwoAtomics::default()), threads, rounds),
    }
}

fn beside<S: Subject + Sync>(subject: &S, threads: usize, rounds: usize) -> Vec<Round> {
    let done = AtomicBool::new(false);
    // The rounds take a millisecond or two: the other threads must be there first.
    let ready = Barrier::new(threads);
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| {
                let mut heap = heap(subject);
                ready.wait();
                while !done.load(Relaxed) {
                    let _ = pairs(&mut heap, SIZE, Memory::Untouched);
                }
            });
        }
        let mut heap = heap(subject);
        ready.wait();
        for _ in 0..WARM_UP {
            let _ = pairs(&mut heap, SIZE, Memory::Untouched);
        }
        let timed = (0..rounds).map(|_| {
            let begin = Instant::now();
            let report = pairs(&mut heap, SIZE, Memory::Untouched);
            Round {
                report,
                pairs_nanoseconds: nanoseconds(begin, Instant::now()),
            }
        });
        let timed = timed.collect();
        done.store(true, Relaxed);
        timed
    })
}

fn heap<S: Subject>(subject: &S) -> Heap<&S> {
    Heap::new(subject, pair::blocks(SIZE))
}

/// Two sums that all threads share, before the system's allocator.
#[derive(Debug, Default)]
struct TwoAtomics {
    allocs: AtomicU64,
    bytes: AtomicU64,
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
