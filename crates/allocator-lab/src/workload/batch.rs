//! Batches: 1,000 blocks of 64 bytes, or the same bytes in fewer requests.

use std::fmt;

use crate::heap::Heap;
use crate::report::Report;
use crate::subject::Subject;

use super::{ALIGN, layout};

/// How 64,000 bytes are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// 1,000 requests of 64 bytes.
    Individual,
    /// 125 requests of 512 bytes, each for eight of them.
    Eights,
    /// One request.
    Whole,
}

impl Pattern {
    /// All, from the most requests to the fewest.
    pub const ALL: [Self; 3] = [Self::Individual, Self::Eights, Self::Whole];

    /// The number of requests and their size in bytes.
    #[must_use]
    pub const fn requests(self) -> (usize, usize) {
        match self {
            Self::Individual => (1_000, 64),
            Self::Eights => (125, 512),
            Self::Whole => (1, 64_000),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (requests, size) = self.requests();
        write!(f, "{requests}x{size}")
    }
}

/// Takes all blocks of the pattern, and then gives them back.
#[inline(never)]
pub fn batch<S: Subject>(heap: &mut Heap<S>, pattern: Pattern) -> Report {
    let mut report = Report::default();
    let (requests, size) = pattern.requests();
    let layout = layout(size, ALIGN);
    for _ in 0..requests {
        let _ = heap.take(layout, &mut report);
    }
    heap.give_all();
    report
}
