//! Waste: the memory that a block takes in addition to its requested size, and the time of
//! taking blocks of odd sizes.

use std::time::Instant;

use alloc_scenario::{Axes, Definition, Scenario, Unit};

use crate::entry::{Entry, Need};
use crate::heap::Heap;
use crate::plan::Plan;
use crate::registration::{CHECK, Calls, SubjectSuite, Workload, checks};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::workload::histogram;
use crate::workload::phases::nanoseconds;

/// Blocks of each size; a heap needs room for this many of every size.
pub const BLOCKS: usize = 1_000;

/// The requested bytes, and the memory that they take.
#[derive(Clone, Copy, Debug)]
pub struct Waste {
    /// The requests that found it out: [`BLOCKS`] blocks of each size, twice.
    pub report: Report,
    /// The bytes of all sizes, each times its number.
    pub requested_bytes: u64,
    /// The bytes that this many blocks take.
    pub consumed_bytes: u64,
    /// Nanoseconds of taking the blocks again, after all were given back.
    pub again_nanoseconds: u64,
}

/// In which order blocks of several sizes are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// All of the first size, then all of the next.
    Sorted,
    /// One of each size, over and over.
    Interleaved,
}

/// The memory that blocks of these sizes take, each size times the number beside it. No
/// size is there twice.
///
/// 1,000 blocks of each size are taken in this order. All stay live to the end, so that no
/// block lies in a hole that another size left; for the same reason, the process must not
/// have used the subject before the first call. The memory of a block is the median distance
/// to the next one by address, with headers and rounding, or the smallest usable size, if
/// the subject tells sizes and that is larger. Sorted, the next one is of the same size;
/// interleaved, of any. Memory that an allocator keeps for all blocks together is part of
/// the overhead.
///
/// Then all are given back, and taken once more: the first time, the system provides the pages.
#[inline(never)]
pub fn waste<S: Subject>(
    heap: &mut Heap<S>,
    sizes: &[(usize, u64)],
    align: usize,
    order: Order,
) -> Waste {
    let mut report = Report::default();
    let mut consumed_bytes = 0;
    match order {
        Order::Sorted => {
            for size in sizes {
                let first = heap.live_blocks();
                let size = std::slice::from_ref(size);
                let _ = take_all(heap, size, align, &mut report);
                consumed_bytes += consumed(heap, first, size);
            }
        }
        Order::Interleaved => {
            let _ = take_all(heap, sizes, align, &mut report);
            consumed_bytes = consumed(heap, 0, sizes);
        }
    }
    report.overlapping = heap.overlapping();
    heap.give_all();
    let again_nanoseconds = take_all(heap, sizes, align, &mut report);
    heap.give_all();
    Waste {
        report,
        requested_bytes: sizes.iter().map(|&(size, times)| size as u64 * times).sum(),
        consumed_bytes,
        again_nanoseconds,
    }
}

/// Takes [`BLOCKS`] times one block of each size, and returns the nanoseconds.
fn take_all<S: Subject>(
    heap: &mut Heap<S>,
    sizes: &[(usize, u64)],
    align: usize,
    report: &mut Report,
) -> u64 {
    let begin = Instant::now();
    for _ in 0..BLOCKS {
        for &(size, _) in sizes {
            let _ = heap.take(layout(size, align), report);
        }
    }
    nanoseconds(begin, Instant::now())
}

/// The bytes that the sizes take, by the live blocks from this index on.
fn consumed<S: Subject>(heap: &mut Heap<S>, first: usize, sizes: &[(usize, u64)]) -> u64 {
    let mut sum = 0;
    for &(size, times) in sizes {
        let mut usable = None::<usize>;
        for index in first..heap.live_blocks() {
            let block = heap.block(index);
            if block.size() == size {
                // Some blocks are larger: free ones that were not worth splitting.
                let least = usable.unwrap_or(usize::MAX);
                usable = block.usable_size().map(|size| size.min(least)).or(usable);
            }
        }
        let stride = heap.stride(first, size).unwrap_or(0);
        sum += stride.max(usable.unwrap_or(0)) as u64 * times;
    }
    sum
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let odd = ["7", "31", "63", MIX];
        let all = ["7", "31", "63", MIX, "1024", RECORDED];
        for (align, sizes) in [(1, &odd[..]), (ALIGN, &all)] {
            suite.scenario(
                "waste",
                &[Need::DistinctBlocks],
                Plan::ONCE,
                |b| {
                    let b = b.axis("size", sizes.iter().copied());
                    b.axis("align", [align]).untimed()
                },
                |b, subject| record(b, subject, |&(_, size, align)| (size.to_owned(), align)),
            );
        }
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

/// The size that stands for [`MIXED`].
const MIX: &str = "mix";

/// The sizes of framealloc's alignment stress, interleaved.
pub const MIXED: [(usize, u64); 3] = [(7, BLOCKS as u64), (31, BLOCKS as u64), (63, BLOCKS as u64)];

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
    let mixed = subject.opener(BLOCKS * MIXED.len());
    let all = subject.opener(BLOCKS * histogram::RULES_READ.len());
    b.calls(
        move |point| match size_and_align(point) {
            (size, align) if size == RECORDED => {
                let sizes = &histogram::RULES_READ;
                waste(&mut all(), sizes, align, Order::Sorted)
            }
            (size, align) if size == MIX => waste(&mut mixed(), &MIXED, align, Order::Interleaved),
            (size, align) => {
                let size = size.parse().unwrap_or_else(|_| panic!("{size} is no size"));
                waste(&mut one(), &[(size, BLOCKS as u64)], align, Order::Sorted)
            }
        },
        |waste| *waste,
    )
    .outcome(|waste| waste.report.outcome())
    .metric("requested-bytes", Unit::Bytes, |waste| {
        waste.requested_bytes as i64
    })
    .metric("consumed-bytes", Unit::Bytes, |waste| {
        waste.consumed_bytes as i64
    })
    .metric("again-time", Unit::Nanoseconds, |waste| {
        waste.again_nanoseconds as i64
    })
    .into()
}
