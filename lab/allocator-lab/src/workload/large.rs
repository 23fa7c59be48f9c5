//! Large blocks, one at a time: the time of a pair, and whether they keep what is written there. Verifying takes longer than many allocators, so it has a scenario of its
//! own, without a time.

use alloc_scenario::Unit;

use crate::axis::axis_values;
use crate::entry::Need;
use crate::heap::{Heap, Memory};
use crate::plan::Plan;
use crate::registration::{SubjectSuite, Workload};
use crate::report::Report;
use crate::request::layout;
use crate::subject::Subject;

/// The sizes in MiB.
pub const MEBIBYTES: [usize; 3] = [1, 16, 64];

/// The alignment of large blocks: that of a cache line.
const ALIGN: usize = 64;

axis_values! {
    /// What is done with a block, after it was taken and before it is given back.
    pub enum Use {
        /// Nothing.
        Untouched = "untouched",
        /// The first byte of each 4,096 bytes is written.
        Touched = "touched",
        /// Every byte is written and read back.
        Verified = "verified",
    }
}

impl Use {
    /// Pairs of one call. A pair that writes to 64 MiB takes up to tens of milliseconds.
    #[must_use]
    pub const fn pairs(self, mebibytes: usize) -> usize {
        match self {
            Self::Untouched => 4_000,
            Self::Touched => MEBIBYTES[2] / mebibytes,
            Self::Verified => 1,
        }
    }

    const fn needs(self) -> &'static [Need] {
        match self {
            Self::Untouched | Self::Touched => &[],
            Self::Verified => &[Need::Memory],
        }
    }
}

/// [`Use::pairs`] blocks of this many MiB, one after the other.
#[inline(never)]
pub fn large<S: Subject>(heap: &mut Heap<S>, mebibytes: usize, used: Use) -> Report {
    let mut report = Report::default();
    let layout = layout(mebibytes << 20, ALIGN);
    for _ in 0..used.pairs(mebibytes) {
        if let Some(mut block) = heap.take(layout, &mut report) {
            match used {
                Use::Untouched => {}
                Use::Touched => block.touch(Memory::Touched),
                Use::Verified => {
                    block.fill(0xa5);
                    report.corrupt += u64::from(!block.is_intact());
                }
            }
        }
        heap.give_all();
    }
    report
}

pub(crate) struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        for used in Use::ALL {
            suite.found(
                "large",
                used.needs(),
                Plan::SLOW,
                &[("requests", Unit::Count), ("successful", Unit::Count)],
                |b| {
                    let b = b.axis("mebibytes", MEBIBYTES).axis("memory", [used]);
                    let b = b.elements(|&(_, mebibytes, used)| used.pairs(mebibytes));
                    match used {
                        Use::Untouched | Use::Touched => b,
                        Use::Verified => b.untimed(),
                    }
                },
                |open, &(_, mebibytes, used)| (open.heap(1), mebibytes, used),
                |(heap, mebibytes, used)| {
                    let report = large(heap, *mebibytes, *used);
                    report.found([report.requests, report.successful()].map(|n| n as i64))
                },
            );
        }
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.check("large", &[Need::Memory], Plan::ONCE, 1, |heap| {
            let blocks = MEBIBYTES.map(|mebibytes| large(heap, mebibytes, Use::Verified));
            blocks.into_iter().sum()
        });
    }
}
