//! Pairs on several threads at once. The cost of the generator of sizes is the same for
//! all subjects, and part of the floor's row.

use std::hint::black_box;

use crate::axis::axis_values;
use crate::crew::Crew;
use crate::heap::Heap;
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Plan, SubjectSuite, on_threads};
use crate::window::WINDOW;

/// The numbers of threads. More than cores take turns.
pub const THREADS: [usize; 5] = [1, 2, 4, 8, 16];

/// Pairs of a pass on each thread: 16 that spin for a lock take microseconds for each.
const STEPS: u64 = 10_000;

/// Live blocks that the heap of a thread needs room for: an arena keeps them until it is
/// reset.
const BLOCKS: usize = 64;

axis_values! {
    /// Which sizes are requested.
    pub enum Sizes {
        /// 64 bytes, as in framealloc's benchmarks.
        Same = "64",
        /// 16 to 2,048 bytes, each equally likely. The powers of two among them, which frusa's
        /// README has, would flatter allocators that round up to one.
        Mixed = "mixed",
    }
}

/// A xorshift generator, which takes three shifts a number.
#[derive(Clone, Debug)]
struct Xorshift(u32);

impl Xorshift {
    #[inline]
    fn draw(&mut self) -> u16 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 16) as u16
    }
}

/// 10,000 pairs of these sizes, in the same order on every thread and in every call.
/// Nothing is written. A size is always drawn, so that both kinds have that cost.
///
/// An arena is reset after 64 blocks, and at the end.
#[inline(never)]
pub fn pairs<S: Subject>(heap: &mut Heap<S>, sizes: Sizes) -> Report {
    let mut report = Report::default();
    let mut random = Xorshift(0x9e37_79b9);
    for _ in 0..STEPS {
        let drawn = black_box(16 + ((usize::from(random.draw()) * 2_033) >> 16));
        let size = match sizes {
            Sizes::Same => 64,
            Sizes::Mixed => drawn,
        };
        let taken = heap.take(layout(size, ALIGN), &mut report).is_some();
        match S::IS_ARENA {
            false if taken => heap.give_last(),
            true if heap.live_blocks() == BLOCKS => heap.give_all(),
            _ => {}
        }
    }
    heap.give_all();
    report
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "concurrent",
        &[],
        Plan::THREADS,
        WINDOW,
        |b| {
            let b = b.axis("threads", THREADS).axis("sizes", Sizes::ALL);
            on_threads::<S, _>(b.elements(|_| STEPS).untimed())
        },
        |open, &(_, threads, sizes)| {
            let own = move |heap: &mut _| pairs(heap, sizes);
            open.crew(threads, BLOCKS, move |heap| pairs(heap, sizes), own)
        },
        Crew::window,
    );
}
