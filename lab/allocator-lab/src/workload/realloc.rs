//! Reallocation: a block grows by doubling, as a `Vec` that is pushed to, or shrinks by
//! halves.

use alloc_scenario::Unit;

use crate::axis::axis_values;
use crate::entry::Need;
use crate::heap::{Block, Heap, Memory, Resized};
use crate::plan::Plan;
use crate::registration::{Calls, SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::Subject;

/// The smallest size in bytes.
pub const SMALLEST: usize = 16;

/// How often the size doubles or halves.
pub const RESIZES: u32 = 16;

/// The largest size in bytes: 1 MiB.
pub const LARGEST: usize = SMALLEST << RESIZES;

/// Live blocks that the heap needs room for.
pub const BLOCKS: usize = 2;

axis_values! {
    /// How the sizes of blocks change.
    pub enum Change {
        /// A block of 16 bytes doubles 16 times, to 1 MiB.
        Grow = "grow",
        /// Two blocks of 16 bytes do so in turns. Mostly the other block lies behind the one
        /// that grows, which then has to move.
        GrowTwo = "grow-two",
        /// A block of 1 MiB halves 16 times, to 16 bytes.
        Shrink = "shrink",
    }
}

impl Change {
    /// The blocks.
    #[must_use]
    pub const fn blocks(self) -> usize {
        match self {
            Self::Grow | Self::Shrink => 1,
            Self::GrowTwo => 2,
        }
    }

    /// The resizes of all blocks.
    #[must_use]
    pub const fn resizes(self) -> u64 {
        self.blocks() as u64 * RESIZES as u64
    }

    /// The size after this many resizes.
    #[inline]
    const fn size(self, resizes: u32) -> usize {
        match self {
            Self::Grow | Self::GrowTwo => SMALLEST << resizes,
            Self::Shrink => LARGEST >> resizes,
        }
    }
}

/// The resizes, and how many of them moved the block.
#[derive(Clone, Copy, Debug)]
pub struct Realloc {
    /// The requests, those of the first size included.
    pub report: Report,
    /// Resizes after which the block lay elsewhere.
    pub moves: u64,
}

/// Takes and resizes the blocks, and gives them back. It ends at the first refusal. Blocks
/// of every size are touched, if `memory` says so.
#[inline(never)]
pub fn realloc<S: Subject>(heap: &mut Heap<S>, change: Change, memory: Memory) -> Realloc {
    each_size(
        heap,
        change,
        |mut block, _| block.touch(memory),
        |heap, index, size, report| {
            let resized = heap.resize(index, size, report);
            if resized.is_some() {
                heap.block(index).touch(memory);
            }
            resized
        },
    )
}

/// The same with contents, which are verified before and after each resize, and with a
/// search for blocks that overlap.
pub fn realloc_filled<S: Subject>(heap: &mut Heap<S>, change: Change) -> Realloc {
    let byte = |index| index as u8 + 1;
    each_size(
        heap,
        change,
        |mut block, index| block.fill(byte(index)),
        |heap, index, size, report| {
            let resized = heap.resize_filled(index, size, byte(index), report);
            report.overlapping += heap.overlapping();
            resized
        },
    )
}

/// `write` gets each block that was taken, with its index, and `resize` the index of a
/// block and its next size.
#[inline(always)]
fn each_size<S: Subject>(
    heap: &mut Heap<S>,
    change: Change,
    write: impl Fn(Block<'_, S>, usize),
    resize: impl Fn(&mut Heap<S>, usize, usize, &mut Report) -> Option<Resized>,
) -> Realloc {
    let mut report = Report::default();
    let mut moves = 0;
    let mut run = || {
        for index in 0..change.blocks() {
            let block = heap.take(layout(change.size(0), ALIGN), &mut report)?;
            write(block, index);
        }
        for resizes in 1..=RESIZES {
            for index in 0..change.blocks() {
                let resized = resize(heap, index, change.size(resizes), &mut report)?;
                moves += u64::from(resized == Resized::Moved);
            }
        }
        Some(())
    };
    // The report has a refusal.
    let _ = run();
    heap.give_all();
    Realloc { report, moves }
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        for memory in Memory::ALL {
            suite.scenario(
                "realloc",
                Need::for_memory(memory),
                Plan::VECTORS,
                |b| {
                    b.axis("change", Change::ALL)
                        .axis("memory", [memory])
                        .elements(|&(_, change, _)| change.resizes())
                },
                |b, subject| {
                    let open = subject.opener(BLOCKS);
                    b.calls(
                        move |&(_, change, memory)| {
                            let mut heap = open();
                            heap.anchor(8 * LARGEST);
                            (heap, change, memory)
                        },
                        |(heap, change, memory)| realloc(heap, *change, *memory),
                    )
                    .outcome(|realloc| realloc.report.outcome())
                    .metric("requests", Unit::Count, |realloc| {
                        realloc.report.requests as i64
                    })
                    .metric("moves", Unit::Count, |realloc| realloc.moves as i64)
                    .into()
                },
            );
        }
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.check("realloc", &[Need::Memory], Plan::COUNTS, BLOCKS, |heap| {
            Change::ALL
                .map(|change| realloc_filled(heap, change).report)
                .into_iter()
                .sum()
        });
    }
}
