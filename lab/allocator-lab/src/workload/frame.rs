//! Frames: the blocks of a frame of a game, which are given back at its end.

use crate::axis::axis_values;
use crate::heap::{Heap, Memory};
use crate::report::{REQUESTS, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Plan, SubjectSuite};

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
    /// Numbers of requests, each with a size in bytes, in the order of the frame.
    #[must_use]
    pub const fn requests(self) -> &'static [(usize, usize)] {
        match self {
            Self::Physics => &[(500, 96), (100, 256), (200, 64)],
            Self::Particles => &[(10_000, 64)],
            Self::Interface => &[(200, 164)],
        }
    }

    /// Frames of a call that is timed.
    #[must_use]
    pub const fn frames(self) -> usize {
        match self {
            Self::Physics => 5,
            Self::Particles => 1,
            Self::Interface => 20,
        }
    }

    /// Blocks that are live at the end of the frame.
    #[must_use]
    pub fn blocks(self) -> usize {
        self.requests().iter().map(|&(requests, _)| requests).sum()
    }
}

/// [`Scene::frames`]: each takes all blocks, and then gives them back.
#[inline(never)]
pub fn frames<S: Subject>(heap: &mut Heap<S>, scene: Scene, memory: Memory) -> Report {
    let mut report = Report::default();
    for _ in 0..scene.frames() {
        for &(requests, size) in scene.requests() {
            let layout = layout(size, ALIGN);
            for _ in 0..requests {
                if let Some(mut block) = heap.take(layout, &mut report) {
                    block.touch(memory);
                }
            }
        }
        heap.give_all();
    }
    report
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "frame",
        &[],
        Plan::SHORT,
        REQUESTS,
        |b| {
            b.axis("scene", Scene::ALL)
                .axis("memory", [Memory::Untouched, Memory::Touched])
                .elements(|&(_, scene, _)| scene.frames())
        },
        |open, &(_, scene, memory)| (open.heap(Scene::Particles.blocks()), scene, memory),
        |(heap, scene, memory)| frames(heap, *scene, *memory),
    );
}
