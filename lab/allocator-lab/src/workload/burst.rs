//! A burst on four threads, as in XSigma's report: 1,000 blocks of 1 to 64 KiB on each,
//! all live at once, every byte written and read back.

use alloc_scenario::{Axes, Operation, Scenario, Scope, Unit};

use crate::crew::Crew;
use crate::entry::{Entry, Need};
use crate::heap::Heap;
use crate::mt19937::Mt19937;
use crate::plan::Plan;
use crate::registration::{CHECK, Calls, SubjectSuite, Workload, checks};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::shared::{ONE_EACH, Shared};
use crate::subject::Subject;
use crate::window::Window;
use crate::workload::pattern;

/// Threads at once.
pub const THREADS: usize = 4;

/// Blocks of one thread.
pub const BLOCKS: usize = 1_000;

/// The seed of the sizes.
const SEED: u32 = 42;

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
    for index in 0..heap.live_blocks() {
        report.corrupt += u64::from(!heap.block(index).holds(pattern(index)));
    }
    report.overlapping = heap.overlapping();
    heap.give_all();
    report
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "burst",
            &[Need::Memory],
            Plan::THREADS,
            |b| b.axis("threads", [THREADS]).elements(|_| BLOCKS).untimed(),
            |b, subject| {
                let operation = operation(b, subject, Crew::window);
                successful(Window::record_wall(operation)).into()
            },
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let needs = [Need::Memory];
        suite.scenario(
            CHECK,
            &needs,
            Plan::COUNTS,
            checks("burst"),
            |b, subject| {
                let operation = operation(b, subject, Crew::call);
                successful(Window::record(operation)).into()
            },
        );
    }
}

/// On several threads, which share the subject where that is possible.
fn operation<S: Subject + 'static, A: Axes>(
    b: Scenario<'static, A>,
    subject: &Entry<S>,
    call: fn(&mut Crew) -> Window,
) -> Operation<'static, A::Point, Window>
where
    A::Point: 'static,
{
    let b = b.scope(Scope::Process);
    if Shared::<S>::POSSIBLE {
        let open = subject.sharer(BLOCKS);
        b.calls(move |_| Crew::with_own(THREADS, open.clone(), burst), call)
    } else {
        let open = subject.opener(BLOCKS);
        b.note(ONE_EACH)
            .calls(move |_| Crew::with_own(THREADS, open.clone(), burst), call)
    }
}

/// Adds the requests of a pass without a fault.
fn successful<P>(operation: Operation<'static, P, Window>) -> Operation<'static, P, Window> {
    operation.metric("successful", Unit::Count, |window| {
        (window.report.successful() / window.passes) as i64
    })
}
