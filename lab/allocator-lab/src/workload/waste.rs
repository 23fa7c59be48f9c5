//! Waste: the memory that a block takes in addition to its requested size, and the time of
//! taking blocks of odd sizes.

use std::time::Instant;

use alloc_scenario::Unit;

use crate::heap::Heap;
use crate::report::{Found, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Need, SubjectSuite};
use crate::workload::phases::nanoseconds;

/// Blocks of each size; a heap needs room for this many of every size.
pub const BLOCKS: usize = 1_000;

/// The memory that 1,000 blocks of each of these sizes take. No size is there twice.
///
/// One block of each size is taken, over and over. All stay live to the end, so that no
/// block lies in a hole that another one left; for the same reason, the process must not
/// have used the subject before the first call. The memory of a block is the median distance
/// to the next one by address, with headers and rounding, or the smallest usable size, if
/// the subject tells sizes and that is larger. Memory that an allocator keeps for all blocks
/// together is part of the overhead.
///
/// Then all are given back, and taken once more: the first time, the system provides the pages.
///
/// The values: the requested bytes, the bytes that the blocks take, and the nanoseconds of
/// taking them again.
#[inline(never)]
pub fn waste<S: Subject>(heap: &mut Heap<S>, sizes: &[usize], align: usize) -> Found {
    let mut report = Report::default();
    take_all(heap, sizes, align, &mut report);
    let requested = report.requested_bytes;
    let consumed: usize = sizes.iter().map(|&size| consumed(heap, size)).sum();
    report.overlapping = heap.overlapping();
    heap.give_all();
    let begin = Instant::now();
    take_all(heap, sizes, align, &mut report);
    let again = nanoseconds(begin, Instant::now());
    heap.give_all();
    report.found([requested, (BLOCKS * consumed) as u64, again].map(|n| n as i64))
}

fn take_all<S: Subject>(heap: &mut Heap<S>, sizes: &[usize], align: usize, report: &mut Report) {
    for _ in 0..BLOCKS {
        for &size in sizes {
            let _ = heap.take(layout(size, align), report);
        }
    }
}

/// The bytes that a live block of this size takes.
fn consumed<S: Subject>(heap: &mut Heap<S>, size: usize) -> usize {
    let mut usable = None::<usize>;
    for index in 0..heap.live_blocks() {
        let block = heap.block(index);
        if block.size() == size {
            // Some blocks are larger: free ones that were not worth splitting.
            let least = usable.unwrap_or(usize::MAX);
            usable = block.usable_size().map(|size| size.min(least)).or(usable);
        }
    }
    let stride = heap.stride(size).unwrap_or(0);
    stride.max(usable.unwrap_or(0))
}

/// The sizes of framealloc's alignment stress, interleaved.
pub const MIXED: [usize; 3] = [7, 31, 63];

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    for (name, sizes, align) in [
        ("7", &[7][..], 1),
        ("31", &[31], 1),
        ("63", &[63], 1),
        ("mix", &MIXED, 1),
        ("1024", &[1_024], ALIGN),
    ] {
        suite.once(
            "waste",
            &[Need::DistinctBlocks],
            &[
                ("requested-bytes", Unit::Bytes),
                ("consumed-bytes", Unit::Bytes),
                ("again-time", Unit::Nanoseconds),
            ],
            |b| b.axis("size", [name]).axis("align", [align]),
            move |open, _| waste(&mut open.heap(BLOCKS * sizes.len()), sizes, align),
        );
    }
}
