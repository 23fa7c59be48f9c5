//! The workloads on several threads, and of the memory that a subject takes. Where a
//! subject can be shared, all threads use one; otherwise each has one of its own.

use alloc_scenario::{Definition, Unit};

use crate::entrant::{Entry, Need};
use crate::lab::Extent;
use crate::memory::Footprint;
use crate::shared::Shared;
use crate::subject::{Subject, Unavailable};
use crate::workload::concurrent::Sizes;
use crate::workload::overhead::Overhead;
use crate::workload::{burst, concurrent, overhead};

use super::{Blank, Often, outcome};

/// What stands beside figures of threads that share nothing.
const ONE_EACH: &str = "each thread has a subject of its own";

pub(super) fn concurrent<S: Subject + 'static>(
    b: Blank,
    entry: &Entry<S>,
    extent: Extent,
) -> Definition<'static> {
    let (threads, often) = match extent {
        Extent::Everything => (&concurrent::THREADS[..], Often::LONG),
        Extent::Checks => (&[4][..], Often::ONCE),
    };
    let b = b
        .axis("subject", [entry.name.clone()])
        .axis("threads", threads.iter().copied())
        .axis("sizes", Sizes::ALL)
        .elements(|_| concurrent::STEPS)
        .warmup(often.warmup)
        .iterations(often.iterations);
    if let Some(reason) = entry.hindrance(Need::Addresses) {
        return b.unavailable(reason);
    }
    let threads = |&(_, threads, _): &(String, usize, Sizes)| threads;
    let operation = if Shared::<S>::POSSIBLE {
        let open = entry.sharer(concurrent::BLOCKS);
        b.setup(move |&(_, _, sizes)| (open(), sizes))
            .run_on_threads(threads, |(heap, sizes)| concurrent::steps(heap, *sizes))
    } else {
        let open = entry.opener(concurrent::BLOCKS);
        b.note(ONE_EACH)
            .setup(move |&(_, _, sizes)| (open(), sizes))
            .run_on_threads(threads, |(heap, sizes)| concurrent::steps(heap, *sizes))
    };
    operation
        .outcome(outcome)
        .metric("requests", Unit::Count, |report| report.requests as i64)
        .into()
}

pub(super) fn burst<S: Subject + 'static>(b: Blank, entry: &Entry<S>) -> Definition<'static> {
    let b = b
        .axis("subject", [entry.name.clone()])
        .axis("threads", [burst::THREADS])
        .elements(|_| burst::BLOCKS)
        .warmup(Often::ARENA.warmup)
        .iterations(Often::ARENA.iterations);
    if let Some(reason) = entry.hindrance(Need::Memory) {
        return b.unavailable(reason);
    }
    let threads = |&(_, threads): &(String, usize)| threads;
    let operation = if Shared::<S>::POSSIBLE {
        let open = entry.sharer(burst::BLOCKS);
        b.setup(move |_| open())
            .run_on_threads(threads, burst::burst)
    } else {
        let open = entry.opener(burst::BLOCKS);
        b.note(ONE_EACH)
            .setup(move |_| open())
            .run_on_threads(threads, burst::burst)
    };
    operation
        .outcome(outcome)
        .metric("requests", Unit::Count, |report| report.requests as i64)
        .metric("successful", Unit::Count, |report| {
            report.successful() as i64
        })
        .into()
}

pub(super) fn overhead_global<S: Subject + 'static>(
    b: Blank,
    entry: &Entry<S>,
) -> Definition<'static> {
    let kept = entry.kept.unwrap_or_default();
    let open = entry.open;
    overhead(b, entry, "process", move || {
        overhead::global(open).map(|mut overhead| {
            // Each process has opened the subject before, to see whether it is there.
            overhead.grown += kept;
            overhead
        })
    })
}

pub(super) fn overhead_per_thread<S: Subject + 'static>(
    b: Blank,
    entry: &Entry<S>,
) -> Definition<'static> {
    if Shared::<S>::POSSIBLE {
        let open = entry.sharer(overhead::BLOCKS);
        overhead(b, entry, "thread", move || {
            // What they share is the process's part: it is there before they are.
            let mut first = open();
            overhead::warm(&mut first);
            overhead::per_thread(&open)
        })
    } else {
        let open = entry.opener(overhead::BLOCKS);
        overhead(b.note(ONE_EACH), entry, "thread", move || {
            overhead::per_thread(&open)
        })
    }
}

/// It is measured once in a process, in the set-up; the iteration says what that was.
fn overhead<S: Subject + 'static>(
    b: Blank,
    entry: &Entry<S>,
    of: &'static str,
    measure: impl Fn() -> Result<Overhead, Unavailable> + 'static,
) -> Definition<'static> {
    let b = b
        .axis("subject", [entry.name.clone()])
        .axis("of", [of])
        .warmup(Often::ONCE.warmup)
        .iterations(Often::ONCE.iterations);
    let missing = entry
        .hindrance(Need::Addresses)
        .or_else(|| Footprint::now().err().map(|Unavailable(reason)| reason));
    if let Some(reason) = missing {
        return b.unavailable(reason);
    }
    b.setup(move |_| match measure() {
        Ok(overhead) => overhead,
        Err(missing) => panic!("it was there a moment ago, but now: {missing}"),
    })
    .run(|overhead| *overhead)
    .outcome(|overhead| outcome(&overhead.report))
    .metric("resident-growth", Unit::Bytes, |overhead| {
        overhead.grown.resident
    })
    .metric("mapped-growth", Unit::Bytes, |overhead| {
        overhead.grown.mapped
    })
    .into()
}
