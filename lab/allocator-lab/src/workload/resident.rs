//! Resident memory after churn: how much memory a process has for the bytes that are live,
//! when blocks of many sizes have come and gone. The requests depend on the seed alone:
//! they are the same on every subject that refuses nothing.

use std::ops::RangeInclusive;

use alloc_scenario::Unit;

use crate::heap::Heap;
use crate::memory::Footprint;
use crate::mt19937::{Mt19937, SEED};
use crate::report::{Found, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Need, SubjectSuite};
use crate::workload::pattern;

/// Steps of the churn.
pub const STEPS: usize = 100_000;

/// The most live blocks.
pub const MOST_LIVE: usize = 10_000;

const LEFT: usize = 5_000;

/// The sizes in bytes, each equally likely.
const SIZES: RangeInclusive<u32> = 16..=4_096;

/// Runs the sequence. Each of 100,000 steps draws a number of mt19937, unless there is no
/// live block:
///
/// * If there are fewer than 10,000 live blocks and the number is not a multiple of 3, it
///   draws `n`, and takes and fills a block of `16 + n * 4,081 / 2^32` bytes.
/// * Otherwise it draws `n`, and verifies and gives back the block of index `n % live`; the
///   newest block gets its index.
///
/// 10,000 blocks are live after that. Then it gives blocks back in the same way until 5,000
/// are left, and then the rest. It reads the memory of the process three times: at the
/// beginning, at 10,000 live blocks and at 5,000. An arena gives nothing back before the end.
///
/// The values: the requests; at 10,000 and then at 5,000 live blocks their bytes, as requested, and
/// the growth of the resident memory; and the part in huge pages of the last.
pub fn resident<S: Subject>(heap: &mut Heap<S>) -> Found {
    let before = Footprint::now();
    let mut report = Report::default();
    let mut random = Mt19937::new(SEED);
    let give_one = |heap: &mut Heap<S>, random: &mut Mt19937, report: &mut Report| {
        let index = random.draw() as usize % heap.live_blocks();
        heap.verify(index, report);
        heap.give_and_swap(index);
    };
    let read = |heap: &mut Heap<S>| {
        let sizes = (0..heap.live_blocks()).map(|index| heap.block(index).size() as i64);
        (sizes.sum(), Footprint::now().since(before))
    };
    for step in 0..STEPS {
        let live = heap.live_blocks();
        if live == 0 || (!random.draw().is_multiple_of(3) && live < MOST_LIVE) {
            let size = random.draw_in(SIZES) as usize;
            if let Some(mut block) = heap.take(layout(size, ALIGN), &mut report) {
                block.fill(pattern(step));
            }
        } else {
            give_one(heap, &mut random, &mut report);
        }
    }
    let (full_bytes, full) = read(heap);
    while heap.live_blocks() > LEFT {
        give_one(heap, &mut random, &mut report);
    }
    let (half_bytes, half) = read(heap);
    heap.give_all();
    report.found([
        report.requests as i64,
        full_bytes,
        full.resident,
        half_bytes,
        half.resident,
        half.huge,
    ])
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.once(
        "resident",
        &[Need::Memory],
        &[
            ("requests", Unit::Count),
            ("full-bytes", Unit::Bytes),
            ("full-growth", Unit::Bytes),
            ("half-bytes", Unit::Bytes),
            ("half-growth", Unit::Bytes),
            ("half-huge", Unit::Bytes),
        ],
        |b| b.elements(|_| STEPS),
        |open, _| resident(&mut open.heap(MOST_LIVE)),
    );
}

#[cfg(test)]
mod tests {
    use std::alloc::System;

    use alloc_assert::in_fresh_process;

    use super::*;
    use crate::subject::Global;

    /// In a process of its own, in which the system has no free memory of other tests.
    #[test]
    fn what_is_live_was_written_and_is_resident() {
        in_fresh_process(|| {
            let mut heap = Heap::new(Global(System), MOST_LIVE);
            let found = resident(&mut heap);
            let [_, full, full_growth, half, half_growth, ..] = found.values;
            // With the system's allocator, the holes of the churn are a small part.
            assert!((full..full * 3 / 2).contains(&full_growth), "{found:?}");
            assert!((half..full * 3 / 2).contains(&half_growth), "{found:?}");
        });
    }
}
