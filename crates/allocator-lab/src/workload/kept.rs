//! What a subject keeps of memory that was given back: at once, and later.
//!
//! Some allocators return pages after a delay, mostly in a later call of theirs. So the
//! process waits, and then makes a few pairs before its memory is read.

use std::fmt;
use std::thread;
use std::time::Duration;

use alloc_scenario::Unit;

use crate::entry::{Need, available};
use crate::heap::{Heap, Memory};
use crate::memory::Footprint;
use crate::plan::Plan;
use crate::registration::{SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::{Subject, Unavailable};
use crate::workload::pair::{self, pairs};

/// The variable that adds the scenarios which wait; its value does not matter.
pub const LONG: &str = "ALLOCATOR_LAB_LONG";

/// Blocks that are written and given back: 64 MiB.
const LARGE_BLOCKS: usize = 1_024;
/// The size of each.
const LARGE_BYTES: usize = 65_536;

/// Live blocks that the heap needs room for.
pub const BLOCKS: usize = LARGE_BLOCKS;

/// How long the process waits before its memory is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After(pub Duration);

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs())
    }
}

/// The memory that was kept.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// The requests.
    pub report: Report,
    /// By how many bytes the resident memory has grown.
    pub bytes: i64,
}

/// Takes 64 MiB in blocks of 65,536 bytes, writes them and gives them back. Then it waits,
/// makes 1,000 pairs of 64 bytes, and reads the memory of the process.
///
/// # Errors
///
/// When the footprint of the process can't be read.
pub fn kept<S: Subject>(heap: &mut Heap<S>, After(wait): After) -> Result<Kept, Unavailable> {
    let mut report = Report::default();
    let before = Footprint::now()?;
    for _ in 0..LARGE_BLOCKS {
        if let Some(mut block) = heap.take(layout(LARGE_BYTES, ALIGN), &mut report) {
            block.fill(1);
        }
    }
    heap.give_all();
    thread::sleep(wait);
    report += pairs(heap, pair::SIZES[0], Memory::Untouched);
    Ok(Kept {
        report,
        bytes: Footprint::now()?.since(before).resident,
    })
}

/// How the workload is measured: 14 seconds of waiting for each subject are only in the
/// runs that ask for them.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let mut waits = vec![0];
        if std::env::var_os(LONG).is_some() {
            waits.extend([2, 12]);
        }
        suite.scenario(
            "kept",
            &[Need::Memory, Need::Footprint],
            Plan::ONCE,
            |b| {
                b.axis(
                    "after",
                    waits
                        .into_iter()
                        .map(|seconds| After(Duration::from_secs(seconds))),
                )
            },
            |b, subject| {
                let open = subject.opener(BLOCKS);
                // A process measures it once, in the set-up; the iteration reports it.
                b.setup(move |&(_, after)| available(kept(&mut open(), after)))
                    .run(|kept| *kept)
                    .outcome(|kept| kept.report.outcome())
                    .metric("kept-bytes", Unit::Bytes, |kept| kept.bytes)
                    .into()
            },
        );
    }
}
