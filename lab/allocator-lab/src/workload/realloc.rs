//! Reallocation: a block grows by doubling, as a `Vec` that is pushed to, or shrinks by
//! halves.

use alloc_scenario::Unit;

use crate::axis::axis_values;
use crate::entry::Need;
use crate::heap::{Block, Heap, Memory, Resized};
use crate::plan::Plan;
use crate::registration::{SubjectSuite, Workload};
use crate::report::{Found, Report};
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

/// Takes and resizes the blocks, and gives them back. It ends at the first refusal. Blocks
/// of every size are touched, if `memory` says so. The figures: the requests, those of the first
/// size included, and the resizes after which the block lay elsewhere.
#[inline(never)]
pub fn realloc<S: Subject>(heap: &mut Heap<S>, change: Change, memory: Memory) -> Found {
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
pub fn realloc_filled<S: Subject>(heap: &mut Heap<S>, change: Change) -> Found {
    each_size(
        heap,
        change,
        |mut block, index| block.fill(index as u8 + 1),
        |heap, index, size, report| {
            let resized = heap.resize_filled(index, size, report);
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
) -> Found {
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
                moves += i64::from(resized == Resized::Moved);
            }
        }
        Some(())
    };
    // The report has a refusal.
    let _ = run();
    heap.give_all();
    report.found([report.requests as i64, moves])
}

pub(crate) struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.found(
            "realloc",
            &[],
            Plan::VECTORS,
            &[("requests", Unit::Count), ("moves", Unit::Count)],
            |b| {
                b.axis("change", Change::ALL)
                    .axis("memory", [Memory::Untouched])
                    .elements(|&(_, change, _)| change.resizes())
            },
            |open, &(_, change, memory)| {
                let mut heap = open.heap(BLOCKS);
                heap.anchor(8 * LARGEST);
                (heap, change, memory)
            },
            |(heap, change, memory)| realloc(heap, *change, *memory),
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.check("realloc", &[Need::Memory], Plan::COUNTS, BLOCKS, |heap| {
            let reports = Change::ALL.map(|change| realloc_filled(heap, change).report);
            reports.into_iter().sum()
        });
    }
}
