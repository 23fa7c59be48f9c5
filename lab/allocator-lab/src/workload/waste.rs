//! Waste: the memory that a block takes in addition to its requested size, and the time of
//! taking blocks of odd sizes.

use std::time::Instant;

use alloc_scenario::Unit;

use crate::entry::{Need, Opener};
use crate::heap::Heap;
use crate::registration::{CHECK, SubjectSuite, Workload, checks};
use crate::report::{Figures, Found, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::workload::histogram;
use crate::workload::phases::nanoseconds;

/// Blocks of each size; a heap needs room for this many of every size.
pub const BLOCKS: usize = 1_000;

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
///
/// The figures: the bytes of all sizes, each times its number; the bytes that this many blocks
/// take; and the nanoseconds of taking the blocks again.
#[inline(never)]
pub fn waste<S: Subject>(
    heap: &mut Heap<S>,
    sizes: &[(usize, u64)],
    align: usize,
    order: Order,
) -> Found {
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
    let again = take_all(heap, sizes, align, &mut report);
    heap.give_all();
    let requested: u64 = sizes.iter().map(|&(size, times)| size as u64 * times).sum();
    report.found([requested, consumed_bytes, again].map(|n| n as i64))
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

pub(crate) struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let odd = ["7", "31", "63", MIX];
        let all = ["7", "31", "63", MIX, "1024", RECORDED];
        for (align, sizes) in [(1, &odd[..]), (ALIGN, &all)] {
            suite.once(
                "waste",
                &[Need::DistinctBlocks],
                FIGURES,
                |b| b.axis("size", sizes.iter().copied()).axis("align", [align]),
                |open, &(_, size, align)| of_size(open, size, align),
            );
        }
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        for (of, size) in [("waste", "63"), ("waste-recorded", RECORDED)] {
            let needs = [Need::DistinctBlocks];
            suite.once(CHECK, &needs, FIGURES, checks(of), move |open, _| {
                of_size(open, size, ALIGN)
            });
        }
    }
}

/// The size that stands for those of [`histogram::RULES_READ`].
const RECORDED: &str = "recorded";

/// The size that stands for [`MIXED`].
const MIX: &str = "mix";

/// The sizes of framealloc's alignment stress, interleaved.
pub const MIXED: [(usize, u64); 3] = [(7, BLOCKS as u64), (31, BLOCKS as u64), (63, BLOCKS as u64)];

const FIGURES: Figures = &[
    ("requested-bytes", Unit::Bytes),
    ("consumed-bytes", Unit::Bytes),
    ("again-time", Unit::Nanoseconds),
];

fn of_size<S: Subject + 'static>(open: Opener<S>, size: &str, align: usize) -> Found {
    let one;
    let (sizes, order) = match size {
        RECORDED => (&histogram::RULES_READ[..], Order::Sorted),
        MIX => (&MIXED[..], Order::Interleaved),
        size => {
            let size = size.parse().unwrap_or_else(|_| panic!("{size} is no size"));
            one = [(size, BLOCKS as u64)];
            (&one[..], Order::Sorted)
        }
    };
    waste(&mut open.heap(BLOCKS * sizes.len()), sizes, align, order)
}
