//! Pairs of blocks whose bytes are all zero: `Box::new([0; N])`, which takes a block and
//! fills it, and `alloc_zeroed`, whose allocator may know that the memory is zero already.

use crate::axis::axis_values;
use crate::entry::Need;
use crate::heap::{Heap, Memory};
use crate::plan::Plan;
use crate::registration::{Calls, Recorded, SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::{Kind, Subject};
use crate::workload::pair::{self, SIZES};

/// Pairs of one call: about the same bytes of each size.
#[must_use]
pub const fn pairs(size: usize) -> u64 {
    match size {
        ..=256 => 4_000,
        257..=4_096 => 1_000,
        _ => 200,
    }
}

axis_values! {
    /// Who writes the zeros.
    pub enum By {
        /// The workload, as `Box::new([0; N])` does.
        Fill = "fill",
        /// The allocator. The first byte of each 4,096 bytes is written after that, so that
        /// a block that comes again is not zero.
        Allocator = "alloc-zeroed",
        /// The allocator, and each block is read and filled with ones: without a time.
        Verified = "verified",
    }
}

impl By {
    const fn needs(self) -> &'static [Need] {
        match self {
            Self::Fill | Self::Allocator => &[Need::Writable],
            Self::Verified => &[Need::Memory],
        }
    }
}

/// [`pairs`] of this size.
///
/// An arena gives nothing back by itself; it is reset as in [`pair::pairs`].
#[inline(never)]
pub fn zeroed<S: Subject>(heap: &mut Heap<S>, size: usize, by: By) -> Report {
    let mut report = Report::default();
    let layout = layout(size, ALIGN);
    let room = match S::KIND {
        Kind::General => 1,
        Kind::Arena => pair::blocks(size),
    };
    for _ in 0..pairs(size) {
        match by {
            By::Fill => {
                if let Some(mut block) = heap.take(layout, &mut report) {
                    block.fill(0);
                }
            }
            By::Allocator => {
                if let Some(mut block) = heap.take_zeroed(layout, &mut report) {
                    block.touch(Memory::Touched);
                }
            }
            By::Verified => {
                if let Some(mut block) = heap.take_zeroed(layout, &mut report) {
                    let is_zero = block.holds(0);
                    block.fill(0xff);
                    report.corrupt += u64::from(!is_zero);
                }
            }
        }
        if heap.live_blocks() == room {
            heap.give_all();
        }
    }
    heap.give_all();
    report
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        for by in By::ALL {
            suite.scenario(
                "zeroed",
                by.needs(),
                Plan::LONG,
                |b| {
                    let b = b
                        .axis("size", SIZES)
                        .axis("by", [by])
                        .elements(|&(_, size, _)| pairs(size));
                    match by {
                        By::Fill | By::Allocator => b,
                        By::Verified => b.untimed(),
                    }
                },
                |b, subject| {
                    let open = subject.opener(pair::blocks(SIZES[0]));
                    b.calls(
                        move |&(_, size, by)| (open(), size, by),
                        |(heap, size, by)| zeroed(heap, *size, *by),
                    )
                    .requests()
                    .into()
                },
            );
        }
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let blocks = pair::blocks(SIZES[0]);
        suite.check("zeroed", &[Need::Memory], Plan::COUNTS, blocks, |heap| {
            let pairs = SIZES.map(|size| zeroed(heap, size, By::Verified));
            pairs.into_iter().sum()
        });
    }
}
