//! Tails: how long single calls take, from the median to the longest.

use std::hint::black_box;
use std::time::Instant;

use alloc_scenario::Unit;

use crate::axis::axis_values;
use crate::entry::Need;
use crate::heap::Heap;
use crate::mt19937::{Mt19937, SEED};
use crate::plan::Plan;
use crate::registration::{CHECK, SubjectSuite, Workload, checks};
use crate::report::{Found, REQUESTS, Report};
use crate::request::{ALIGN, layout};
use crate::subject::{Kind, Subject};

/// Timed calls.
pub const CALLS: usize = 100_000;

/// Live blocks: a call gives a random one of them back, and the next takes a new one.
pub const BLOCKS: usize = 1_000;

axis_values! {
    /// Which calls are timed.
    pub enum Call {
        /// Those that take a block.
        Take = "take",
        /// Those that give a block back.
        Give = "give",
    }
}

/// The times of the calls, a list that is made and written before they are timed.
#[derive(Debug)]
pub struct Times(Vec<u32>);

impl Default for Times {
    /// An empty list with room for every call.
    fn default() -> Self {
        let mut times = vec![1; CALLS];
        times.clear();
        Self(times)
    }
}

impl Times {
    /// The quantiles of 500, 900, 990, 999 and 1,000 thousandths, by nearest rank. The times must
    /// be sorted.
    fn quantiles(&self) -> [u32; 5] {
        [500, 900, 990, 999, 1_000].map(|thousandths| {
            let rank = (self.0.len() * thousandths).div_ceil(1_000).max(1);
            self.0.get(rank - 1).copied().unwrap_or_default()
        })
    }
}

/// Takes 1,000 blocks, and then gives a random one back and takes a new one, 100,000 times.
/// The sizes are 16, 32, 64 bytes and so on to 2,048, each equally likely. One of the two
/// calls is timed. The figures: the requests, and the nanoseconds that half of the calls take, or
/// less, that 90, 99 and 99.9 % do, and of the longest call. A part of each is the cost of reading
/// the clock, which the floor shows.
///
/// An arena gives nothing back: it is reset whenever it has handed out 1,000 blocks.
#[inline(never)]
pub fn tails<S: Subject>(heap: &mut Heap<S>, call: Call, times: &mut Times) -> Found {
    let mut report = Report::default();
    let mut random = Mt19937::new(SEED);
    times.0.clear();
    for _ in 0..BLOCKS {
        let _ = heap.take(layout(16 << random.draw_below(8), ALIGN), &mut report);
    }
    for _ in 0..CALLS {
        let index = random.draw_below(BLOCKS as u32) as usize;
        let layout = black_box(layout(16 << random.draw_below(8), ALIGN));
        let begin = Instant::now();
        match S::KIND {
            // After refusals there are fewer blocks.
            Kind::General if index < heap.live_blocks() => heap.give_and_swap(index),
            Kind::Arena if heap.live_blocks() == BLOCKS => heap.give_all(),
            Kind::General | Kind::Arena => {}
        }
        let between = Instant::now();
        let _ = heap.take(layout, &mut report);
        let end = Instant::now();
        let nanoseconds = match call {
            Call::Give => between.duration_since(begin),
            Call::Take => end.duration_since(between),
        };
        let nanoseconds = nanoseconds.as_nanos();
        times.0.push(u32::try_from(nanoseconds).unwrap_or(u32::MAX));
    }
    if S::HAS_MEMORY {
        report.overlapping = heap.overlapping();
    }
    heap.give_all();
    times.0.sort_unstable();
    let [p50, p90, p99, p999, max] = times.quantiles().map(i64::from);
    report.found([report.requests as i64, p50, p90, p99, p999, max])
}

pub(crate) struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        for call in Call::ALL {
            let needs: &[Need] = match call {
                Call::Take => &[],
                Call::Give => &[Need::SingleBlocks],
            };
            suite.found(
                "tails",
                needs,
                Plan::ONCE,
                &[
                    ("requests", Unit::Count),
                    ("call-p50", Unit::Nanoseconds),
                    ("call-p90", Unit::Nanoseconds),
                    ("call-p99", Unit::Nanoseconds),
                    ("call-p999", Unit::Nanoseconds),
                    ("call-max", Unit::Nanoseconds),
                ],
                |b| b.axis("call", [call]).untimed(),
                |open, &(_, call)| (open.heap(BLOCKS), call, Times::default()),
                |(heap, call, times)| tails(heap, *call, times),
            );
        }
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.found(
            CHECK,
            &[],
            Plan::ONCE,
            REQUESTS,
            checks("tails"),
            |open, _| (open.heap(BLOCKS), Times::default()),
            |(heap, times)| tails(heap, Call::Take, times).report,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_the_ranks_of_the_sorted_times() {
        // 1 to 2,000: half of the calls take at most 1,000, and two take more than 1,998.
        let times = Times((1..=2_000).collect());
        assert_eq!(times.quantiles(), [1_000, 1_800, 1_980, 1_998, 2_000]);
        assert_eq!(Times(vec![7]).quantiles(), [7; 5]);
        assert_eq!(Times(Vec::new()).quantiles(), [0; 5]);
    }
}
