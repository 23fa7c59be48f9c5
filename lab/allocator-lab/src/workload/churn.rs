//! Memory over time: a heap grows and shrinks in phases, with other sizes in each, and the
//! memory of the process is read after each phase.

use alloc_scenario::Unit;

use crate::entry::Need;
use crate::heap::Heap;
use crate::memory::{Footprint, page_faults};
use crate::mt19937::{Mt19937, SEED};
use crate::plan::Plan;
use crate::registration::{SubjectSuite, Workload};
use crate::report::{Found, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::workload::pattern;

/// Live bytes after a phase that builds up, or up to one block less.
pub const FULL_BYTES: u64 = 32 << 20;

/// Live blocks that the heap needs room for, at most.
pub const BLOCKS: usize = 29_000;

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
/// The figures: the requests, the live blocks and bytes, as requested, the growth of the process's
/// resident, mapped and huge memory, and its page faults.
pub fn churn<S: Subject>(heap: &mut Heap<S>, phases: usize) -> Found {
    let before = Footprint::now();
    let faults = page_faults();
    let (report, live_bytes) = run_phases(heap, phases);
    let faults = page_faults() - faults;
    let grown = Footprint::now().since(before);
    report.found([
        report.requests as i64,
        heap.live_blocks() as i64,
        live_bytes as i64,
        grown.resident,
        grown.mapped,
        grown.huge,
        faults as i64,
    ])
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
                    live_bytes -= heap.block(index).size() as u64;
                    heap.verify(index, &mut report);
                    heap.give_and_swap(index);
                }
            }
            Phase::GiveAll => {
                heap.verify_all(&mut report);
                heap.give_all();
                live_bytes = 0;
            }
        }
        report.overlapping += heap.overlapping();
    }
    (report, live_bytes)
}

pub(crate) struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.once(
            "churn",
            &[Need::Memory],
            &[
                ("requests", Unit::Count),
                ("live-blocks", Unit::Count),
                ("live-bytes", Unit::Bytes),
                ("resident-growth", Unit::Bytes),
                ("mapped-growth", Unit::Bytes),
                ("huge-growth", Unit::Bytes),
                ("minor-faults", Unit::Count),
            ],
            |b| b.axis("phase", 1..=PHASES),
            |open, &(_, phases)| churn(&mut open.heap(BLOCKS), phases),
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.check("churn", &[Need::Memory], Plan::ONCE, BLOCKS, |heap| {
            run_phases(heap, PHASES).0
        });
    }
}

#[cfg(test)]
mod tests {
    use std::alloc::System;

    use alloc_assert::in_fresh_process;

    use super::*;
    use crate::subject::Global;

    #[test]
    fn a_full_heap_is_resident_and_each_of_its_pages_was_a_fault() {
        in_fresh_process(|| {
            let churn = churn(&mut Heap::new(Global(System), BLOCKS), 1);
            let [_, _, live, resident, _, _, faults, _] = churn.figures;
            assert!(live > FULL_BYTES as i64 - 4_096, "{churn:?}");
            // 16 bytes and less than 16 more for each block of 2,176 bytes on average.
            assert!((live..live * 21 / 20).contains(&resident), "{churn:?}");
            // A huge page is one fault for 512 pages.
            let pages = resident / 4_096;
            assert!((pages / 512..=pages + 100).contains(&faults), "{churn:?}");
        });
    }
}
