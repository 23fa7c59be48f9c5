//! The contenders that are timed, and how each says what it counted.

use std::alloc::System;

use alloc_tracker::{Allocator, Session};
use counting_alloc::{CountingAlloc, thread_tally};
use divan::AllocProfiler;
use proof_peers::parts::{self, Asked, Refusals, Unasked};
use proof_peers::plain::Plain;
use proof_peers::times::{Counted, Counter, Field, Racer, SAME_AGAIN, SystemAt};
use proof_peers::{contender, mode};
use proof_shared::two_atomics::TwoAtomics;
use stats_alloc::StatsAlloc;

/// All of them.
pub(crate) const FIELD: Field = Field {
    opponent: OPPONENT,
    racers: RACERS,
};

/// What all are compared with.
const OPPONENT: Racer = Racer::new::<Direct>("System", mode::PLAIN, Counted::Unknown);

/// All who are timed, in the order of the tables.
const RACERS: &[Racer] = &[
    Racer::new::<DirectAgain>(SAME_AGAIN, mode::PLAIN, Counted::Unknown),
    Racer::new::<Forwarded>(contender::PLAIN.name, mode::PLAIN, Counted::Unknown),
    Racer::new::<Ours>(
        contender::COUNTING.name,
        mode::PLAIN,
        Counted::All(by_thread_tally),
    ),
    Racer::new::<Ours>(
        contender::THREAD_PEAK.name,
        mode::THREAD_PEAK,
        Counted::All(by_thread_tally),
    ),
    Racer::new::<Ours>(
        contender::OFF.name,
        mode::OFF,
        Counted::None(by_thread_tally),
    ),
    Racer::new::<Divan>(contender::DIVAN.name, mode::PLAIN, Counted::Unknown),
    Racer::new::<AllocTracker>(
        contender::ALLOC_TRACKER.name,
        mode::PLAIN,
        Counted::All(by_alloc_tracker),
    ),
    Racer::new::<SharedAtomics>(
        contender::TWO_ATOMICS.name,
        mode::PLAIN,
        Counted::All(by_two_atomics),
    ),
    Racer::new::<Stats>(
        contender::STATS_ALLOC.name,
        mode::PLAIN,
        Counted::All(by_stats_alloc),
    ),
    Racer::new::<Dhat>(contender::DHAT_IDLE.name, mode::PLAIN, Counted::Unknown),
    Racer::new::<Dhat>(
        contender::DHAT_PROFILING.name,
        mode::DHAT_PROFILING,
        Counted::All(by_dhat),
    )
    .seldom(64, 5),
    Racer::new::<RefusalsAlone>(
        "part: asks whether it was refused",
        mode::PLAIN,
        Counted::None(by_parts),
    )
    .part(),
    Racer::new::<TallyAlone>("part: tallies", mode::PLAIN, Counted::All(by_parts)).part(),
    Racer::new::<RefusalsAndTally>(
        "part: tallies and asks",
        mode::PLAIN,
        Counted::All(by_parts),
    )
    .part(),
];

/// A counter of which there is one value, over the system's allocator.
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
            type Allocator<const COPY: usize> = $type;

            #[inline(always)]
            fn allocator<const COPY: usize>() -> &'static $type {
                Self::value()
            }
        }
    };
}

/// A counter that keeps nothing in its value: one over the system's allocator of
/// each copy.
macro_rules! counter_over {
    ($name:ident, $type:ident) => {
        struct $name;

        impl Counter for $name {
            type Allocator<const COPY: usize> = $type<SystemAt<COPY>>;

            #[inline(always)]
            fn allocator<const COPY: usize>() -> &'static $type<SystemAt<COPY>> {
                const { &$type::new(SystemAt) }
            }
        }
    };
}

counter!(Direct, System = System);
counter!(DirectAgain, System = System);
counter!(Forwarded, Plain = Plain);
counter_over!(Ours, CountingAlloc);
counter_over!(Divan, AllocProfiler);
counter!(AllocTracker, Allocator<System> = Allocator::system());
counter!(SharedAtomics, TwoAtomics = TwoAtomics::new());
counter!(Stats, StatsAlloc<System> = StatsAlloc::system());
counter!(Dhat, dhat::Alloc = dhat::Alloc);
counter_over!(RefusalsAlone, Refusals);
counter_over!(TallyAlone, Unasked);
counter_over!(RefusalsAndTally, Asked);

fn by_thread_tally(work: &mut dyn FnMut()) -> u64 {
    let before = thread_tally().allocs;
    work();
    thread_tally().allocs - before
}

fn by_parts(work: &mut dyn FnMut()) -> u64 {
    let before = parts::allocs();
    work();
    parts::allocs() - before
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
