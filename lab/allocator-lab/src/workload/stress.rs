//! Stress, as in XSigma's report: 10,000 steps that take blocks or give random ones back,
//! with verified contents. The counts depend on the seed alone: they are the same on every
//! subject that refuses nothing.

use alloc_scenario::Unit;

use crate::heap::Heap;
use crate::mt19937::{Mt19937, SEED};
use crate::report::{Found, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Need, Plan, SubjectSuite};
use crate::workload::pattern;

/// Steps of the sequence.
pub const STEPS: usize = 10_000;

/// Live blocks that the heap needs room for, at most one a step.
pub const BLOCKS: usize = STEPS;

const STEPS_BETWEEN_SEARCHES: usize = 1_000;

/// The largest size in bytes; the smallest is 1.
const LARGEST: u32 = 65_536;

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
///
/// The values: the blocks that were handed out, the most that were live, the bytes of those that
/// were live after the last step, and of all. A subject that refuses nothing gets 6,718 requests of
/// 217,383,926 bytes, and has at most 3,436 live blocks and at the end 110,956,206 live bytes.
#[inline(never)]
pub fn stress<S: Subject>(heap: &mut Heap<S>) -> Found {
    let mut report = Report::default();
    let mut random = Mt19937::new(SEED);
    let (mut peak_blocks, mut live_bytes, mut total_bytes) = (0, 0, 0);
    for step in 1..=STEPS {
        let live = heap.live_blocks();
        if live == 0 || !random.draw().is_multiple_of(3) {
            let size = 1 + random.draw_below(LARGEST);
            if let Some(mut block) = heap.take(layout(size as usize, ALIGN), &mut report) {
                block.fill(pattern(step));
                live_bytes += i64::from(size);
                total_bytes += i64::from(size);
                peak_blocks = peak_blocks.max(live + 1);
            }
        } else {
            let index = random.draw() as usize % live;
            live_bytes -= heap.block(index).size() as i64;
            heap.verify(index, &mut report);
            heap.give_at(index);
        }
        if step % STEPS_BETWEEN_SEARCHES == 0 {
            report.overlapping += heap.overlapping();
        }
    }
    heap.verify_all(&mut report);
    heap.give_all();
    let granted = (report.requests - report.nulls) as i64;
    report.found([granted, peak_blocks as i64, live_bytes, total_bytes])
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "stress",
        &[Need::Memory],
        Plan::SLOW,
        &[
            ("allocations", Unit::Count),
            ("most-blocks", Unit::Count),
            ("live-bytes", Unit::Bytes),
            ("total-bytes", Unit::Bytes),
        ],
        |b| b.elements(|_| STEPS),
        |open, _| open.heap(BLOCKS),
        stress,
    );
}
