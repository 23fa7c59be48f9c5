//! [`Ratios`]: the samples of all threads, reduced to the figures of a column.

use std::time::Duration;

use proof_shared::statistics::{median, quantile};

use super::candidate::Candidate;
use super::shim::{COPIES, Span};
use super::table::{Column, Figure};
use crate::error::Error;

/// A candidate's slice and the baseline's, on one thread.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    pub(super) candidate: usize,
    pub(super) copy: usize,
    pub(super) pairs: u64,
    pub(super) own: Span,
    pub(super) baseline: Span,
}

/// The ratios of all candidates with one number of threads.
pub(super) struct Ratios {
    candidates: &'static [Candidate],
    /// For each candidate and copy of its code: its times, each divided by the
    /// baseline's.
    ratios: Vec<[Vec<f64>; COPIES]>,
    /// The times of a pair of the baseline, in nanoseconds.
    baseline: Vec<f64>,
    /// The number of slices that did not run on several cores at once.
    not_concurrent: usize,
}

impl Ratios {
    pub(super) fn new(candidates: &'static [Candidate]) -> Self {
        Self {
            candidates,
            ratios: candidates.iter().map(|_| Default::default()).collect(),
            baseline: Vec::new(),
            not_concurrent: 0,
        }
    }

    /// Adds the samples of each thread, except slices that did not run on several
    /// cores at once: on a busy machine the threads run one after the other, and no
    /// counter ever waits for another.
    pub(super) fn add(&mut self, threads: &[Vec<Sample>], cores: usize) {
        let wanted = threads.len().min(cores) as f64 * 0.75;
        let samples = threads.iter().map(Vec::len).min().unwrap_or(0);
        for at in 0..samples {
            let at_once = threads.iter().map(|samples| samples[at]);
            let own: Vec<Span> = at_once.clone().map(|sample| sample.own).collect();
            if concurrency(&own) < wanted {
                self.not_concurrent += own.len();
                continue;
            }
            for sample in at_once {
                let (own, baseline) = (sample.own.taken, sample.baseline.taken);
                self.ratios[sample.candidate][sample.copy].push(own.div_duration_f64(baseline));
                let nanoseconds = baseline.as_secs_f64() * 1e9;
                self.baseline.push(nanoseconds / sample.pairs as f64);
            }
        }
    }

    pub(super) fn concurrent_percent(&self) -> f64 {
        let kept = self.baseline.len();
        100.0 * kept as f64 / (kept + self.not_concurrent).max(1) as f64
    }

    pub(super) fn column(&self, threads: usize, oversubscribed: bool) -> Result<Column, Error> {
        let figures = self.candidates.iter().zip(&self.ratios);
        let figures = figures.map(|(candidate, ratios)| {
            figure(candidate, ratios).ok_or(Error::Busy {
                threads,
                counter: candidate.name,
            })
        });
        Ok(Column {
            threads,
            oversubscribed,
            concurrent_percent: self.concurrent_percent(),
            figures: figures.collect::<Result<_, _>>()?,
            baseline_ns: median(&self.baseline).ok_or(Error::Thread)?,
        })
    }
}

/// The average number of `spans` that were running, from the first start to the last
/// end.
fn concurrency(spans: &[Span]) -> f64 {
    let start = spans.iter().map(|span| span.start).min();
    let end = spans.iter().map(|span| span.start + span.taken).max();
    let (Some(start), Some(end)) = (start, end) else {
        return 0.0;
    };
    let taken: Duration = spans.iter().map(|span| span.taken).sum();
    taken.div_duration_f64((end - start).max(Duration::from_nanos(1)))
}

/// `None` if there are too few ratios.
fn figure(candidate: &Candidate, ratios: &[Vec<f64>; COPIES]) -> Option<Figure> {
    const FEWEST: usize = 10;
    let copies: Vec<f64> = ratios.iter().filter_map(|copy| median(copy)).collect();
    let all = ratios.concat();
    if all.len() < FEWEST {
        return None;
    }
    Some(Figure {
        name: candidate.name,
        ratio: median(&copies)?,
        quartiles: (quantile(&all, 0.25)?, quantile(&all, 0.75)?),
        copies: (quantile(&copies, 0.0)?, quantile(&copies, 1.0)?),
    })
}

#[cfg(test)]
mod tests {
    use std::alloc::System;
    use std::time::Instant;

    use super::*;
    use crate::times::candidate::Counted;
    use crate::times::shim::TimedAllocator;
    use proof_pairs::mode;

    struct Direct;

    impl TimedAllocator for Direct {
        type Allocator<const COPY: usize> = System;

        fn allocator<const COPY: usize>() -> &'static System {
            &System
        }
    }

    const SYSTEM: Candidate = Candidate::new::<Direct>("System", mode::PLAIN, Counted::Unknown);

    fn span(start: Instant, from: u64, to: u64) -> Span {
        Span {
            start: start + Duration::from_micros(from),
            taken: Duration::from_micros(to - from),
        }
    }

    #[test]
    fn concurrent_slices_are_distinguished_from_sequential_ones() {
        let start = Instant::now();
        let concurrency = |spans: &[(u64, u64)]| {
            let spans: Vec<Span> = spans.iter().map(|&(a, b)| span(start, a, b)).collect();
            (concurrency(&spans) * 100.0).round()
        };
        assert_eq!(concurrency(&[(0, 300)]), 100.0);
        assert_eq!(concurrency(&[(0, 300), (0, 300)]), 200.0);
        assert_eq!(concurrency(&[(0, 300), (300, 600)]), 100.0);
        assert_eq!(concurrency(&[(0, 300), (100, 400)]), 150.0);
    }

    #[test]
    fn sequential_slices_are_left_out_and_too_few_others_are_an_error() {
        let start = Instant::now();
        // Two threads: candidate 0 takes twice the baseline's time while they run at
        // once, and as long as the baseline while they run one after the other.
        let sample = |copy, from, to| Sample {
            candidate: 0,
            copy,
            pairs: 10,
            own: span(start, from, to),
            baseline: span(start, 1_000, 1_100),
        };
        let first = vec![sample(0, 0, 200), sample(1, 300, 400)];
        let second = vec![sample(0, 10, 210), sample(1, 400, 500)];
        let mut ratios = Ratios::new(&[SYSTEM]);
        ratios.add(&[first, second], 2);
        assert_eq!(ratios.ratios[0][0], [2.0, 2.0]);
        assert_eq!(ratios.ratios[0][1], [0.0; 0]);
        assert_eq!(ratios.not_concurrent, 2);
        assert_eq!(ratios.baseline, [10_000.0, 10_000.0]);
        assert!(matches!(
            ratios.column(2, false),
            Err(Error::Busy { threads: 2, .. })
        ));
    }
}
