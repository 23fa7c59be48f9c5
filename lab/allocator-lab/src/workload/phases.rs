//! Two phases, each timed: all blocks are taken, and then all are given back. Nothing is
//! written to them.

use std::alloc::Layout;
use std::hint::black_box;
use std::mem;
use std::time::Instant;

use alloc_scenario::Unit;

use crate::axis::axis_values;
use crate::heap::Heap;
use crate::memory::PageFaults;
use crate::plan::Plan;
use crate::registration::{Calls, SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::Subject;

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
    /// Blocks that are live after the first phase.
    #[must_use]
    pub const fn blocks(self) -> usize {
        match self {
            Self::Pages | Self::Medium => 10_000,
            Self::Small => 100_000,
            Self::Large => 1_000,
            Self::Mixed => 50_000,
        }
    }

    /// All bytes that are requested.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Pages => 40_960_000,
            Self::Small => 1_600_000,
            Self::Medium | Self::Large => 10_240_000,
            Self::Mixed => 27_500_000,
        }
    }

    /// The layout of all requests, unless they are mixed. The compiler must not know it:
    /// it would optimize the loop for some subjects and not for others.
    fn one_layout(self) -> Option<Layout> {
        let (size, align) = match self {
            Self::Pages => (4_096, 64),
            Self::Small => (16, ALIGN),
            Self::Medium => (1_024, ALIGN),
            Self::Large => (10_240, ALIGN),
            Self::Mixed => return None,
        };
        Some(black_box(layout(size, align)))
    }
}

/// The layout of the request of this index, if they are mixed.
#[inline]
fn mixed(index: usize) -> Layout {
    layout(100 * (1 + index % 10), ALIGN)
}

/// The times and the page faults of both phases.
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    /// The requests.
    pub report: Report,
    /// Nanoseconds of taking all blocks.
    pub alloc_nanoseconds: u64,
    /// Nanoseconds of giving all back; of the reset, if the subject is an arena.
    pub free_nanoseconds: u64,
    /// Pages that the system provided.
    pub page_faults: u64,
}

/// Runs both phases.
#[inline(never)]
pub fn phases<S: Subject>(heap: &mut Heap<S>, load: Load) -> Phases {
    let mut report = Report::default();
    let one_layout = load.one_layout();
    let before = faults();
    let begin = Instant::now();
    match one_layout {
        Some(layout) => {
            for _ in 0..load.blocks() {
                let _ = heap.take(layout, &mut report);
            }
        }
        None => {
            for index in 0..load.blocks() {
                let _ = heap.take(mixed(index), &mut report);
            }
        }
    }
    let taken = Instant::now();
    heap.give_all();
    let end = Instant::now();
    Phases {
        report,
        alloc_nanoseconds: nanoseconds(begin, taken),
        free_nanoseconds: nanoseconds(taken, end),
        page_faults: faults() - before,
    }
}

/// The page faults of the process so far; 0 where they can't be read.
fn faults() -> u64 {
    PageFaults::now().map_or(0, |faults| faults.minor)
}

/// The nanoseconds from one instant to another.
pub(crate) fn nanoseconds(begin: Instant, end: Instant) -> u64 {
    u64::try_from(end.duration_since(begin).as_nanos()).unwrap_or(u64::MAX)
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "phases",
            &[],
            Plan::LONG,
            |b| {
                b.axis("load", Load::ALL)
                    .elements(|&(_, load)| load.blocks())
            },
            |b, subject| {
                let open = subject.opener(Load::Small.blocks());
                // The first call finds memory that was never used; the later ones do not see the
                // end of a heap come and go.
                b.calls(
                    move |&(_, load)| (open(), load, true),
                    |(heap, load, is_first)| {
                        let phases = phases(heap, *load);
                        if mem::take(is_first) {
                            heap.anchor(2 * load.bytes());
                        }
                        phases
                    },
                )
                .outcome(|phases| phases.report.outcome())
                .metric("requests", Unit::Count, |phases| {
                    phases.report.requests as i64
                })
                .metric("page-faults", Unit::Count, |phases| {
                    phases.page_faults as i64
                })
                .metric("alloc-time", Unit::Nanoseconds, |phases| {
                    phases.alloc_nanoseconds as i64
                })
                .metric("free-time", Unit::Nanoseconds, |phases| {
                    phases.free_nanoseconds as i64
                })
                .metric("pairs-time", Unit::Nanoseconds, |phases| {
                    (phases.alloc_nanoseconds + phases.free_nanoseconds) as i64
                })
                .into()
            },
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let blocks = Load::Small.blocks();
        suite.check("phases", &[], Plan::ONCE, blocks, |heap| {
            Load::ALL
                .map(|load| phases(heap, load).report)
                .into_iter()
                .sum()
        });
    }
}
