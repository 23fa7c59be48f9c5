//! Pairs on several threads at once. The cost of the generator of sizes is the same for
//! all subjects, and part of the floor's row.

use std::hint::black_box;

use alloc_scenario::{Axes, Definition, Scenario};

use crate::axis::axis_values;
use crate::cpu_time::OnCpu;
use crate::entry::Entry;
use crate::heap::Heap;
use crate::plan::Plan;
use crate::registration::{CHECK, SubjectSuite, Workload, checks};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::shared::{ONE_EACH, Shared};
use crate::subject::{Kind, Subject};

/// The numbers of threads.
pub const THREADS: [usize; 5] = [1, 2, 4, 8, 16];

/// The number of threads of the check.
const THREADS_OF_CHECK: usize = 4;

/// Pairs of one call on each of this many threads: on more than four, all threads together
/// make as many as four do.
#[must_use]
pub const fn steps_of(threads: usize) -> u64 {
    match threads {
        ..=4 => 40_000,
        5.. => 160_000 / threads as u64,
    }
}

/// Live blocks that the heap of a thread needs room for: an arena keeps them until it is
/// reset.
pub const BLOCKS: usize = 64;

axis_values! {
    /// Which sizes are requested.
    pub enum Sizes {
        /// 64 bytes, as in framealloc's benchmarks.
        Same = "64",
        /// 16, 32, 64 bytes and so on to 2,048, each equally likely, as in frusa's README.
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

/// This many pairs of these sizes, in the same order on every thread and in every call.
/// Nothing is written. A size is always drawn, so that both kinds have that cost.
///
/// An arena is reset after 64 blocks, and at the end.
#[inline(never)]
pub fn steps<S: Subject>(heap: &mut Heap<S>, sizes: Sizes, steps: u64) -> Report {
    let mut report = Report::default();
    let mut random = Xorshift(0x9e37_79b9);
    for _ in 0..steps {
        let drawn = black_box(16 << (random.draw() % 8));
        let size = match sizes {
            Sizes::Same => 64,
            Sizes::Mixed => drawn,
        };
        let taken = heap.take(layout(size, ALIGN), &mut report).is_some();
        match S::KIND {
            Kind::General if taken => heap.give_last(),
            Kind::Arena if heap.live_blocks() == BLOCKS => heap.give_all(),
            Kind::General | Kind::Arena => {}
        }
    }
    heap.give_all();
    report
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "concurrent",
            &[],
            Plan::THREADS,
            |b| {
                b.axis("threads", THREADS)
                    .axis("sizes", Sizes::ALL)
                    .elements(|&(_, threads, _)| steps_of(threads))
            },
            |b, subject| record(b, subject, |&(_, threads, sizes)| (threads, sizes)),
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        for (of, sizes) in [("concurrent-64", Sizes::Same), ("concurrent", Sizes::Mixed)] {
            suite.scenario(CHECK, &[], Plan::ONCE, checks(of), |b, subject| {
                record(b, subject, move |_| (THREADS_OF_CHECK, sizes))
            });
        }
    }
}

/// On several threads, which share the subject where that is possible.
fn record<S: Subject + 'static, A: Axes>(
    b: Scenario<'static, A>,
    subject: &Entry<S>,
    parameters: impl Fn(&A::Point) -> (usize, Sizes) + Copy + Sync + 'static,
) -> Definition<'static>
where
    A::Point: Sync + 'static,
{
    let threads = move |point: &A::Point| parameters(point).0;
    let operation = if Shared::<S>::POSSIBLE {
        let open = subject.sharer(BLOCKS);
        b.setup(move |point| (open(), parameters(point)))
            .run_on_threads(threads, |(heap, (threads, sizes))| {
                OnCpu::measure(|| steps(heap, *sizes, steps_of(*threads)))
            })
    } else {
        let open = subject.opener(BLOCKS);
        b.note(ONE_EACH)
            .setup(move |point| (open(), parameters(point)))
            .run_on_threads(threads, |(heap, (threads, sizes))| {
                OnCpu::measure(|| steps(heap, *sizes, steps_of(*threads)))
            })
    };
    OnCpu::record(operation).into()
}
