//! Pairs on several threads at once. The cost of the generator of sizes is the same for
//! all subjects, and part of the floor's row.

use std::hint::black_box;

use alloc_scenario::{Axes, Operation, Scenario, Scope};

use crate::axis::axis_values;
use crate::crew::Crew;
use crate::entry::Entry;
use crate::heap::Heap;
use crate::plan::Plan;
use crate::registration::{CHECK, Calls, SubjectSuite, Workload, checks};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::shared::{ONE_EACH, Shared};
use crate::subject::{Kind, Subject};
use crate::window::{Window, cores};

/// The numbers of threads: as many as the cores, and twice as many, where they take turns.
#[must_use]
pub fn threads() -> Vec<usize> {
    let all = [1, 2, 4, 8, 16].into_iter();
    all.filter(|&threads| threads <= 2 * cores()).collect()
}

/// The number of threads of the check.
const THREADS_OF_CHECK: usize = 4;

/// Pairs of a pass on each thread.
pub const STEPS: u64 = 40_000;

/// Live blocks that the heap of a thread needs room for: an arena keeps them until it is
/// reset.
pub const BLOCKS: usize = 64;

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

/// This many pairs of these sizes, in the same order on every thread and in every call.
/// Nothing is written. A size is always drawn, so that both kinds have that cost.
///
/// An arena is reset after 64 blocks, and at the end.
#[inline(never)]
pub fn steps<S: Subject>(heap: &mut Heap<S>, sizes: Sizes, steps: u64) -> Report {
    let mut report = Report::default();
    let mut random = Xorshift(0x9e37_79b9);
    for _ in 0..steps {
        let drawn = black_box(16 + ((usize::from(random.draw()) * 2_033) >> 16));
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
                b.axis("threads", threads())
                    .axis("sizes", Sizes::ALL)
                    .elements(|_| STEPS)
                    .untimed()
            },
            |b, subject| {
                let crew = |&(_, threads, sizes): &(_, usize, Sizes)| (threads, sizes);
                Window::record_wall(operation(b, subject, crew, Crew::window)).into()
            },
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        for (of, sizes) in [("concurrent-64", Sizes::Same), ("concurrent", Sizes::Mixed)] {
            suite.scenario(CHECK, &[], Plan::ONCE, checks(of), |b, subject| {
                let crew = move |_: &_| (THREADS_OF_CHECK, sizes);
                Window::record(operation(b, subject, crew, Crew::call)).into()
            });
        }
    }
}

/// On several threads, which share the subject where that is possible.
fn operation<S: Subject + 'static, A: Axes>(
    b: Scenario<'static, A>,
    subject: &Entry<S>,
    crew: impl Fn(&A::Point) -> (usize, Sizes) + 'static,
    call: fn(&mut Crew) -> Window,
) -> Operation<'static, A::Point, Window>
where
    A::Point: 'static,
{
    let b = b.scope(Scope::Process);
    if Shared::<S>::POSSIBLE {
        let open = subject.sharer(BLOCKS);
        b.calls(
            move |point| {
                let (threads, sizes) = crew(point);
                Crew::with_own(threads, open.clone(), move |heap| steps(heap, sizes, STEPS))
            },
            call,
        )
    } else {
        let open = subject.opener(BLOCKS);
        b.note(ONE_EACH).calls(
            move |point| {
                let (threads, sizes) = crew(point);
                Crew::with_own(threads, open.clone(), move |heap| steps(heap, sizes, STEPS))
            },
            call,
        )
    }
}
