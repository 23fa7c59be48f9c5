//! A server: each thread has a set of blocks, and replaces random ones of them.

use crate::crew::Crew;
use crate::heap::Heap;
use crate::mt19937::{Mt19937, SEED};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Need, Plan, SubjectSuite, on_threads};
use crate::window::WINDOW;

/// Blocks of one thread.
pub const BLOCKS: usize = 500;

/// Blocks that a thread replaces.
const STEPS: usize = 25_000;

/// The part of one thread: takes 500 blocks, then verifies and gives back a random one and takes
/// another one, 25,000 times, and gives all back. mt19937 draws the blocks and the sizes, 16 to
/// 1,000 bytes, each equally likely. A number is written to both ends of each block.
#[inline(never)]
pub fn serve<S: Subject>(heap: &mut Heap<S>) -> Report {
    let mut report = Report::default();
    let mut random = Mt19937::new(SEED);
    let mut stamps = [0; BLOCKS];
    for step in 0..BLOCKS + STEPS {
        let live = heap.live_blocks();
        if step >= BLOCKS && live > 0 {
            let index = random.draw_below(live as u32) as usize;
            report.corrupt += u64::from(!heap.block(index).is_stamped(stamps[index]));
            heap.give_and_swap(index);
            stamps[index] = stamps[live - 1];
        }
        let size = random.draw_in(16..=1_000) as usize;
        let index = heap.live_blocks();
        if let Some(mut block) = heap.take(layout(size, ALIGN), &mut report) {
            block.stamp(step as u64);
            stamps[index] = step as u64;
        }
    }
    heap.give_all();
    report
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "server",
        &[Need::SingleBlocks],
        Plan::THREADS,
        WINDOW,
        |b| {
            let b = b.axis("threads", [1, 2, 4]);
            on_threads::<S, _>(b.elements(|_| BLOCKS + STEPS).untimed())
        },
        |open, &(_, threads)| open.crew(threads, BLOCKS, serve, serve),
        Crew::window,
    );
}
