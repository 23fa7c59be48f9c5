//! Frames: the blocks of a frame of a game, which are given back at its end; and batches, which
//! are 64,000 bytes in more or fewer blocks.

use crate::axis::axis_values;
use crate::heap::{Heap, Memory};
use crate::report::{REQUESTS, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Plan, SubjectSuite};

/// Numbers of blocks, each with a size in bytes, in the order of a frame.
pub type Blocks = &'static [(usize, usize)];

/// The most blocks of a frame.
pub const MOST_BLOCKS: usize = 10_000;

axis_values! {
    /// How 64,000 bytes are requested.
    pub enum Pattern {
        /// 1,000 requests of 64 bytes.
        Individual = "1000x64",
        /// 125 requests of 512 bytes, each for eight of them.
        Eights = "125x512",
        /// One request.
        Whole = "1x64000",
    }
}

impl Pattern {
    /// The blocks of a batch.
    #[must_use]
    pub const fn blocks(self) -> Blocks {
        match self {
            Self::Individual => &[(1_000, 64)],
            Self::Eights => &[(125, 512)],
            Self::Whole => &[(1, 64_000)],
        }
    }
}

axis_values! {
    /// The requests of a frame; the numbers are those of framealloc 0.9.0's benchmarks of
    /// these names.
    pub enum Scene {
        /// 500 x 96, 100 x 256 and 200 x 64 bytes.
        Physics = "physics",
        /// 10,000 x 64 bytes.
        Particles = "particles",
        /// 200 x 164 bytes.
        Interface = "ui",
    }
}

impl Scene {
    /// The blocks of a frame.
    #[must_use]
    pub const fn blocks(self) -> Blocks {
        match self {
            Self::Physics => &[(500, 96), (100, 256), (200, 64)],
            Self::Particles => &[(MOST_BLOCKS, 64)],
            Self::Interface => &[(200, 164)],
        }
    }
}

/// The frames of a call: as many as have 4,000 blocks, and one at least.
fn count(blocks: Blocks) -> usize {
    let blocks: usize = blocks.iter().map(|&(blocks, _)| blocks).sum();
    (4_000 / blocks).max(1)
}

/// Frames of 4,000 blocks in all: each takes all of its blocks, and then gives them back.
#[inline(never)]
pub fn frames<S: Subject>(heap: &mut Heap<S>, blocks: Blocks, memory: Memory) -> Report {
    let mut report = Report::default();
    for _ in 0..count(blocks) {
        for &(blocks, size) in blocks {
            let layout = layout(size, ALIGN);
            for _ in 0..blocks {
                if let Some(mut block) = heap.take(layout, &mut report) {
                    block.touch(memory);
                }
            }
        }
        heap.give_all();
    }
    report
}

pub(crate) fn measure_batches<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "batch",
        &[],
        Plan::SHORT,
        REQUESTS,
        |b| {
            let b = b.axis("pattern", Pattern::ALL);
            b.elements(|&(_, pattern)| count(pattern.blocks()))
        },
        |open, &(_, pattern)| (open.heap(MOST_BLOCKS), pattern.blocks()),
        |(heap, blocks)| frames(heap, blocks, Memory::Untouched),
    );
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "frame",
        &[],
        Plan::SHORT,
        REQUESTS,
        |b| {
            let b = b.axis("scene", Scene::ALL);
            b.axis("memory", [Memory::Untouched, Memory::Touched])
                .elements(|&(_, scene, _)| count(scene.blocks()))
        },
        |open, &(_, scene, memory)| (open.heap(MOST_BLOCKS), scene.blocks(), memory),
        |(heap, blocks, memory)| frames(heap, blocks, *memory),
    );
}
