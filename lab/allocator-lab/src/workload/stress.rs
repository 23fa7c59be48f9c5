//! Stress, as in XSigma's report: 10,000 steps that take blocks or give random ones back,
//! with verified contents. The counts depend on the seed alone: they are the same on every
//! subject that refuses nothing.

use alloc_scenario::Unit;

use crate::entry::Need;
use crate::heap::Heap;
use crate::mt19937::Mt19937;
use crate::plan::Plan;
use crate::registration::{Calls, SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::workload::pattern;

/// Steps of the sequence.
pub const STEPS: usize = 10_000;

/// Live blocks that the heap needs room for, at most one a step.
pub const BLOCKS: usize = STEPS;

/// Steps between two searches for blocks that overlap.
const STEPS_BETWEEN_SEARCHES: usize = 1_000;

/// The seed of the sequence.
const SEED: u32 = 42;

/// The largest size in bytes; the smallest is 1.
const LARGEST: u32 = 65_536;

/// The counts of the sequence. A subject that refuses nothing gets 6,718 requests of
/// 217,383,926 bytes, and has at most 3,436 live blocks and at the end 110,956,206 live
/// bytes.
#[derive(Clone, Copy, Debug)]
pub struct Stress {
    /// The requests.
    pub report: Report,
    /// The most live blocks.
    pub peak_blocks: u64,
    /// Bytes of the blocks that were live after the last step.
    pub live_bytes: u64,
    /// Bytes of all blocks that were handed out.
    pub total_bytes: u64,
}

/// A live block with its contents.
#[derive(Clone, Copy, Debug)]
struct Filled {
    size: u32,
    pattern: u8,
}

/// The live blocks of the sequence, a list that is made before it runs.
#[derive(Debug)]
pub struct Live(Vec<Filled>);

impl Default for Live {
    /// An empty list with room for every step.
    fn default() -> Self {
        Self(Vec::with_capacity(STEPS))
    }
}

/// Runs the sequence. Each step draws a number of mt19937, unless there is no live block:
///
/// * If there is none, or the number is not a multiple of 3, it draws `n`, and takes and
///   fills a block of `1 + n * 65,536 / 2^32` bytes.
/// * Otherwise it draws `n`, and verifies and gives back the block of index `n % live`, in
///   the order in which the live blocks were taken.
///
/// At the end all blocks are verified and given back. An arena gives nothing back before,
/// so that it needs room for 217,383,926 bytes.
///
/// Every 1,000 steps, live blocks that overlap are counted; a block that overlaps for
/// longer is counted each time.
#[inline(never)]
pub fn stress<S: Subject>(heap: &mut Heap<S>, live: &mut Live) -> Stress {
    let mut report = Report::default();
    let live = &mut live.0;
    live.clear();
    let mut random = Mt19937::new(SEED);
    let (mut peak_blocks, mut live_bytes, mut total_bytes) = (0, 0, 0);
    for step in 1..=STEPS {
        if live.is_empty() || !random.draw().is_multiple_of(3) {
            let size = 1 + random.draw_below(LARGEST);
            let pattern = pattern(step);
            if let Some(mut block) = heap.take(layout(size as usize, ALIGN), &mut report) {
                block.fill(pattern);
                live.push(Filled { size, pattern });
                live_bytes += u64::from(size);
                total_bytes += u64::from(size);
                peak_blocks = peak_blocks.max(live.len() as u64);
            }
        } else {
            let index = random.draw() as usize % live.len();
            let filled = live.remove(index);
            live_bytes -= u64::from(filled.size);
            report.corrupt += u64::from(!heap.block(index).holds(filled.pattern));
            heap.give_at(index);
        }
        if step % STEPS_BETWEEN_SEARCHES == 0 {
            report.overlapping += heap.overlapping();
        }
    }
    for (index, filled) in live.iter().enumerate() {
        report.corrupt += u64::from(!heap.block(index).holds(filled.pattern));
    }
    heap.give_all();
    Stress {
        report,
        peak_blocks,
        live_bytes,
        total_bytes,
    }
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "stress",
            &[Need::Memory],
            Plan::SLOW,
            |b| b.elements(|_| STEPS),
            |b, subject| {
                let open = subject.opener(BLOCKS);
                b.calls(
                    move |_| (open(), Live::default()),
                    |(heap, live)| stress(heap, live),
                )
                .outcome(|stress| stress.report.outcome())
                .metric("allocations", Unit::Count, |stress| {
                    (stress.report.requests - stress.report.nulls) as i64
                })
                .metric("most-blocks", Unit::Count, |stress| {
                    stress.peak_blocks as i64
                })
                .metric("live-bytes", Unit::Bytes, |stress| stress.live_bytes as i64)
                .metric("total-bytes", Unit::Bytes, |stress| {
                    stress.total_bytes as i64
                })
                .into()
            },
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let mut live = Live::default();
        suite.check("stress", &[Need::Memory], Plan::ONCE, BLOCKS, move |heap| {
            stress(heap, &mut live).report
        });
    }
}
