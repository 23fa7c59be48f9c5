//! Memory over time: a heap grows and shrinks in phases, with other sizes in each, and the
//! memory of the process is read after each phase.

use alloc_scenario::Unit;

use crate::entry::{Need, available};
use crate::heap::Heap;
use crate::memory::{Footprint, PageFaults};
use crate::mt19937::Mt19937;
use crate::plan::Plan;
use crate::registration::{Calls, SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::{Subject, Unavailable};
use crate::workload::pattern;

/// Live bytes after a phase that builds up, or up to one block less.
pub const FULL_BYTES: u64 = 32 << 20;

/// Live blocks that the heap needs room for, at most.
pub const BLOCKS: usize = 29_000;

/// The seed of sizes and of blocks to give back.
const SEED: u32 = 42;

/// The number of phases.
pub const PHASES: usize = 6;

/// What a phase does.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Takes blocks of the smallest to the largest size, until the next one would be more
    /// than 32 MiB.
    Build { smallest: u32, largest: u32 },
    /// Gives nine of ten live blocks back, which are drawn.
    GiveMost,
    /// Gives all back.
    GiveAll,
}

const ORDER: [Phase; PHASES] = [
    Phase::Build {
        smallest: 256,
        largest: 4_096,
    },
    Phase::GiveMost,
    Phase::Build {
        smallest: 4_096,
        largest: 65_536,
    },
    Phase::GiveMost,
    Phase::Build {
        smallest: 128,
        largest: 2_048,
    },
    Phase::GiveAll,
];

/// The memory after a phase.
#[derive(Clone, Copy, Debug)]
pub struct Churn {
    /// The requests of all phases so far.
    pub report: Report,
    /// The live bytes, as requested. A subject that refuses nothing has the same as any
    /// other.
    pub live_bytes: u64,
    /// The live blocks.
    pub live_blocks: u64,
    /// The growth of the process's memory since before the first phase.
    pub grown: Footprint,
    /// The page faults of all phases so far.
    pub faults: PageFaults,
}

/// Runs this many phases:
///
/// 1. takes blocks of 256 to 4,096 bytes, 32 MiB in all;
/// 2. gives nine of ten blocks back, at random;
/// 3. takes blocks of 4,096 to 65,536 bytes, until 32 MiB are live;
/// 4. gives nine of ten blocks back, at random;
/// 5. takes blocks of 128 to 2,048 bytes, until 32 MiB are live;
/// 6. gives all blocks back.
///
/// mt19937 draws sizes and blocks. Every byte is written, and verified when its block is
/// given back. The memory is read right after the last phase. The process must be fresh and
/// the heap new: memory of earlier blocks would hide the growth. An arena gives nothing back
/// before phase 6.
///
/// # Errors
///
/// When the system does not tell the memory or the page faults.
pub fn churn<S: Subject>(heap: &mut Heap<S>, phases: usize) -> Result<Churn, Unavailable> {
    let before = Footprint::now()?;
    let earlier = PageFaults::now()?;
    let (report, live_bytes) = run_phases(heap, phases);
    let faults = PageFaults::now()?.since(earlier);
    let grown = Footprint::now()?.since(before);
    Ok(Churn {
        report,
        live_bytes,
        live_blocks: heap.live_blocks() as u64,
        grown,
        faults,
    })
}

/// Returns the requests of this many phases and the live bytes after them.
fn run_phases<S: Subject>(heap: &mut Heap<S>, phases: usize) -> (Report, u64) {
    let mut report = Report::default();
    let mut random = Mt19937::new(SEED);
    let mut live_bytes = 0;
    for &phase in &ORDER[..phases] {
        match phase {
            Phase::Build { smallest, largest } => loop {
                let size = random.draw_in(smallest..=largest);
                let bytes = live_bytes + u64::from(size);
                if bytes > FULL_BYTES {
                    break;
                }
                match heap.take(layout(size as usize, ALIGN), &mut report) {
                    Some(mut block) => block.fill(pattern(size as usize)),
                    // A heap that is full would refuse for ever.
                    None => break,
                }
                live_bytes = bytes;
            },
            Phase::GiveMost => {
                for _ in 0..heap.live_blocks() * 9 / 10 {
                    let index = random.draw_below(heap.live_blocks() as u32) as usize;
                    live_bytes -= verify(heap, index, &mut report);
                    heap.give_and_swap(index);
                }
            }
            Phase::GiveAll => {
                for index in 0..heap.live_blocks() {
                    live_bytes -= verify(heap, index, &mut report);
                }
                heap.give_all();
            }
        }
        report.overlapping += heap.overlapping();
    }
    (report, live_bytes)
}

/// Reports whether the block has its contents, and returns its size.
fn verify<S: Subject>(heap: &mut Heap<S>, index: usize, report: &mut Report) -> u64 {
    let block = heap.block(index);
    let size = block.size();
    report.corrupt += u64::from(!block.holds(pattern(size)));
    size as u64
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    /// A process measures it once, in the set-up; the iteration reports the result.
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "churn",
            &[Need::Memory, Need::Footprint],
            Plan::ONCE,
            |b| b.axis("phase", 1..=PHASES).untimed(),
            |b, subject| {
                let open = subject.opener(BLOCKS);
                b.calls(
                    move |&(_, phases)| available(churn(&mut open(), phases)),
                    |churn| *churn,
                )
                .outcome(|churn| churn.report.outcome())
                .metric("requests", Unit::Count, |churn| {
                    churn.report.requests as i64
                })
                .metric("live-blocks", Unit::Count, |churn| churn.live_blocks as i64)
                .metric("live-bytes", Unit::Bytes, |churn| churn.live_bytes as i64)
                .metric("resident-growth", Unit::Bytes, |churn| churn.grown.resident)
                .metric("mapped-growth", Unit::Bytes, |churn| churn.grown.mapped)
                .metric("huge-growth", Unit::Bytes, |churn| churn.grown.huge)
                .metric("minor-faults", Unit::Count, |churn| {
                    churn.faults.minor as i64
                })
                .metric("major-faults", Unit::Count, |churn| {
                    churn.faults.major as i64
                })
                .into()
            },
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.check("churn", &[Need::Memory], Plan::ONCE, BLOCKS, |heap| {
            run_phases(heap, PHASES).0
        });
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::alloc::System;

    use alloc_assert::in_fresh_process;

    use super::*;
    use crate::subject::Global;

    #[test]
    fn a_full_heap_is_resident_and_each_of_its_pages_was_a_fault() {
        in_fresh_process(|| {
            let churn = churn(&mut Heap::new(Global(System), BLOCKS), 1).unwrap();
            let live = churn.live_bytes as i64;
            assert!(live > FULL_BYTES as i64 - 4_096, "{churn:?}");
            assert!(churn.grown.resident >= live, "{churn:?}");
            // 16 bytes and less than 16 more for each block of 2,176 bytes on average.
            assert!(churn.grown.resident < live * 21 / 20, "{churn:?}");
            // A huge page is one fault for 512 pages.
            let pages = churn.grown.resident / 4_096;
            let faults = churn.faults.minor as i64;
            assert!((pages / 512..=pages + 100).contains(&faults), "{churn:?}");
        });
    }
}
