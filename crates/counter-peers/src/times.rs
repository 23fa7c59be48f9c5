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
use std::time::Duration;

use crate::error::Error;
use crate::mode::Mode;
use crate::statistics::{median, quantile};
use racer::{OPPONENT, RACERS, Racer};
use rendezvous::{Part, Rendezvous};
use shim::{COPIES, Slice};

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
    /// The median over the copies of the code, of the median of each.
    pub ratio: f64,
    /// The quartiles of all ratios.
    pub quartiles: (f64, f64),
    /// The lowest and the highest median of a copy.
    pub copies: (f64, f64),
}

/// How often each copy of each contender runs.
const ROUNDS: usize = 24;

/// What a slice of the opponent takes on an idle machine.
const SLICE: Duration = Duration::from_micros(300);

/// Pairs before each slice, so that it finds its code in the cache.
const WARM_UP: u64 = 64;

/// What was measured with one number of blocks, on all threads together.
struct Race {
    /// Of each contender, by the copy of its code: its time by its opponent's.
    ratios: Vec<[Vec<f64>; COPIES]>,
    /// What a pair of the opponent took, in nanoseconds.
    opponent: Vec<f64>,
}

/// Checks that each contender counts, and takes the times for each of [`LIVE`]
/// and [`THREADS`]. `progress` is told what comes next. counting-alloc has to be
/// the global allocator, or its windows measure nothing.
///
/// # Errors
///
/// When a contender doesn't count what it should, or a thread panics.
pub fn measure(mut progress: impl FnMut(&str) -> Result<(), Error>) -> Result<Vec<Board>, Error> {
    check()?;
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let mut boards = Vec::new();
    for (workload, live) in LIVE.into_iter().enumerate() {
        let pairs = pairs_of_a_slice(workload);
        let mut columns = Vec::new();
        for threads in THREADS {
            progress(&format!("times: {live} live blocks, {threads} threads"))?;
            let race = race(threads, workload, pairs)?;
            columns.push(Column {
                threads,
                crowded: threads > cores,
                opponent_ns: median(&race.opponent).ok_or(Error::Thread)?,
                figures: figures(&race),
            });
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
pub fn check() -> Result<(), Error> {
    let check = || RACERS.iter().try_for_each(Racer::check);
    check()?;
    thread::spawn(check).join().map_err(|_| Error::Thread)?
}

/// As many as the opponent makes in a slice, by its fastest of some.
fn pairs_of_a_slice(workload: usize) -> u64 {
    const TRIED: u64 = 9_600;
    let fastest = (0..50)
        .map(|nth| OPPONENT.slices[workload][nth % COPIES](TRIED))
        .min()
        .unwrap_or(SLICE);
    let pairs = SLICE.as_nanos() * u128::from(TRIED) / fastest.as_nanos().max(1);
    u64::try_from(pairs).unwrap_or(TRIED).max(TRIED)
}

/// Has all contenders run against the opponent, on this many threads.
fn race(threads: usize, workload: usize, pairs: u64) -> Result<Race, Error> {
    let point = Rendezvous::of(threads);
    let ended: Vec<_> = thread::scope(|scope| {
        let run = |nth| {
            let point = &point;
            scope.spawn(move || run_all(&point.take_part(), nth == 0, workload, pairs))
        };
        let running: Vec<_> = (0..threads).map(run).collect();
        running.into_iter().map(|thread| thread.join()).collect()
    });
    let mut all = Race::new();
    for of_thread in ended {
        let of_thread = of_thread.map_err(|_| Error::Thread)?;
        all.opponent.extend(of_thread.opponent);
        for (all, ratios) in all.ratios.iter_mut().zip(of_thread.ratios) {
            for (all, ratios) in all.iter_mut().zip(ratios) {
                all.extend(ratios);
            }
        }
    }
    Ok(all)
}

/// One thread's part: all threads do the same at once. One of them `leads`.
fn run_all(part: &Part<'_>, leads: bool, workload: usize, pairs: u64) -> Race {
    let mut race = Race::new();
    for round in 0..ROUNDS {
        for copy in 0..COPIES {
            for (nth, racer) in RACERS.iter().enumerate() {
                if round % racer.every != 0 {
                    continue;
                }
                let pairs = pairs / racer.divisor;
                let timed = |racer: &Racer| {
                    let slice = racer.slices[workload][copy];
                    timed(racer.mode, slice, pairs, part, leads).as_secs_f64()
                };
                // The order alternates with each of the three.
                let own_first = (round / racer.every + copy + nth).is_multiple_of(2);
                let (own, opponent) = if own_first {
                    let own = timed(racer);
                    (own, timed(&OPPONENT))
                } else {
                    let opponent = timed(&OPPONENT);
                    (timed(racer), opponent)
                };
                race.ratios[nth][copy].push(own / opponent);
                race.opponent.push(opponent * 1e9 / pairs as f64);
            }
        }
    }
    race
}

/// One slice, on all threads at once.
fn timed(mode: Mode, slice: Slice, pairs: u64, part: &Part<'_>, leads: bool) -> Duration {
    let mut taken = Duration::ZERO;
    let mut of_thread = || {
        (mode.thread)(&mut || {
            // The leading thread has switched the process into the mode.
            part.meet();
            slice(WARM_UP);
            part.meet();
            taken = slice(pairs);
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
    taken
}

impl Race {
    fn new() -> Self {
        Self {
            ratios: RACERS.iter().map(|_| Default::default()).collect(),
            opponent: Vec::new(),
        }
    }
}

fn figures(race: &Race) -> Vec<Figure> {
    let figure = |(racer, ratios): (&Racer, &[Vec<f64>; COPIES])| {
        let copies: Vec<f64> = ratios.iter().filter_map(|copy| median(copy)).collect();
        let all = ratios.concat();
        Some(Figure {
            name: racer.name,
            ratio: median(&copies)?,
            quartiles: (quantile(&all, 0.25)?, quantile(&all, 0.75)?),
            copies: (quantile(&copies, 0.0)?, quantile(&copies, 1.0)?),
        })
    };
    RACERS.iter().zip(&race.ratios).filter_map(figure).collect()
}
