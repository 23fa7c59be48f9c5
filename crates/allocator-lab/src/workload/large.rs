//! Large blocks: one at a time, its first and its last page written and read back.

use crate::heap::Heap;
use crate::report::Report;
use crate::subject::Subject;

use super::layout;

/// The sizes in MiB.
pub const MEBIBYTES: [usize; 3] = [1, 16, 64];

/// The alignment of large blocks: that of a cache line.
const ALIGN: usize = 64;

/// Takes one block, writes and reads its ends, and gives it back.
#[inline(never)]
pub fn large<S: Subject>(heap: &mut Heap<S>, mebibytes: usize) -> Report {
    let mut report = Report::default();
    if let Some(mut block) = heap.take(layout(mebibytes << 20, ALIGN), &mut report) {
        report.corrupt += u64::from(!block.ends_hold(0xa5));
    }
    heap.give_all();
    report
}
