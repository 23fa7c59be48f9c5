//! A burst on four threads, as XSigma's report has it: 1,000 blocks of 1 to 64 KiB on
//! each, all live at once, every byte written and read back.

use crate::heap::Heap;
use crate::report::Report;
use crate::subject::Subject;
use crate::twister::Twister;

use super::{ALIGN, layout};

/// Threads at once.
pub const THREADS: usize = 4;

/// Blocks of one thread.
pub const BLOCKS: usize = 1_000;

/// The seed of the sizes.
const SEED: u32 = 42;

/// One thread's part. The sizes are drawn by mt19937, the same on every thread and in
/// every call: 1,024 + n * 64,513 / 2^32 bytes, rounded down.
#[inline(never)]
pub fn burst<S: Subject>(heap: &mut Heap<S>) -> Report {
    let mut report = Report::default();
    let mut twister = Twister::new(SEED);
    for _ in 0..BLOCKS {
        let size = 1_024 + twister.draw_below(65_536 - 1_024 + 1) as usize;
        let index = heap.live_blocks();
        if let Some(mut block) = heap.take(layout(size, ALIGN), &mut report) {
            block.fill(pattern(index));
        }
    }
    for index in 0..heap.live_blocks() {
        report.corrupt += u64::from(!heap.block(index).holds(pattern(index)));
    }
    report.overlapping = heap.overlapping();
    heap.give_all();
    report
}

/// What is written to the block of this index. Neighbours differ.
#[inline]
fn pattern(index: usize) -> u8 {
    (index % 251) as u8 + 1
}
