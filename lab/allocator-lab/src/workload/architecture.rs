//! Architecture: properties of a subject that its blocks show.

use alloc_scenario::Unit;

use crate::heap::Heap;
use crate::report::{Found, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Need, SubjectSuite};

/// Neighbouring blocks that are given back together.
const SMALL_BLOCKS: usize = 256;
/// The size of each.
const SMALL_BYTES: usize = 1_024;
/// The size of the block that is taken after them, a quarter of their bytes.
const LARGE_BYTES: usize = 65_536;
/// Neighbouring blocks of one size, whose distance shows the header.
const NEIGHBOURS: usize = 64;
/// Their sizes: all multiples of 8 from the first to the last.
const HEADER_SIZES: [usize; 2] = [64, 512];

/// A block that no fixed region of the lab has room for: each has 512 MiB.
const BEYOND_A_REGION: usize = (512 << 20) + LARGE_BYTES;

/// Live blocks that the heap needs room for.
pub const BLOCKS: usize = SMALL_BLOCKS;

/// Finds the properties. An arena is reset where other subjects take blocks back. The values, of
/// which all but the bytes are 0 or 1:
///
/// * several threads may use one subject at once; its adapter says it;
/// * a block of 64 bytes that was given back is the next one that is handed out for 64 bytes;
/// * a block of 65,536 bytes lies where 256 blocks of 1,024 bytes were given back just before;
/// * the bytes of the [`header`], 0 if it is unknown, and the report has faults;
/// * a block of more than 512 MiB, which nobody writes to, is handed out: the subject asks the
///   system for more memory.
pub fn architecture<S: Subject>(heap: &mut Heap<S>) -> Found {
    let mut report = Report::default();
    let values = [
        (!S::IS_ARENA).into(),
        reuses(heap, &mut report).into(),
        coalesces(heap, &mut report).into(),
        header(heap, &mut report).unwrap_or(0) as i64,
        grows(heap).into(),
    ];
    report.found(values)
}

fn reuses<S: Subject>(heap: &mut Heap<S>, report: &mut Report) -> bool {
    let layout = layout(64, ALIGN);
    let first = heap.take(layout, report).map(|block| block.address());
    heap.give_all();
    let second = heap.take(layout, report).map(|block| block.address());
    heap.give_all();
    first.is_some() && first == second
}

fn coalesces<S: Subject>(heap: &mut Heap<S>, report: &mut Report) -> bool {
    let (mut first, mut end) = (usize::MAX, 0);
    for _ in 0..SMALL_BLOCKS {
        if let Some(block) = heap.take(layout(SMALL_BYTES, ALIGN), report) {
            let address = block.address();
            first = first.min(address);
            end = end.max(address + SMALL_BYTES);
        }
    }
    heap.give_all();
    let large = heap
        .take(layout(LARGE_BYTES, ALIGN), report)
        .map(|block| block.address());
    heap.give_all();
    large.is_some_and(|address| (first..end).contains(&address))
}

/// Bytes of each block besides the requested ones, whatever its size: the smallest difference of the
/// distance between neighbours and their size, for all multiples of 8 from 64 to 512 bytes. An
/// allocator with classes of sizes has none. `None` if no size has neighbours: then blocks were
/// refused or overlap, which the report says.
pub fn header<S: Subject>(heap: &mut Heap<S>, report: &mut Report) -> Option<usize> {
    let mut least: Option<usize> = None;
    let [first, last] = HEADER_SIZES;
    for size in (first..=last).step_by(8) {
        for _ in 0..NEIGHBOURS {
            let _ = heap.take(layout(size, ALIGN), report);
        }
        report.overlapping += heap.overlapping();
        let besides = heap.stride(size).and_then(|gap| gap.checked_sub(size));
        least = least.into_iter().chain(besides).min();
        heap.give_all();
    }
    least
}

/// A refusal is an answer, and no fault.
fn grows<S: Subject>(heap: &mut Heap<S>) -> bool {
    let large = layout(BEYOND_A_REGION, ALIGN);
    let served = heap.take(large, &mut Report::default()).is_some();
    heap.give_all();
    served
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.once(
        "architecture",
        &[Need::DistinctBlocks],
        &[
            ("shared", Unit::Count),
            ("reused", Unit::Count),
            ("coalesced", Unit::Count),
            ("header-bytes", Unit::Bytes),
            ("growing", Unit::Count),
        ],
        |b| b,
        |open, _| architecture(&mut open.heap(BLOCKS)),
    );
}
