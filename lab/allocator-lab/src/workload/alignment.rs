//! The alignment matrix: blocks of every size with every alignment, whose addresses are
//! checked.

use alloc_scenario::Unit;

use crate::heap::Heap;
use crate::report::Report;
use crate::request::layout;
use crate::subject::Subject;
use crate::suite::{Need, Plan, SubjectSuite};

/// The sizes in bytes.
const SIZES: [usize; 8] = [1, 8, 16, 64, 256, 1_024, 4_096, 65_536];

/// The alignments in bytes.
const ALIGNMENTS: [usize; 7] = [16, 32, 64, 128, 256, 512, 1_024];

/// Blocks of each size and alignment.
const REPEATS: usize = 64;

/// Blocks that are live at once: 3,584.
pub const BLOCKS: usize = SIZES.len() * ALIGNMENTS.len() * REPEATS;

/// Takes all blocks, checks that each is aligned and none begins within another, and
/// gives all back.
#[inline(never)]
pub fn alignment<S: Subject>(heap: &mut Heap<S>) -> Report {
    let mut report = Report::default();
    for _ in 0..REPEATS {
        for size in SIZES {
            for align in ALIGNMENTS {
                let _ = heap.take(layout(size, align), &mut report);
            }
        }
    }
    report.overlapping = heap.overlapping();
    heap.give_all();
    report
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "alignment",
        &[Need::DistinctBlocks],
        Plan::COUNTS,
        &[("addresses", Unit::Count), ("aligned", Unit::Count)],
        |b| b.elements(|_| BLOCKS),
        |open, _| open.heap(BLOCKS),
        |heap| {
            let report = alignment(heap);
            let addresses = report.requests - report.nulls;
            report.found([addresses, addresses - report.misaligned].map(|n| n as i64))
        },
    );
}
