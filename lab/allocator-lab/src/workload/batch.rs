//! Batches: 1,000 blocks of 64 bytes, or the same bytes in fewer requests.

use crate::axis::axis_values;
use crate::heap::Heap;
use crate::report::{REQUESTS, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Plan, SubjectSuite};

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

const MOST_BLOCKS: usize = Pattern::Individual.requests().0;

impl Pattern {
    /// The number of requests and their size in bytes.
    #[must_use]
    pub const fn requests(self) -> (usize, usize) {
        match self {
            Self::Individual => (1_000, 64),
            Self::Eights => (125, 512),
            Self::Whole => (1, 64_000),
        }
    }

    /// Batches of a call that is timed: as many as have 4,000 requests.
    #[must_use]
    pub const fn batches(self) -> usize {
        4_000 / self.requests().0
    }
}

/// [`Pattern::batches`]: each takes all blocks of the pattern, and then gives them back.
#[inline(never)]
pub fn batches<S: Subject>(heap: &mut Heap<S>, pattern: Pattern) -> Report {
    let mut report = Report::default();
    let (requests, size) = pattern.requests();
    let layout = layout(size, ALIGN);
    for _ in 0..pattern.batches() {
        for _ in 0..requests {
            let _ = heap.take(layout, &mut report);
        }
        heap.give_all();
    }
    report
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "batch",
        &[],
        Plan::SHORT,
        REQUESTS,
        |b| {
            b.axis("pattern", Pattern::ALL)
                .elements(|&(_, pattern)| pattern.batches())
        },
        |open, &(_, pattern)| (open.heap(MOST_BLOCKS), pattern),
        |(heap, pattern)| batches(heap, *pattern),
    );
}
