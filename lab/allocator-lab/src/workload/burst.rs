//! A burst on four threads, as in XSigma's report: 1,000 blocks of 1 to 64 KiB on each,
//! all live at once, every byte written and read back.

use crate::crew::Crew;
use crate::heap::Heap;
use crate::mt19937::{Mt19937, SEED};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Need, Plan, SubjectSuite, on_threads};
use crate::window::WINDOW;
use crate::workload::pattern;

/// Threads at once.
pub const THREADS: usize = 4;

/// Blocks of one thread.
pub const BLOCKS: usize = 1_000;

/// The part of one thread. The sizes are drawn by mt19937, the same on every thread and in
/// every call: 1,024 + n * 64,513 / 2^32 bytes, rounded down.
#[inline(never)]
pub fn burst<S: Subject>(heap: &mut Heap<S>) -> Report {
    let mut report = Report::default();
    let mut random = Mt19937::new(SEED);
    for _ in 0..BLOCKS {
        let size = random.draw_in(1_024..=65_536) as usize;
        let index = heap.live_blocks();
        if let Some(mut block) = heap.take(layout(size, ALIGN), &mut report) {
            block.fill(pattern(index));
        }
    }
    heap.verify_all(&mut report);
    report.overlapping = heap.overlapping();
    heap.give_all();
    report
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "burst",
        &[Need::Memory],
        Plan::THREADS,
        WINDOW,
        |b| on_threads::<S, _>(b.axis("threads", [THREADS]).elements(|_| BLOCKS).untimed()),
        |open, _| open.crew(THREADS, BLOCKS, burst, burst),
        Crew::window,
    );
}
