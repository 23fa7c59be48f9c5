//! What counting costs in time: each counter against the system's allocator,
//! both called directly, in one process, slice against slice.
//!
//! A time alone says nothing on a shared machine. A contender's slice and the
//! opponent's follow each other within a millisecond, in alternating order, and
//! the figure is the median of many such ratios. The opponent itself is among
//! the contenders, as the row [`SAME_AGAIN`]: what that row differs from 1 is
//! what the method can't tell apart.

mod racer;
mod rendezvous;
mod shim;

use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::mode::Mode;
use proof_shared::statistics::{median, quantile};
use rendezvous::{Part, Rendezvous};
use shim::{COPIES, Slice, Span};

pub use racer::{Counted, Field, Racer, Reading};
pub use shim::{Counter, SystemAt};

/// The opponent against itself.
pub const SAME_AGAIN: &str = "A/A: System";

/// The numbers of threads that are measured.
pub const THREADS: [usize; 4] = [1, 2, 4, 8];

/// How many blocks a thread has at once: the loop allocates them all, and then
/// frees them all. One is the cheapest allocation there is, which makes counting
/// look its worst; 32 are more than glibc keeps at hand per thread and size.
pub const LIVE: [usize; 2] = [1, 32];

/// The times with one number of blocks.
#[derive(Clone, Debug)]
pub struct Board {
    /// How many blocks a thread has at once.
    pub live: usize,
    /// One for each of [`THREADS`].
    pub columns: Vec<Column>,
}

/// The times of all contenders on one number of threads.
#[derive(Clone, Debug)]
pub struct Column {
    /// How many threads ran the same slices at once.
    pub threads: usize,
    /// Whether these were more than there are cores.
    pub crowded: bool,
    /// How many percent of the slices ran on several cores at once, as they
    /// should; the others are not in the figures.
    pub at_once_percent: f64,
    /// What a pair of the opponent took, in nanoseconds: the median.
    pub opponent_ns: f64,
    /// Of all contenders, in the order of the tables.
    pub figures: Vec<Figure>,
}

/// The time of a contender, as a multiple of the opponent's.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Whose it is.
    pub name: &'static str,
    /// It does only a part of what a counter does.
    pub part: bool,
    /// The median over the copies of the code, of the median of each.
    pub ratio: f64,
    /// The quartiles of all ratios.
    pub quartiles: (f64, f64),
    /// The lowest and the highest median of a copy.
    pub copies: (f64, f64),
}

/// How often each copy of each contender runs.
const ROUNDS: usize = 24;

/// How often all rounds run when other programs leave too few slices.
const ATTEMPTS: usize = 4;

/// What a slice of the opponent takes on an idle machine.
const SLICE: Duration = Duration::from_micros(300);

/// Pairs before each slice, so that it finds its code in the cache.
const WARM_UP: u64 = 64;

/// A contender's slice and its opponent's, on one thread.
#[derive(Clone, Copy)]
struct Sample {
    racer: usize,
    copy: usize,
    pairs: u64,
    own: Span,
    opponent: Span,
}

/// What the threads' samples come to.
struct Race {
    racers: &'static [Racer],
    /// Of each contender, by the copy of its code: its time by its opponent's.
    ratios: Vec<[Vec<f64>; COPIES]>,
    /// What a pair of the opponent took, in nanoseconds.
    opponent: Vec<f64>,
    /// How many of the contenders' slices did not run on several cores at once.
    alone: usize,
}

/// Checks that each contender of `field` counts, and takes the times for each of
/// [`LIVE`] and [`THREADS`]. `progress` is told what comes next. counting-alloc has to be
/// the global allocator, or its windows measure nothing.
///
/// # Errors
///
/// When a contender doesn't count what it should, or a thread panics.
pub fn measure(
    field: Field,
    mut progress: impl FnMut(&str) -> Result<(), Error>,
) -> Result<Vec<Board>, Error> {
    check(field)?;
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let mut boards = Vec::new();
    for (workload, live) in LIVE.into_iter().enumerate() {
        let pairs = pairs_of_a_slice(&field.opponent, workload);
        let mut columns = Vec::new();
        for threads in THREADS {
            progress(&format!("times: {live} live blocks, {threads} threads"))?;
            let mut race = Race::new(field.racers);
            for _ in 0..ATTEMPTS {
                race.add(&samples(field, threads, workload, pairs)?, cores);
                if race.column(threads, threads > cores).is_ok() {
                    break;
                }
            }
            progress(&format!(
                "  {:.0} % of the slices ran at once",
                race.at_once_percent()
            ))?;
            columns.push(race.column(threads, threads > cores)?);
        }
        boards.push(Board { live, columns });
    }
    Ok(boards)
}

/// Whether each contender counts when it is called like this, on this thread and
/// on another.
///
/// # Errors
///
/// The first that doesn't.
pub fn check(field: Field) -> Result<(), Error> {
    let check = || field.racers.iter().try_for_each(Racer::check);
    check()?;
    thread::spawn(check).join().map_err(|_| Error::Thread)?
}

/// As many as the opponent makes in a slice, by its fastest of some.
fn pairs_of_a_slice(opponent: &Racer, workload: usize) -> u64 {
    const TRIED: u64 = 9_600;
    let fastest = (0..50)
        .map(|nth| opponent.slices[workload][nth % COPIES](TRIED).taken)
        .min()
        .unwrap_or(SLICE);
    let pairs = SLICE.as_nanos() * u128::from(TRIED) / fastest.as_nanos().max(1);
    u64::try_from(pairs).unwrap_or(TRIED).max(TRIED)
}

/// Has all contenders run against the opponent, on this many threads; what each
/// thread measured, all in the same order.
fn samples(
    field: Field,
    threads: usize,
    workload: usize,
    pairs: u64,
) -> Result<Vec<Vec<Sample>>, Error> {
    let point = Rendezvous::of(threads);
    thread::scope(|scope| {
        let run = |nth| {
            let point = &point;
            scope.spawn(move || run_all(field, &point.take_part(), nth == 0, workload, pairs))
        };
        let running: Vec<_> = (0..threads).map(run).collect();
        let ended: Vec<_> = running.into_iter().map(|thread| thread.join()).collect();
        ended
            .into_iter()
            .map(|samples| samples.map_err(|_| Error::Thread))
            .collect()
    })
}

/// One thread's part: all threads do the same at once. One of them `leads`.
fn run_all(field: Field, part: &Part<'_>, leads: bool, workload: usize, pairs: u64) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(ROUNDS * COPIES * field.racers.len());
    for round in 0..ROUNDS {
        for copy in 0..COPIES {
            for (nth, racer) in field.racers.iter().enumerate() {
                if round % racer.every != 0 {
                    continue;
                }
                let pairs = pairs / racer.divisor;
                let timed = |racer: &Racer| {
                    let slice = racer.slices[workload][copy];
                    timed(racer.mode, slice, pairs, part, leads)
                };
                // The order alternates with each of the three.
                let own_first = (round / racer.every + copy + nth).is_multiple_of(2);
                let (own, opponent) = if own_first {
                    let own = timed(racer);
                    (own, timed(&field.opponent))
                } else {
                    let opponent = timed(&field.opponent);
                    (timed(racer), opponent)
                };
                samples.push(Sample {
                    racer: nth,
                    copy,
                    pairs,
                    own,
                    opponent,
                });
            }
        }
    }
    samples
}

/// One slice, on all threads at once.
fn timed(mode: Mode, slice: Slice, pairs: u64, part: &Part<'_>, leads: bool) -> Span {
    let mut span = Span {
        start: Instant::now(),
        taken: Duration::ZERO,
    };
    let mut of_thread = || {
        (mode.thread)(&mut || {
            // The leading thread has switched the process into the mode.
            part.meet();
            slice(WARM_UP);
            part.meet();
            span = slice(pairs);
            part.meet();
        });
    };
    if leads {
        (mode.process)(&mut of_thread);
    } else {
        of_thread();
    }
    // The leading thread has switched it back.
    part.meet();
    span
}

impl Race {
    fn new(racers: &'static [Racer]) -> Self {
        Self {
            racers,
            ratios: racers.iter().map(|_| Default::default()).collect(),
            opponent: Vec::new(),
            alone: 0,
        }
    }

    /// Leaves out what did not run on several cores at once: on a busy machine the
    /// threads run one after the other, and no counter ever waits for another.
    fn add(&mut self, of_threads: &[Vec<Sample>], cores: usize) {
        let wanted = of_threads.len().min(cores) as f64 * 0.75;
        let samples = of_threads.iter().map(Vec::len).min().unwrap_or(0);
        for at in 0..samples {
            let at_once = of_threads.iter().map(|samples| samples[at]);
            let own: Vec<Span> = at_once.clone().map(|sample| sample.own).collect();
            if in_flight(&own) < wanted {
                self.alone += own.len();
                continue;
            }
            for sample in at_once {
                let (own, opponent) = (sample.own.taken, sample.opponent.taken);
                self.ratios[sample.racer][sample.copy].push(own.div_duration_f64(opponent));
                let nanoseconds = opponent.as_secs_f64() * 1e9;
                self.opponent.push(nanoseconds / sample.pairs as f64);
            }
        }
    }

    fn at_once_percent(&self) -> f64 {
        let kept = self.opponent.len();
        100.0 * kept as f64 / (kept + self.alone).max(1) as f64
    }

    fn column(&self, threads: usize, crowded: bool) -> Result<Column, Error> {
        let figures = self.racers.iter().zip(&self.ratios);
        let figures = figures.map(|(racer, ratios)| {
            figure(racer, ratios).ok_or(Error::Busy {
                threads,
                contender: racer.name,
            })
        });
        Ok(Column {
            threads,
            crowded,
            at_once_percent: self.at_once_percent(),
            figures: figures.collect::<Result<_, _>>()?,
            opponent_ns: median(&self.opponent).ok_or(Error::Thread)?,
        })
    }
}

/// How many of `spans` were running on average, from the first start to the last
/// end.
fn in_flight(spans: &[Span]) -> f64 {
    let start = spans.iter().map(|span| span.start).min();
    let end = spans.iter().map(|span| span.start + span.taken).max();
    let (Some(start), Some(end)) = (start, end) else {
        return 0.0;
    };
    let taken: Duration = spans.iter().map(|span| span.taken).sum();
    taken.div_duration_f64((end - start).max(Duration::from_nanos(1)))
}

/// `None` of hardly any ratios.
fn figure(racer: &Racer, ratios: &[Vec<f64>; COPIES]) -> Option<Figure> {
    const FEWEST: usize = 10;
    let copies: Vec<f64> = ratios.iter().filter_map(|copy| median(copy)).collect();
    let all = ratios.concat();
    if all.len() < FEWEST {
        return None;
    }
    Some(Figure {
        name: racer.name,
        part: racer.part,
        ratio: median(&copies)?,
        quartiles: (quantile(&all, 0.25)?, quantile(&all, 0.75)?),
        copies: (quantile(&copies, 0.0)?, quantile(&copies, 1.0)?),
    })
}

#[cfg(test)]
mod tests {
    use std::alloc::System;

    use super::*;
    use crate::mode;

    struct Direct;

    impl Counter for Direct {
        type Allocator<const COPY: usize> = System;

        fn allocator<const COPY: usize>() -> &'static System {
            &System
        }
    }

    const SYSTEM: Racer = Racer::new::<Direct>("System", mode::PLAIN, Counted::Unknown);

    fn span(start: Instant, from: u64, to: u64) -> Span {
        Span {
            start: start + Duration::from_micros(from),
            taken: Duration::from_micros(to - from),
        }
    }

    #[test]
    fn slices_at_once_are_told_from_slices_in_turn() {
        let start = Instant::now();
        let in_flight = |spans: &[(u64, u64)]| {
            let spans: Vec<Span> = spans.iter().map(|&(a, b)| span(start, a, b)).collect();
            (in_flight(&spans) * 100.0).round()
        };
        assert_eq!(in_flight(&[(0, 300)]), 100.0);
        assert_eq!(in_flight(&[(0, 300), (0, 300)]), 200.0);
        assert_eq!(in_flight(&[(0, 300), (300, 600)]), 100.0);
        assert_eq!(in_flight(&[(0, 300), (100, 400)]), 150.0);
    }

    #[test]
    fn what_ran_in_turn_is_not_in_the_figures_and_alone_is_an_error() {
        let start = Instant::now();
        // Two threads: contender 0 takes twice the opponent's time while they run
        // at once, and as long as the opponent while they run in turn.
        let sample = |copy, from, to| Sample {
            racer: 0,
            copy,
            pairs: 10,
            own: span(start, from, to),
            opponent: span(start, 1_000, 1_100),
        };
        let first = vec![sample(0, 0, 200), sample(1, 300, 400)];
        let second = vec![sample(0, 10, 210), sample(1, 400, 500)];
        let mut race = Race::new(&[SYSTEM]);
        race.add(&[first, second], 2);
        assert_eq!(race.ratios[0][0], [2.0, 2.0]);
        assert_eq!(race.ratios[0][1], [0.0; 0]);
        assert_eq!(race.alone, 2);
        assert_eq!(race.opponent, [10_000.0, 10_000.0]);
        assert!(matches!(
            race.column(2, false),
            Err(Error::Busy { threads: 2, .. })
        ));
    }
}
