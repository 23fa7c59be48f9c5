//! Threads that come and go: each takes a few blocks, gives them back and ends. An
//! allocator that keeps memory for each thread may keep it after the thread.

use std::thread;

use alloc_scenario::{Axes, Definition, Scenario, Scope, Unit};

use crate::entry::{Entry, Need, available};
use crate::heap::Heap;
use crate::memory::Footprint;
use crate::plan::Plan;
use crate::registration::{Calls, Recorded, SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::shared::Shared;
use crate::subject::{Subject, Unavailable};

/// How many threads there are at once.
pub const AT_ONCE: [usize; 2] = [1, 4];

/// The number of the check.
const AT_ONCE_OF_CHECK: usize = 4;

/// Threads of one call.
pub const THREADS: usize = 200;

/// Blocks of one thread.
pub const BLOCKS: usize = 100;

/// The smallest size in bytes; the next are twice as large each, 8 in all, over and over.
const SMALLEST: usize = 16;

/// The heaps of the threads that are there at once. They are made before, so that a
/// thread makes no list of its own.
#[derive(Debug)]
pub struct Threads<S> {
    heaps: Vec<Heap<Shared<S>>>,
    search: bool,
}

impl<S: Subject + 'static> Threads<S> {
    /// This many threads at once. `search` looks for overlapping blocks of each thread;
    /// without it, they are corrupt ones.
    pub fn new(open: impl Fn() -> Heap<Shared<S>>, at_once: usize, search: bool) -> Self {
        Self {
            heaps: (0..at_once).map(|_| open()).collect(),
            search,
        }
    }

    /// Starts 200 threads, each as soon as all of the turn before have ended. Each takes
    /// and stamps 100 blocks of 16, 32, 64 bytes and so on to 2,048, verifies them and gives
    /// them back.
    pub fn call(&mut self) -> Report {
        let at_once = self.heaps.len();
        let search = self.search;
        let mut report = Report::default();
        for _ in 0..THREADS / at_once {
            report += thread::scope(|scope| {
                let start = |heap| scope.spawn(move || blocks(heap, search));
                // All of a turn are started before the first is waited for.
                let threads: Vec<_> = self.heaps.iter_mut().map(start).collect();
                let mut sum = Report::default();
                for thread in threads {
                    match thread.join() {
                        Ok(report) => sum += report,
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
                sum
            });
        }
        report
    }

    /// The growth of the process's memory by a call, after an earlier one.
    ///
    /// # Errors
    ///
    /// When the footprint of the process can't be read.
    pub fn growth(&mut self) -> Result<Footprint, Unavailable> {
        let _ = self.call();
        let before = Footprint::now()?;
        let _ = self.call();
        Ok(Footprint::now()?.since(before))
    }
}

/// The part of one thread.
#[inline(never)]
fn blocks<S: Subject>(heap: &mut Heap<S>, search: bool) -> Report {
    let mut report = Report::default();
    for index in 0..BLOCKS {
        let size = SMALLEST << (index % 8);
        let stamp = heap.live_blocks() as u64;
        if let Some(mut block) = heap.take(layout(size, ALIGN), &mut report) {
            block.stamp(stamp);
        }
    }
    if search && S::HAS_MEMORY {
        report.overlapping = heap.overlapping();
    }
    for index in 0..heap.live_blocks() {
        report.corrupt += u64::from(!heap.block(index).is_stamped(index as u64));
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
            "thread-churn",
            &[Need::OtherThreads, Need::Footprint],
            Plan::LONG,
            |b| b.axis("at-once", AT_ONCE).elements(|_| THREADS),
            |b, subject| {
                let open = subject.sharer(BLOCKS);
                b.scope(Scope::Process)
                    .calls(
                        move |&(_, at_once)| {
                            let mut threads = Threads::new(&open, at_once, false);
                            let grown = available(threads.growth());
                            (threads, grown)
                        },
                        |(threads, grown)| (threads.call(), *grown),
                    )
                    .outcome(|(report, _)| report.outcome())
                    .metric("requests", Unit::Count, |(report, _)| {
                        report.requests as i64
                    })
                    .metric("resident-growth", Unit::Bytes, |(_, grown)| grown.resident)
                    .metric("mapped-growth", Unit::Bytes, |(_, grown)| grown.mapped)
                    .into()
            },
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.check_shared("thread-churn", record_check);
    }
}

fn record_check<S: Subject + 'static, A: Axes>(
    b: Scenario<'static, A>,
    subject: &Entry<S>,
) -> Definition<'static>
where
    A::Point: 'static,
{
    let open = subject.sharer(BLOCKS);
    b.scope(Scope::Process)
        .calls(
            move |_| Threads::new(&open, AT_ONCE_OF_CHECK, true),
            Threads::call,
        )
        .requests()
        .into()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::alloc::{Layout, System};
    use std::cell::Cell;
    use std::hint::black_box;

    use alloc_assert::in_fresh_process;

    use super::*;
    use crate::shared::Common;
    use crate::subject::Global;

    /// Bytes that [`Leaky`] loses with each thread.
    const LEAK: usize = 16 << 10;

    /// The system's allocator, which keeps a cache for each thread and forgets it.
    struct Leaky;

    thread_local! {
        static HAS_CACHE: Cell<bool> = const { Cell::new(false) };
    }

    // SAFETY: its blocks are those of the system's allocator.
    unsafe impl Subject for Leaky {
        fn take(&self, layout: Layout) -> *mut u8 {
            if !HAS_CACHE.replace(true) {
                black_box(vec![1_u8; LEAK].leak());
            }
            Global(System).take(layout)
        }

        unsafe fn give(&self, block: *mut u8, layout: Layout) {
            // SAFETY: the caller's contract, passed on.
            unsafe { Global(System).give(block, layout) }
        }
    }

    fn growth<S: Subject + 'static>(open: fn() -> Result<S, Unavailable>) -> i64 {
        let common = Common::new(open);
        let heap = || Heap::new(available(common.handle()), BLOCKS);
        available(Threads::new(heap, 1, true).growth()).resident
    }

    #[test]
    fn memory_that_is_lost_with_each_thread_is_growth() {
        in_fresh_process(|| {
            let lost = (THREADS * LEAK) as i64;
            let leaky = growth(|| Ok(Leaky));
            assert!((lost..lost * 2).contains(&leaky), "{leaky}");
            let system = growth(|| Ok(Global(System)));
            assert!(system < lost / 2, "{system}");
        });
    }
}
