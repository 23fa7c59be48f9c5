//! Depth: the time of a pair beside more and more live and free blocks. It shows whether
//! the cost of a call is constant, or grows with the blocks that an allocator manages.

use crate::entry::Need;
use crate::heap::Heap;
use crate::plan::Plan;
use crate::registration::{Calls, SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::Subject;

/// How many holes there are, with a live block after each. They tell a constant cost from
/// one that grows with the holes: first fit takes 20 ns beside one hole, more than 10,000 ns
/// beside 1,000, and seconds for each call beside 10,000.
pub const HOLES: [usize; 3] = [1, 100, 1_000];

/// The size of a hole and of a live block.
const HOLE_BYTES: usize = 64;
/// The size of the block of a pair, for which a hole is too small.
const PAIR_BYTES: usize = 128;

/// Pairs of one call.
pub const PAIRS: u64 = 4_000;

/// Live blocks that the heap needs room for: those that become holes, and the others.
pub const BLOCKS: usize = 2 * HOLES[2];

/// Takes twice this many blocks of 64 bytes and gives every second one back.
pub fn make_holes<S: Subject>(heap: &mut Heap<S>, holes: usize) -> Report {
    let mut report = Report::default();
    for _ in 0..2 * holes {
        let _ = heap.take(layout(HOLE_BYTES, ALIGN), &mut report);
    }
    heap.give_every_other();
    report
}

/// [`PAIRS`] pairs of 128 bytes.
#[inline(never)]
pub fn pairs_beside<S: Subject>(heap: &mut Heap<S>) -> Report {
    let mut report = Report::default();
    let layout = layout(PAIR_BYTES, ALIGN);
    for _ in 0..PAIRS {
        if heap.take(layout, &mut report).is_some() {
            heap.give_last();
        }
    }
    report
}

/// How the workload is measured.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "depth",
            &[Need::SingleBlocks],
            Plan::SLOW,
            |b| b.axis("holes", HOLES).elements(|_| PAIRS),
            |b, subject| {
                let open = subject.opener(BLOCKS);
                b.calls(
                    move |&(_, holes)| {
                        let mut heap = open();
                        let made = make_holes(&mut heap, holes);
                        assert_eq!(made.successful(), made.requests, "all blocks are there");
                        heap
                    },
                    pairs_beside,
                )
                .outcome(Report::outcome)
                .into()
            },
        );
    }
}
