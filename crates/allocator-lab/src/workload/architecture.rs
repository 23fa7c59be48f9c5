//! Architecture: properties of a subject that the addresses of its blocks show.

use alloc_scenario::Unit;

use crate::entry::{Need, available};
use crate::heap::Heap;
use crate::memory::Footprint;
use crate::plan::Plan;
use crate::registration::{SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::{Subject, Unavailable};

/// Neighbouring blocks that are given back together.
const SMALL_BLOCKS: usize = 256;
/// The size of each.
const SMALL_BYTES: usize = 1_024;
/// The size of the block that is taken after them, a quarter of their bytes.
const LARGE_BYTES: usize = 65_536;
/// Blocks of [`LARGE_BYTES`] that are written and given back: 64 MiB.
const LARGE_BLOCKS: usize = 1_024;

/// Live blocks that the heap needs room for.
pub const BLOCKS: usize = LARGE_BLOCKS;

/// The properties that were found.
#[derive(Clone, Copy, Debug)]
pub struct Architecture {
    /// The requests that found it out.
    pub report: Report,
    /// Whether several threads may use one subject at once; its adapter says it.
    pub shared: bool,
    /// Whether a block of 64 bytes that was given back is the next one that is handed
    /// out for 64 bytes.
    pub reused: bool,
    /// Whether a block of 65,536 bytes lies where 256 blocks of 1,024 bytes were given
    /// back just before.
    pub coalesced: bool,
    /// By how many bytes the resident memory has grown after 64 MiB were taken in blocks of
    /// 65,536 bytes, written, and given back.
    pub kept_bytes: i64,
}

/// Finds the properties. An arena is reset where other subjects take blocks back.
///
/// # Errors
///
/// When the footprint of the process can't be read.
pub fn architecture<S: Subject>(heap: &mut Heap<S>) -> Result<Architecture, Unavailable> {
    let mut report = Report::default();
    let reused = reuses(heap, &mut report);
    let coalesced = coalesces(heap, &mut report);
    let before = Footprint::now()?;
    for _ in 0..LARGE_BLOCKS {
        if let Some(mut block) = heap.take(layout(LARGE_BYTES, ALIGN), &mut report) {
            block.fill(1);
        }
    }
    heap.give_all();
    Ok(Architecture {
        report,
        shared: S::SHARED,
        reused,
        coalesced,
        kept_bytes: Footprint::now()?.since(before).resident,
    })
}

fn reuses<S: Subject>(heap: &mut Heap<S>, report: &mut Report) -> bool {
    let layout = layout(64, ALIGN);
    let first = heap.take(layout, report).map(|block| block.address());
    heap.give_all();
    let second = heap.take(layout, report).map(|block| block.address());
    heap.give_all();
    first.is_some() && first == second
}

fn coalesces<S: Subject>(heap: &mut Heap<S>, report: &mut Report) -> bool {
    let (mut first, mut end) = (usize::MAX, 0);
    for _ in 0..SMALL_BLOCKS {
        if let Some(block) = heap.take(layout(SMALL_BYTES, ALIGN), report) {
            let address = block.address();
            first = first.min(address);
            end = end.max(address + SMALL_BYTES);
        }
    }
    heap.give_all();
    let large = heap
        .take(layout(LARGE_BYTES, ALIGN), report)
        .map(|block| block.address());
    heap.give_all();
    large.is_some_and(|address| (first..end).contains(&address))
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "architecture",
            &[Need::DistinctBlocks, Need::Footprint],
            Plan::ONCE,
            |b| b,
            |b, subject| {
                let open = subject.opener(BLOCKS);
                // A process is asked once, in the set-up; the iteration reports the answers.
                b.setup(move |_| available(architecture(&mut open())))
                    .run(|found| *found)
                    .outcome(|found| found.report.outcome())
                    .metric("shared", Unit::Count, |found| i64::from(found.shared))
                    .metric("reused", Unit::Count, |found| i64::from(found.reused))
                    .metric("coalesced", Unit::Count, |found| i64::from(found.coalesced))
                    .metric("kept-bytes", Unit::Bytes, |found| found.kept_bytes)
                    .into()
            },
        );
    }
}
