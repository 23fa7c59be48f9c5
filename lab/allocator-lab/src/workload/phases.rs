//! Two phases, each timed: all blocks are taken, and then all are given back. Nothing is
//! written to them.

use std::alloc::Layout;
use std::array;
use std::hint::black_box;
use std::mem;
use std::time::Instant;

use alloc_scenario::Unit;

use crate::axis::axis_values;
use crate::heap::Heap;
use crate::memory::page_faults;
use crate::report::{Found, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Plan, SubjectSuite};

axis_values! {
    /// The requests.
    pub enum Load {
        /// 10,000 x 4,096 bytes aligned to 64, as in XSigma's report.
        Pages = "10000x4096",
        /// 100,000 x 16 bytes, as in OpenAlloc's.
        Small = "100000x16",
        /// 10,000 x 1,024 bytes, as in OpenAlloc's.
        Medium = "10000x1024",
        /// 1,000 x 10,240 bytes, as in OpenAlloc's.
        Large = "1000x10240",
        /// 50,000 blocks of 100, 200, 300 bytes and so on to 1,000, over and over, as in
        /// OpenAlloc's.
        Mixed = "50000xmixed",
    }
}

impl Load {
    /// The blocks, the size and the alignment of each; if they are mixed, their mean size.
    const fn requests(self) -> (usize, usize, usize) {
        match self {
            Self::Pages => (10_000, 4_096, 64),
            Self::Small => (100_000, 16, ALIGN),
            Self::Medium => (10_000, 1_024, ALIGN),
            Self::Large => (1_000, 10_240, ALIGN),
            Self::Mixed => (50_000, 550, ALIGN),
        }
    }

    /// Blocks that are live after the first phase.
    #[must_use]
    pub const fn blocks(self) -> usize {
        self.requests().0
    }

    /// The layouts of ten requests, which follow each other over and over.
    fn layouts(self) -> [Layout; 10] {
        let (_, size, align) = self.requests();
        let is_mixed = self == Self::Mixed;
        array::from_fn(|nth| layout(if is_mixed { 100 * (1 + nth) } else { size }, align))
    }
}

/// Runs both phases. The values: the requests, the pages that the system provided, and the
/// nanoseconds of taking all blocks, of giving all back and of both. An arena is reset.
#[inline(never)]
pub fn phases<S: Subject>(heap: &mut Heap<S>, load: Load) -> Found {
    let mut report = Report::default();
    // The compiler must not know them: it would optimize the loop for some subjects and not for
    // others.
    let layouts = black_box(load.layouts());
    let before = page_faults();
    let begin = Instant::now();
    for _ in 0..load.blocks() / layouts.len() {
        for layout in layouts {
            let _ = heap.take(layout, &mut report);
        }
    }
    let taken = Instant::now();
    heap.give_all();
    let end = Instant::now();
    let (taking, giving) = (nanoseconds(begin, taken), nanoseconds(taken, end));
    report.found([
        report.requests as i64,
        (page_faults() - before) as i64,
        taking as i64,
        giving as i64,
        (taking + giving) as i64,
    ])
}

/// The nanoseconds from one instant to another.
pub(crate) fn nanoseconds(begin: Instant, end: Instant) -> u64 {
    u64::try_from(end.duration_since(begin).as_nanos()).unwrap_or(u64::MAX)
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "phases",
        &[],
        Plan(1, 5),
        &[
            ("requests", Unit::Count),
            ("page-faults", Unit::Count),
            ("alloc-time", Unit::Nanoseconds),
            ("free-time", Unit::Nanoseconds),
            ("pairs-time", Unit::Nanoseconds),
        ],
        |b| {
            b.axis("load", Load::ALL)
                .elements(|&(_, load)| load.blocks())
        },
        |open, &(_, load)| (open.heap(Load::Small.blocks()), load, true),
        // The first call finds memory that was never used; the later ones do not see the
        // end of a heap come and go.
        |(heap, load, is_first)| {
            let phases = phases(heap, *load);
            if mem::take(is_first) {
                let (blocks, size, _) = load.requests();
                heap.anchor(2 * blocks * size);
            }
            phases
        },
    );
}
