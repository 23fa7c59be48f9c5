//! Kept memory: how much of 64 MiB the process still has after they were given back, at once
//! and after a wait.
//!
//! Some allocators return pages after a delay, in a later call that reaches their lists of
//! pages. A small block from a cache does not: jemalloc looks at the time when it fills or
//! flushes a cache and when a block is large, mimalloc when a page becomes free. To jemalloc,
//! memory that was freed since it last looked is new. So large blocks are taken and given back
//! in every second of the wait.

use std::fmt;
use std::thread;
use std::time::Duration;

use alloc_scenario::Unit;

use crate::entry::{Need, available};
use crate::heap::Heap;
use crate::memory::Footprint;
use crate::plan::Plan;
use crate::registration::{Calls, SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::{Subject, Unavailable};

/// The variable that adds the scenarios which wait; its value does not matter.
pub const LONG: &str = "ALLOCATOR_LAB_LONG";

/// Blocks that are written and given back: 64 MiB.
const LARGE_BLOCKS: usize = 1_024;
/// The size of each.
const LARGE_BYTES: usize = 65_536;

/// How often some of them are taken and given back in each second, and how many.
const LATER_ROUNDS: usize = 100;
const LATER_BLOCKS: usize = 64;

/// Live blocks that the heap needs room for.
pub const BLOCKS: usize = LARGE_BLOCKS;

/// How long the process waits before its memory is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After(pub Duration);

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs())
    }
}

/// The memory that was kept.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// The requests.
    pub report: Report,
    /// By how many bytes the resident memory has grown.
    pub bytes: i64,
}

/// Takes 64 MiB in blocks of 65,536 bytes, writes them and gives them back. Then it takes 64 of
/// these blocks and gives them back a hundred times, without writing to them, and again after
/// each second of the wait. At the end it reads the memory of the process.
///
/// # Errors
///
/// When the footprint of the process can't be read.
pub fn kept<S: Subject>(heap: &mut Heap<S>, After(wait): After) -> Result<Kept, Unavailable> {
    let mut report = Report::default();
    let before = Footprint::now()?;
    for _ in 0..LARGE_BLOCKS {
        if let Some(mut block) = heap.take(layout(LARGE_BYTES, ALIGN), &mut report) {
            block.fill(1);
        }
    }
    heap.give_all();
    take_later(heap, &mut report);
    for _ in 0..wait.as_secs() {
        thread::sleep(Duration::from_secs(1));
        take_later(heap, &mut report);
    }
    Ok(Kept {
        report,
        bytes: Footprint::now()?.since(before).resident,
    })
}

fn take_later<S: Subject>(heap: &mut Heap<S>, report: &mut Report) {
    for _ in 0..LATER_ROUNDS {
        for _ in 0..LATER_BLOCKS {
            let _ = heap.take(layout(LARGE_BYTES, ALIGN), report);
        }
        heap.give_all();
    }
}

/// How the workload is measured: 14 seconds of waiting for each subject are only in the
/// runs that ask for them.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let mut waits = vec![0];
        if std::env::var_os(LONG).is_some() {
            waits.extend([2, 12]);
        }
        suite.scenario(
            "kept",
            &[Need::Memory, Need::Footprint],
            Plan::ONCE,
            |b| {
                b.axis(
                    "after",
                    waits
                        .into_iter()
                        .map(|seconds| After(Duration::from_secs(seconds))),
                )
                .untimed()
            },
            |b, subject| {
                let open = subject.opener(BLOCKS);
                // A process measures it once, in the set-up; the iteration reports it.
                b.calls(
                    move |&(_, after)| available(kept(&mut open(), after)),
                    |kept| *kept,
                )
                .outcome(|kept| kept.report.outcome())
                .metric("kept-bytes", Unit::Bytes, |kept| kept.bytes)
                .into()
            },
        );
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::alloc::{GlobalAlloc, Layout, System};

    use alloc_assert::in_fresh_process;

    use super::*;
    use crate::subject::Global;

    /// Takes no block back.
    struct Keeps;

    // SAFETY: each block is one of the system's, which nobody has given back.
    unsafe impl GlobalAlloc for Keeps {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller promises what the system requires.
            unsafe { System.alloc(layout) }
        }

        unsafe fn dealloc(&self, _block: *mut u8, _layout: Layout) {}
    }

    #[test]
    fn memory_that_no_call_returns_is_kept() {
        in_fresh_process(|| {
            let mut heap = Heap::new(Global(Keeps), BLOCKS);
            let found = kept(&mut heap, After(Duration::ZERO)).unwrap();
            let written = (LARGE_BLOCKS * LARGE_BYTES) as i64;
            assert!(found.bytes >= written, "{found:?}");
        });
    }
}
