//! Pairs: each block is given back before the next one is taken.

use crate::heap::{Heap, Memory};
use crate::report::{REQUESTS, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Plan, SubjectSuite};

/// The sizes in bytes.
pub const SIZES: [usize; 5] = [64, 256, 1_024, 4_096, 65_536];

/// Pairs of one call.
pub const PAIRS: u64 = 1_000;

/// How many bytes an arena hands out before it is reset.
const ARENA_BYTES: usize = 65_536;

/// Live blocks that the heap needs room for: an arena keeps them until it is reset.
#[must_use]
pub const fn blocks(size: usize) -> usize {
    let blocks = ARENA_BYTES / size;
    if blocks == 0 { 1 } else { blocks }
}

/// [`PAIRS`] pairs of this size.
///
/// An arena gives nothing back by itself; it is reset whenever it has handed out
/// 65,536 bytes, and at the end.
#[inline(never)]
pub fn pairs<S: Subject>(heap: &mut Heap<S>, size: usize, memory: Memory) -> Report {
    let mut report = Report::default();
    let layout = layout(size, ALIGN);
    for _ in 0..PAIRS {
        if S::IS_ARENA && heap.live_blocks() == blocks(size) {
            heap.give_all();
        }
        if let Some(mut block) = heap.take(layout, &mut report) {
            block.touch(memory);
            if !S::IS_ARENA {
                heap.give_last();
            }
        }
    }
    if S::IS_ARENA {
        heap.give_all();
    }
    report
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "pair",
        &[],
        Plan::SHORT,
        REQUESTS,
        |b| {
            b.axis("size", SIZES)
                .axis("memory", [Memory::Untouched, Memory::Filled])
                .elements(|_| PAIRS)
        },
        |open, &(_, size, memory)| (open.heap(blocks(SIZES[0])), size, memory),
        |(heap, size, memory)| pairs(heap, *size, *memory),
    );
}
