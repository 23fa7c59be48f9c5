//! Times: each counter against the system's allocator, both called directly, in one
//! process, slice against slice.
//!
//! A time alone says nothing on a shared machine. A candidate's slice and one of the
//! baseline follow each other within a millisecond, in alternating order, and the
//! figure is the median of many such ratios. The baseline itself is among the
//! candidates, as the row [`BASELINE_AGAIN`](table::BASELINE_AGAIN): its distance from 1 is the smallest
//! difference that the method can detect.

mod barrier;
pub mod candidate;
mod ratios;
pub mod shim;
pub mod table;

use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use barrier::{Participant, SpinBarrier};
use candidate::{Candidate, Candidates};
use ratios::{Ratios, Sample};
use shim::{COPIES, Slice, Span};
use table::{LIVE, THREADS, TimeTable};

use crate::error::Error;
use proof_pairs::mode::Mode;

/// The runs of each copy of each candidate.
const ROUNDS: usize = 24;

/// The most repetitions of all rounds if other programs leave too few slices.
const ATTEMPTS: usize = 4;

/// The time of a slice of the baseline on an idle machine.
const SLICE: Duration = Duration::from_micros(300);

/// The pairs before each slice, which bring its code into the cache.
const WARM_UP: u64 = 64;

/// Checks that each candidate counts, and measures the times for each of [`LIVE`] and
/// [`THREADS`]. `progress` is called with a line before each measurement.
/// counting-alloc must be the global allocator, or its windows measure nothing.
///
/// # Errors
///
/// When a candidate doesn't count what it should, or a thread panics.
pub fn measure(
    candidates: Candidates,
    mut progress: impl FnMut(&str) -> Result<(), Error>,
) -> Result<Vec<TimeTable>, Error> {
    check(candidates)?;
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let mut tables = Vec::new();
    for (workload, live) in LIVE.into_iter().enumerate() {
        let pairs = pairs_per_slice(&candidates.baseline, workload);
        let mut columns = Vec::new();
        for threads in THREADS {
            progress(&format!("times: {live} live blocks, {threads} threads"))?;
            let mut ratios = Ratios::new(candidates.others);
            for _ in 0..ATTEMPTS {
                ratios.add(&samples(candidates, threads, workload, pairs)?, cores);
                if ratios.column(threads, threads > cores).is_ok() {
                    break;
                }
            }
            progress(&format!(
                "  {:.0} % of the slices ran at once",
                ratios.concurrent_percent()
            ))?;
            columns.push(ratios.column(threads, threads > cores)?);
        }
        tables.push(TimeTable { live, columns });
    }
    Ok(tables)
}

/// Checks that each candidate counts when it is called directly, on this thread and
/// on another.
///
/// # Errors
///
/// For the first candidate that doesn't.
pub fn check(candidates: Candidates) -> Result<(), Error> {
    let check = || candidates.others.iter().try_for_each(Candidate::check);
    check()?;
    thread::spawn(check).join().map_err(|_| Error::Thread)?
}

/// The pairs that the baseline makes in a slice, by the fastest of some trials.
fn pairs_per_slice(baseline: &Candidate, workload: usize) -> u64 {
    const TRIED: u64 = 9_600;
    let fastest = (0..50)
        .map(|nth| baseline.slices[workload][nth % COPIES](TRIED).taken)
        .min()
        .unwrap_or(SLICE);
    let pairs = SLICE.as_nanos() * u128::from(TRIED) / fastest.as_nanos().max(1);
    u64::try_from(pairs).unwrap_or(TRIED).max(TRIED)
}

/// Runs all candidates against the baseline on this many threads. Returns the samples
/// of each thread, all in the same order.
fn samples(
    candidates: Candidates,
    threads: usize,
    workload: usize,
    pairs: u64,
) -> Result<Vec<Vec<Sample>>, Error> {
    let barrier = SpinBarrier::new(threads);
    thread::scope(|scope| {
        let run = |nth| {
            let barrier = &barrier;
            scope.spawn(move || {
                let participant = barrier.participant();
                run_all(candidates, &participant, nth == 0, workload, pairs)
            })
        };
        let running: Vec<_> = (0..threads).map(run).collect();
        let ended: Vec<_> = running.into_iter().map(|thread| thread.join()).collect();
        ended
            .into_iter()
            .map(|samples| samples.map_err(|_| Error::Thread))
            .collect()
    })
}

/// The work of one thread. All threads do the same at once; one of them `leads`.
fn run_all(
    candidates: Candidates,
    participant: &Participant<'_>,
    leads: bool,
    workload: usize,
    pairs: u64,
) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(ROUNDS * COPIES * candidates.others.len());
    for round in 0..ROUNDS {
        for copy in 0..COPIES {
            for (nth, candidate) in candidates.others.iter().enumerate() {
                if round % candidate.every != 0 {
                    continue;
                }
                let pairs = pairs / candidate.divisor;
                let timed = |candidate: &Candidate| {
                    let slice = candidate.slices[workload][copy];
                    timed(candidate.mode, slice, pairs, participant, leads)
                };
                // The order alternates with the round, the copy and the candidate.
                let own_first = (round / candidate.every + copy + nth).is_multiple_of(2);
                let (own, baseline) = if own_first {
                    let own = timed(candidate);
                    (own, timed(&candidates.baseline))
                } else {
                    let baseline = timed(&candidates.baseline);
                    (timed(candidate), baseline)
                };
                samples.push(Sample {
                    candidate: nth,
                    copy,
                    pairs,
                    own,
                    baseline,
                });
            }
        }
    }
    samples
}

/// Runs one slice on all threads at once.
fn timed(mode: Mode, slice: Slice, pairs: u64, participant: &Participant<'_>, leads: bool) -> Span {
    let mut span = Span {
        start: Instant::now(),
        taken: Duration::ZERO,
    };
    let mut on_thread = || {
        (mode.thread)(&mut || {
            // The leading thread has entered the mode for the process.
            participant.wait();
            slice(WARM_UP);
            participant.wait();
            span = slice(pairs);
            participant.wait();
        });
    };
    if leads {
        (mode.process)(&mut on_thread);
    } else {
        on_thread();
    }
    // The leading thread has left the mode.
    participant.wait();
    span
}
