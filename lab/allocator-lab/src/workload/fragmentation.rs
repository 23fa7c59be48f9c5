//! Fragmentation, as in OpenAlloc's report: pairs in a heap with holes that are too small
//! for them.

use std::time::Instant;

use alloc_scenario::Unit;

use crate::heap::Heap;
use crate::report::{Found, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Plan, SubjectSuite};
use crate::workload::phases::nanoseconds;

/// Blocks that are taken first.
const SMALL_BLOCKS: usize = 1_000;
const SMALL_BYTES: usize = 100;
/// Pairs that follow: ten times as many as in OpenAlloc's report.
const PAIRS: usize = 5_000;
const PAIR_BYTES: usize = 500;

/// Live blocks that the heap needs room for. An arena takes the blocks of the pairs back
/// with the others.
pub const BLOCKS: usize = SMALL_BLOCKS + PAIRS;

/// Takes 1,000 blocks of 100 bytes and gives every second one back. Then, timed, it takes
/// a block of 500 bytes and gives it back, 5,000 times. At the end the other small blocks are
/// given back. An arena gives nothing back before that, and so has no holes. The values: all
/// requests, the small blocks included, and the nanoseconds of the pairs.
#[inline(never)]
pub fn fragmentation<S: Subject>(heap: &mut Heap<S>) -> Found {
    let mut report = Report::default();
    for _ in 0..SMALL_BLOCKS {
        let _ = heap.take(layout(SMALL_BYTES, ALIGN), &mut report);
    }
    let holes = !S::IS_ARENA;
    if holes {
        heap.give_every_other();
    }
    let layout = layout(PAIR_BYTES, ALIGN);
    let begin = Instant::now();
    for _ in 0..PAIRS {
        let taken = heap.take(layout, &mut report).is_some();
        if taken && holes {
            heap.give_last();
        }
    }
    let end = Instant::now();
    heap.give_all();
    report.found([report.requests, nanoseconds(begin, end)].map(|n| n as i64))
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "fragmentation",
        &[],
        Plan(2, 21),
        &[("requests", Unit::Count), ("pairs-time", Unit::Nanoseconds)],
        |b| b.elements(|_| PAIRS),
        |open, _| open.heap(BLOCKS),
        fragmentation,
    );
}
