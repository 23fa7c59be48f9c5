//! Waste: the memory that a block takes in addition to its requested size.

use alloc_scenario::{Axes, Definition, Scenario, Unit};

use crate::entry::{Entry, Need};
use crate::heap::Heap;
use crate::plan::Plan;
use crate::registration::{CHECK, SubjectSuite, Workload, checks};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::workload::histogram;

/// Blocks of each size; a heap needs room for so many of every size.
pub const BLOCKS: usize = 1_000;

/// The requested bytes, and the memory that they take.
#[derive(Clone, Copy, Debug)]
pub struct Waste {
    /// The requests that found it out: [`BLOCKS`] blocks of each size.
    pub report: Report,
    /// The bytes of all sizes, each times its number.
    pub requested_bytes: u64,
    /// The bytes that so many blocks take.
    pub consumed_bytes: u64,
}

/// The memory that blocks of these sizes take, each size times the number beside it.
///
/// 1,000 blocks of each size are taken. All stay live to the end, so that no block lies in
/// a hole that another size left; for the same reason, the process must not have used the
/// subject before the first call. The memory of a block is the median distance to the next
/// one by address, with headers and rounding, or the smallest usable size, if the subject
/// tells sizes and that is larger. Mixed sizes can lie further apart, and memory that an
/// allocator keeps for all blocks together is part of the overhead.
#[inline(never)]
pub fn waste<S: Subject>(heap: &mut Heap<S>, sizes: &[(usize, u64)], align: usize) -> Waste {
    let mut report = Report::default();
    let (mut requested_bytes, mut consumed_bytes) = (0, 0);
    for &(size, times) in sizes {
        let layout = layout(size, align);
        let first = heap.live_blocks();
        let mut usable = None::<usize>;
        for _ in 0..BLOCKS {
            if let Some(block) = heap.take(layout, &mut report) {
                // Some blocks are larger: free ones that were not worth splitting.
                let least = usable.unwrap_or(usize::MAX);
                usable = block.usable_size().map(|size| size.min(least)).or(usable);
            }
        }
        let taken = heap.stride(first).unwrap_or(0).max(usable.unwrap_or(0));
        requested_bytes += size as u64 * times;
        consumed_bytes += taken as u64 * times;
    }
    report.overlapping = heap.overlapping();
    heap.give_all();
    Waste {
        report,
        requested_bytes,
        consumed_bytes,
    }
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "waste",
            &[Need::DistinctBlocks],
            Plan::ONCE,
            |b| {
                b.axis("size", ["7", "31", "63", "1024", RECORDED])
                    .axis("align", [1, ALIGN])
            },
            |b, subject| record(b, subject, |&(_, size, align)| (size.to_owned(), align)),
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        for (of, size) in [("waste", "63"), ("waste-recorded", RECORDED)] {
            suite.scenario(
                CHECK,
                &[Need::DistinctBlocks],
                Plan::ONCE,
                checks(of),
                |b, subject| record(b, subject, move |_| (size.to_owned(), ALIGN)),
            );
        }
    }
}

/// The size that stands for those of [`histogram::RULES_READ`].
const RECORDED: &str = "recorded";

/// A process measures it once, in the set-up; the iteration reports the result.
fn record<S: Subject + 'static, A: Axes>(
    b: Scenario<'static, A>,
    subject: &Entry<S>,
    size_and_align: impl Fn(&A::Point) -> (String, usize) + 'static,
) -> Definition<'static>
where
    A::Point: 'static,
{
    let one = subject.opener(BLOCKS);
    let all = subject.opener(BLOCKS * histogram::RULES_READ.len());
    b.setup(move |point| match size_and_align(point) {
        (size, align) if size == RECORDED => waste(&mut all(), &histogram::RULES_READ, align),
        (size, align) => {
            let size = size.parse().unwrap_or_else(|_| panic!("{size} is no size"));
            waste(&mut one(), &[(size, BLOCKS as u64)], align)
        }
    })
    .run(|waste| *waste)
    .outcome(|waste| waste.report.outcome())
    .metric("requested-bytes", Unit::Bytes, |waste| {
        waste.requested_bytes as i64
    })
    .metric("consumed-bytes", Unit::Bytes, |waste| {
        waste.consumed_bytes as i64
    })
    .into()
}
