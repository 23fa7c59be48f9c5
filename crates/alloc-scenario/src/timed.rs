//! The timed pass: batches of iterations in a row, with counting switched off.

use std::hint::black_box;
use std::time::{Duration, Instant};

use alloc_results::{OutputDrop, Time};
use counting_alloc::pause;

use crate::body::Iterate;
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

/// Runs `batch` iterations and returns their time. If an input is made before each
/// call, the calls are timed one by one, and the time includes that of the clock.
pub(crate) fn time_batch<T: Iterate>(body: &mut T, plan: &Plan, batch: u64) -> Duration {
    let is_one_block = match plan.output_drop {
        OutputDrop::Inside => !T::PREPARES,
        OutputDrop::Outside => false,
    };
    if is_one_block {
        let begin = Instant::now();
        for _ in 0..batch {
            drop(black_box(body.call()));
        }
        return begin.elapsed();
    }
    let mut sum = Duration::ZERO;
    for _ in 0..batch {
        body.prepare();
        let begin = Instant::now();
        let output = black_box(body.call());
        match plan.output_drop {
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
