//! The contenders as the timed program calls them: each a static value, with its
//! copies of the loop, and with a reading of its own counter that shows that it
//! counts when it is called like this.

use std::alloc::System;

use alloc_tracker::{Allocator, Session};
use counting_alloc::{CountingAlloc, thread_tally};
use divan::AllocProfiler;
use stats_alloc::StatsAlloc;

use super::LIVE;
use super::shim::{COPIES, Counter, Slice, copies};
use crate::contender;
use crate::error::Error;
use crate::mode::{self, Mode};
use crate::wrappers::TwoAtomics;

/// Someone to be timed.
#[derive(Clone, Copy)]
pub(super) struct Racer {
    pub(super) name: &'static str,
    pub(super) mode: Mode,
    /// By the number of blocks at once, and by the copy of the code.
    pub(super) slices: [[Slice; COPIES]; LIVE.len()],
    /// It makes this fraction of the pairs, and so does its opponent.
    pub(super) divisor: u64,
    /// It takes part in each round of this number.
    pub(super) every: usize,
    counted: Counted,
}

/// What a counter says to have counted of what `work` does.
type Reading = fn(work: &mut dyn FnMut()) -> u64;

/// How many allocations a counter has after some were made.
#[derive(Clone, Copy)]
enum Counted {
    /// As many more as were made, by this reading.
    All(Reading),
    /// None of them, by this reading.
    None(Reading),
    /// It is not a counter, or it shows its counts to nobody.
    Unknown,
}

/// What all are compared with.
pub(super) const OPPONENT: Racer = racer::<Direct>("System", mode::PLAIN, Counted::Unknown);

/// All who are timed, in the order of the tables.
pub(super) const RACERS: [Racer; 10] = [
    racer::<DirectAgain>(super::SAME_AGAIN, mode::PLAIN, Counted::Unknown),
    ours(
        contender::COUNTING.name,
        mode::PLAIN,
        Counted::All(by_thread_tally),
    ),
    ours(
        contender::THREAD_PEAK.name,
        mode::THREAD_PEAK,
        Counted::All(by_thread_tally),
    ),
    ours(
        contender::OFF.name,
        mode::OFF,
        Counted::None(by_thread_tally),
    ),
    racer::<Divan>(contender::DIVAN.name, mode::PLAIN, Counted::Unknown),
    racer::<AllocTracker>(
        contender::ALLOC_TRACKER.name,
        mode::PLAIN,
        Counted::All(by_alloc_tracker),
    ),
    racer::<SharedAtomics>(
        contender::TWO_ATOMICS.name,
        mode::PLAIN,
        Counted::All(by_two_atomics),
    ),
    racer::<Stats>(
        contender::STATS_ALLOC.name,
        mode::PLAIN,
        Counted::All(by_stats_alloc),
    ),
    racer::<Dhat>(contender::DHAT_IDLE.name, mode::PLAIN, Counted::Unknown),
    Racer {
        divisor: 64,
        every: 5,
        ..racer::<Dhat>(
            contender::DHAT_PROFILING.name,
            mode::DHAT_PROFILING,
            Counted::All(by_dhat),
        )
    },
];

impl Racer {
    /// Makes some pairs in the mode, and compares their number with what was
    /// counted, where that can be read.
    pub(super) fn check(&self) -> Result<(), Error> {
        const MADE: u64 = 1_000;
        let (read, expected): (Reading, u64) = match self.counted {
            Counted::All(read) => (read, MADE),
            Counted::None(read) => (read, 0),
            Counted::Unknown => return Ok(()),
        };
        let slice = self.slices[0][0];
        // What a counter does at its first call, such as taking up memory.
        slice(1);
        let mut counted = 0;
        self.mode.run(&mut || {
            counted = read(&mut || {
                slice(MADE);
            });
        });
        if counted == expected {
            return Ok(());
        }
        Err(Error::Miscounted {
            contender: self.name,
            expected,
            counted,
        })
    }
}

const fn racer<C: Counter>(name: &'static str, mode: Mode, counted: Counted) -> Racer {
    Racer {
        name,
        mode,
        slices: [copies::<C, { LIVE[0] }>(), copies::<C, { LIVE[1] }>()],
        divisor: 1,
        every: 1,
        counted,
    }
}

const fn ours(name: &'static str, mode: Mode, counted: Counted) -> Racer {
    racer::<Ours>(name, mode, counted)
}

macro_rules! counter {
    ($name:ident, $type:ty = $value:expr) => {
        struct $name;

        impl $name {
            fn value() -> &'static $type {
                static VALUE: $type = $value;
                &VALUE
            }
        }

        impl Counter for $name {
            type Allocator = $type;

            #[inline(always)]
            fn allocator() -> &'static $type {
                Self::value()
            }
        }
    };
}

counter!(Direct, System = System);
counter!(DirectAgain, System = System);
counter!(Ours, CountingAlloc = CountingAlloc::system());
counter!(Divan, AllocProfiler = AllocProfiler::system());
counter!(AllocTracker, Allocator<System> = Allocator::system());
counter!(SharedAtomics, TwoAtomics = TwoAtomics::new());
counter!(Stats, StatsAlloc<System> = StatsAlloc::system());
counter!(Dhat, dhat::Alloc = dhat::Alloc);

fn by_thread_tally(work: &mut dyn FnMut()) -> u64 {
    let before = thread_tally().allocs;
    work();
    thread_tally().allocs - before
}

fn by_two_atomics(work: &mut dyn FnMut()) -> u64 {
    let before = SharedAtomics::value().allocs();
    work();
    SharedAtomics::value().allocs() - before
}

fn by_stats_alloc(work: &mut dyn FnMut()) -> u64 {
    let before = Stats::value().stats().allocations;
    work();
    (Stats::value().stats().allocations - before) as u64
}

fn by_dhat(work: &mut dyn FnMut()) -> u64 {
    let before = dhat::HeapStats::get().total_blocks;
    work();
    dhat::HeapStats::get().total_blocks - before
}

fn by_alloc_tracker(work: &mut dyn FnMut()) -> u64 {
    let session = Session::new();
    let operation = session.operation("pairs");
    {
        let _span = operation.measure_thread();
        work();
    }
    let report = session.to_report();
    report
        .operations()
        .map(|(_, operation)| operation.total_allocations_count())
        .sum()
}
