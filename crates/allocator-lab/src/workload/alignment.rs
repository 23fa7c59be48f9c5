//! The alignment matrix: every size with every alignment, and every address checked.

use crate::heap::Heap;
use crate::report::Report;
use crate::subject::Subject;

use super::layout;

/// The sizes in bytes.
pub const SIZES: [usize; 8] = [1, 8, 16, 64, 256, 1_024, 4_096, 65_536];

/// The alignments in bytes.
pub const ALIGNMENTS: [usize; 7] = [16, 32, 64, 128, 256, 512, 1_024];

/// Blocks of each size and alignment.
pub const REPEATS: usize = 64;

/// Blocks that are live at once: 3,584.
pub const BLOCKS: usize = SIZES.len() * ALIGNMENTS.len() * REPEATS;

/// Takes all blocks, looks whether each is aligned and none begins within another,
/// and gives all back.
#[inline(never)]
pub fn alignment<S: Subject>(heap: &mut Heap<S>) -> Report {
    let mut report = Report::default();
    for _ in 0..REPEATS {
        for size in SIZES {
            for align in ALIGNMENTS {
                let _ = heap.take(layout(size, align), &mut report);
            }
        }
    }
    report.overlapping = heap.overlapping();
    heap.give_all();
    report
}
