//! Large blocks, one at a time, whose first and last pages are written and read back.

use alloc_scenario::Unit;

use crate::entry::Need;
use crate::heap::Heap;
use crate::plan::Plan;
use crate::registration::{SubjectSuite, Workload};
use crate::report::Report;
use crate::request::layout;
use crate::subject::Subject;

/// The sizes in MiB.
pub const MEBIBYTES: [usize; 3] = [1, 16, 64];

/// The alignment of large blocks: that of a cache line.
const ALIGN: usize = 64;

/// Takes one block, writes and reads its ends, and gives it back.
#[inline(never)]
pub fn large<S: Subject>(heap: &mut Heap<S>, mebibytes: usize) -> Report {
    let mut report = Report::default();
    if let Some(mut block) = heap.take(layout(mebibytes << 20, ALIGN), &mut report) {
        report.corrupt += u64::from(!block.ends_hold(0xa5));
    }
    heap.give_all();
    report
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "large",
            &[Need::Memory],
            Plan::LONG,
            |b| b.axis("mebibytes", MEBIBYTES),
            |b, subject| {
                let open = subject.opener(1);
                b.setup(move |&(_, mebibytes)| (open(), mebibytes))
                    .run(|(heap, mebibytes)| large(heap, *mebibytes))
                    .outcome(Report::outcome)
                    .metric("requests", Unit::Count, |report| report.requests as i64)
                    .metric("successful", Unit::Count, |report| {
                        report.successful() as i64
                    })
                    .into()
            },
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.check("large", &[Need::Memory], Plan::COUNTS, 1, |heap| {
            let blocks = MEBIBYTES.map(|mebibytes| large(heap, mebibytes));
            blocks.into_iter().sum()
        });
    }
}
