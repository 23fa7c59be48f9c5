//! The timed pass: batches of iterations in a row, with counting switched off; and [`Stopwatch`],
//! the clock of the first call.

use std::hint::black_box;
use std::time::{Duration, Instant};

use alloc_results::{OutputDrop, Time};
use counting_alloc::pause;

use crate::plan::Plan;

/// The maximum number of batches in a timed pass.
const BATCHES: u64 = 21;

/// The time after which no more batches begin.
const TIME_LIMIT: Duration = Duration::from_millis(100);

/// The number of iterations in a batch of about a millisecond, if one iteration takes
/// `one`. All batches together have at most as many iterations as the counted pass.
fn batch_size(one: Duration, plan: &Plan) -> u64 {
    let fit = 1_000_000 / one.as_nanos().max(1);
    u64::try_from(fit)
        .unwrap_or(u64::MAX)
        .min(plan.iterations / BATCHES)
        .max(1)
}

/// Runs the timed pass. `time_batch` runs a batch of that many iterations and returns
/// its time; `first` is the time of the first call. `None` if the plan has no timed
/// pass.
pub(crate) fn time(
    plan: &Plan,
    first: Duration,
    mut time_batch: impl FnMut(u64) -> Duration,
) -> Option<Time> {
    if !plan.is_timed {
        return None;
    }
    let _paused = pause();
    let batch = batch_size(time_batch(1), plan);
    let begin = Instant::now();
    let mut nanoseconds = Vec::new();
    for _ in 0..BATCHES {
        let elapsed = time_batch(batch);
        nanoseconds.push(as_nanoseconds(elapsed));
        if begin.elapsed() > TIME_LIMIT {
            break;
        }
    }
    nanoseconds.sort_unstable();
    Some(Time {
        batch,
        nanoseconds,
        first: as_nanoseconds(first),
    })
}

fn as_nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Runs `batch` iterations and returns their time. If an input is prepared before each
/// call, the calls are timed one by one, and the time includes reading the clock.
pub(crate) fn time_batch<O>(
    prepare: Option<&dyn Fn()>,
    body: &mut impl FnMut() -> O,
    output_drop: OutputDrop,
    batch: u64,
) -> Duration {
    if output_drop == OutputDrop::Inside && prepare.is_none() {
        let begin = Instant::now();
        for _ in 0..batch {
            drop(black_box(body()));
        }
        return begin.elapsed();
    }
    let mut sum = Duration::ZERO;
    for _ in 0..batch {
        if let Some(prepare) = prepare {
            prepare();
        }
        let begin = Instant::now();
        let output = black_box(body());
        match output_drop {
            OutputDrop::Inside => {
                drop(output);
                sum += begin.elapsed();
            }
            OutputDrop::Outside => {
                sum += begin.elapsed();
                drop(output);
            }
        }
    }
    sum
}

/// Times a call that has one or two parts, or does nothing. It runs inside the window and does not
/// allocate.
pub(crate) struct Stopwatch {
    runs: bool,
    /// When the first part began.
    begin: Option<Instant>,
    /// When the present part began.
    part: Option<Instant>,
    sum: Duration,
}

impl Stopwatch {
    /// A stopwatch that `runs` for the call that is timed, and does nothing for all others.
    pub(crate) fn new(runs: bool) -> Self {
        if runs {
            // The cost of the first reading of the clock is not part of the call.
            let _ = Instant::now();
        }
        Self {
            runs,
            begin: None,
            part: None,
            sum: Duration::ZERO,
        }
    }

    /// Begins a part of the call.
    pub(crate) fn start(&mut self) {
        if self.runs {
            let now = Instant::now();
            self.begin.get_or_insert(now);
            self.part = Some(now);
        }
    }

    /// Ends the part.
    pub(crate) fn stop(&mut self) {
        if let Some(part) = self.part.take() {
            self.sum += part.elapsed();
        }
    }

    /// The time of all parts together.
    pub(crate) fn elapsed(&self) -> Duration {
        self.sum
    }

    /// When the call would have ended without a break between its parts; `None` when
    /// it was not timed.
    pub(crate) fn end(&self) -> Option<Instant> {
        self.begin.map(|begin| begin + self.sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_between_parts_is_not_counted() {
        let mut watch = Stopwatch::new(true);
        watch.start();
        watch.stop();
        let between = Instant::now();
        while between.elapsed() < Duration::from_millis(1) {}
        watch.start();
        watch.stop();
        let end = watch.end().expect("it was timed");
        assert_eq!(end - watch.elapsed(), watch.begin.expect("it began"));
        let all = watch.begin.map(|begin| begin.elapsed());
        assert!(Some(watch.elapsed() + Duration::from_millis(1)) <= all);
    }

    #[test]
    fn an_idle_stopwatch_has_no_time() {
        let mut watch = Stopwatch::new(false);
        watch.start();
        watch.stop();
        assert_eq!((watch.elapsed(), watch.end()), (Duration::ZERO, None));
    }
}
