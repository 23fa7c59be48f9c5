//! The candidates that are timed, with the reading of each one's count.

use std::alloc::System;

use alloc_tracker::{Allocator, Session};
use counting_alloc::{CountingAlloc, thread_tally};
use divan::AllocProfiler;
use proof_pairs::mode;
use proof_pairs::plain::Plain;
use proof_peers::counter;
use proof_peers::mode::DHAT_PROFILING;
use proof_peers::times::candidate::{Candidate, Candidates, Counted};
use proof_peers::times::shim::{SystemAt, TimedAllocator};
use proof_peers::times::table::BASELINE_AGAIN;
use proof_shared::two_atomics::TwoAtomics;
use stats_alloc::StatsAlloc;

/// All candidates.
pub(crate) const CANDIDATES: Candidates = Candidates {
    baseline: BASELINE,
    others: OTHERS,
};

/// The candidate that the others are compared with.
const BASELINE: Candidate = Candidate::new::<Direct>("System", mode::PLAIN, Counted::Unknown);

/// The others, in the order of the tables.
const OTHERS: &[Candidate] = &[
    Candidate::new::<DirectAgain>(BASELINE_AGAIN, mode::PLAIN, Counted::Unknown),
    Candidate::new::<Forwarded>(counter::PLAIN.name, mode::PLAIN, Counted::Unknown),
    Candidate::new::<Ours>(
        counter::COUNTING.name,
        mode::PLAIN,
        Counted::All(by_thread_tally),
    ),
    Candidate::new::<Ours>(
        counter::THREAD_PEAK.name,
        mode::THREAD_PEAK,
        Counted::All(by_thread_tally),
    ),
    Candidate::new::<Ours>(counter::OFF.name, mode::OFF, Counted::None(by_thread_tally)),
    Candidate::new::<Divan>(counter::DIVAN.name, mode::PLAIN, Counted::Unknown),
    Candidate::new::<AllocTracker>(
        counter::ALLOC_TRACKER.name,
        mode::PLAIN,
        Counted::All(by_alloc_tracker),
    ),
    Candidate::new::<SharedAtomics>(
        counter::TWO_ATOMICS.name,
        mode::PLAIN,
        Counted::All(by_two_atomics),
    ),
    Candidate::new::<Stats>(
        counter::STATS_ALLOC.name,
        mode::PLAIN,
        Counted::All(by_stats_alloc),
    ),
    Candidate::new::<Dhat>(counter::DHAT_IDLE.name, mode::PLAIN, Counted::Unknown),
    Candidate::new::<Dhat>(
        counter::DHAT_PROFILING.name,
        DHAT_PROFILING,
        Counted::All(by_dhat),
    )
    .slow(64, 5),
];

/// A counter over the system's allocator, with one value for all copies.
macro_rules! one_value {
    ($name:ident, $type:ty = $value:expr) => {
        struct $name;

        impl $name {
            fn value() -> &'static $type {
                static VALUE: $type = $value;
                &VALUE
            }
        }

        impl TimedAllocator for $name {
            type Allocator<const COPY: usize> = $type;

            #[inline(always)]
            fn allocator<const COPY: usize>() -> &'static $type {
                Self::value()
            }
        }
    };
}

/// A counter without state in its value, over the system's allocator of each copy.
macro_rules! value_per_copy {
    ($name:ident, $type:ident) => {
        struct $name;

        impl TimedAllocator for $name {
            type Allocator<const COPY: usize> = $type<SystemAt<COPY>>;

            #[inline(always)]
            fn allocator<const COPY: usize>() -> &'static $type<SystemAt<COPY>> {
                const { &$type::new(SystemAt) }
            }
        }
    };
}

one_value!(Direct, System = System);
one_value!(DirectAgain, System = System);
one_value!(Forwarded, Plain = Plain);
value_per_copy!(Ours, CountingAlloc);
value_per_copy!(Divan, AllocProfiler);
one_value!(AllocTracker, Allocator<System> = Allocator::system());
one_value!(SharedAtomics, TwoAtomics = TwoAtomics::new());
one_value!(Stats, StatsAlloc<System> = StatsAlloc::system());
one_value!(Dhat, dhat::Alloc = dhat::Alloc);

/// By how much a count grows while `work` runs.
fn grown(work: &mut dyn FnMut(), count: impl Fn() -> u64) -> u64 {
    let before = count();
    work();
    count() - before
}

fn by_thread_tally(work: &mut dyn FnMut()) -> u64 {
    grown(work, || thread_tally().allocs)
}

fn by_two_atomics(work: &mut dyn FnMut()) -> u64 {
    grown(work, || SharedAtomics::value().allocs())
}

fn by_stats_alloc(work: &mut dyn FnMut()) -> u64 {
    grown(work, || Stats::value().stats().allocations as u64)
}

fn by_dhat(work: &mut dyn FnMut()) -> u64 {
    grown(work, || dhat::HeapStats::get().total_blocks)
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
