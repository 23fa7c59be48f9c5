//! Tails: how long the slowest single calls take.

use std::hint::black_box;
use std::time::Instant;

use alloc_scenario::Unit;

use crate::axis::axis_values;
use crate::heap::Heap;
use crate::mt19937::{Mt19937, SEED};
use crate::report::{Found, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Need, Plan, SubjectSuite};
use crate::workload::phases::nanoseconds;

/// Timed calls.
const CALLS: usize = 100_000;

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

/// Takes 1,000 blocks, and then gives a random one back and takes a new one, 100,000 times.
/// The sizes are 16, 32, 64 bytes and so on to 2,048, each equally likely. One of the two
/// calls is timed. The values: the requests, and the nanoseconds that 99.9 % of the calls take, or
/// less, and of the longest call. A part of both is the cost of reading the clock, which the floor
/// shows. `times` is a list of 100,000 values, which was written before.
///
/// An arena gives nothing back: it is reset whenever it has handed out 1,000 blocks.
#[inline(never)]
pub fn tails<S: Subject>(heap: &mut Heap<S>, call: Call, times: &mut [u64]) -> Found {
    let mut report = Report::default();
    let mut random = Mt19937::new(SEED);
    for _ in 0..BLOCKS {
        let _ = heap.take(layout(16 << random.draw_below(8), ALIGN), &mut report);
    }
    for time in &mut *times {
        let index = random.draw_below(BLOCKS as u32) as usize;
        let layout = black_box(layout(16 << random.draw_below(8), ALIGN));
        let begin = Instant::now();
        match S::IS_ARENA {
            // After refusals there are fewer blocks.
            false if index < heap.live_blocks() => heap.give_and_swap(index),
            true if heap.live_blocks() == BLOCKS => heap.give_all(),
            _ => {}
        }
        let between = Instant::now();
        let _ = heap.take(layout, &mut report);
        let end = Instant::now();
        *time = match call {
            Call::Give => nanoseconds(begin, between),
            Call::Take => nanoseconds(between, end),
        };
    }
    if S::HAS_MEMORY {
        report.overlapping = heap.overlapping();
    }
    heap.give_all();
    times.sort_unstable();
    let slow = [times.len() * 999 / 1_000, times.len()].map(|rank| times[rank - 1]);
    report.found([report.requests, slow[0], slow[1]].map(|n| n as i64))
}

/// The list for [`tails`].
#[must_use]
pub fn times() -> Vec<u64> {
    vec![1; CALLS]
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
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
                ("call-p999", Unit::Nanoseconds),
                ("call-max", Unit::Nanoseconds),
            ],
            |b| b.axis("call", [call]).untimed(),
            |open, &(_, call)| (open.heap(BLOCKS), call, times()),
            |(heap, call, times)| tails(heap, *call, times),
        );
    }
}
