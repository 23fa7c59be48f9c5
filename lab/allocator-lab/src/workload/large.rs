//! Large blocks, one at a time: every byte is written and read back.

use alloc_scenario::Unit;

use crate::heap::Heap;
use crate::report::Report;
use crate::request::layout;
use crate::subject::Subject;
use crate::suite::{Need, Plan, SubjectSuite};

/// The sizes in MiB.
pub const MEBIBYTES: [usize; 3] = [1, 16, 64];

/// The alignment of large blocks: a cache line.
const ALIGN: usize = 64;

/// Takes a block of this many MiB, fills and verifies it, and gives it back.
pub fn large<S: Subject>(heap: &mut Heap<S>, mebibytes: usize) -> Report {
    let mut report = Report::default();
    if let Some(mut block) = heap.take(layout(mebibytes << 20, ALIGN), &mut report) {
        block.fill(0xa5);
        heap.verify_all(&mut report);
    }
    heap.give_all();
    report
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "large",
        &[Need::Memory],
        Plan::SLOW,
        &[("requests", Unit::Count), ("successful", Unit::Count)],
        |b| b.axis("mebibytes", MEBIBYTES).untimed(),
        |open, &(_, mebibytes)| (open.heap(1), mebibytes),
        |(heap, mebibytes)| {
            let report = large(heap, *mebibytes);
            report.found([report.requests, report.successful()].map(|n| n as i64))
        },
    );
}
