//! Resident memory after churn: how much memory a process has for the bytes that are live,
//! when blocks of many sizes have come and gone. The requests depend on the seed alone:
//! they are the same on every subject that refuses nothing.

use std::ops::RangeInclusive;

use alloc_scenario::Unit;

use crate::entry::{Need, available};
use crate::heap::Heap;
use crate::memory::Footprint;
use crate::mt19937::Mt19937;
use crate::plan::Plan;
use crate::registration::{Calls, SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::{Kind, Subject, Unavailable};
use crate::workload::pattern;

/// Steps of the churn.
pub const STEPS: usize = 100_000;

/// The most live blocks.
const MOST_LIVE: usize = 10_000;

/// The blocks that are left at the end.
const LEFT: usize = 5_000;

/// The seed of the sequence.
const SEED: u32 = 42;

/// The sizes in bytes, each equally likely.
const SIZES: RangeInclusive<u32> = 16..=4_096;

/// Live blocks that the heap needs room for. An arena keeps all of them.
#[must_use]
pub fn blocks<S: Subject>() -> usize {
    match S::KIND {
        Kind::General => MOST_LIVE,
        Kind::Arena => STEPS,
    }
}

/// The memory after the churn.
#[derive(Clone, Copy, Debug)]
pub struct Resident {
    /// The requests. A block that had lost its contents when it was given back is corrupt.
    pub report: Report,
    /// When most blocks are live.
    pub full: Filled,
    /// When half of them were given back.
    pub half: Filled,
}

/// The bytes of the live blocks and of the process.
#[derive(Clone, Copy, Debug)]
pub struct Filled {
    /// The requested bytes of the live blocks.
    pub live_bytes: u64,
    /// By how much the memory has grown.
    pub grown: Footprint,
}

/// The live blocks: the size of each and the byte that fills it.
#[derive(Debug)]
pub struct Live(Vec<(u32, u8)>);

impl Default for Live {
    /// An empty list with room for all, which was written.
    fn default() -> Self {
        let mut live = vec![(1, 1); MOST_LIVE];
        live.clear();
        Self(live)
    }
}

/// Runs the sequence. Each of 100,000 steps draws a number of mt19937, unless there is no
/// live block:
///
/// * If there are fewer than 10,000 live blocks and the number is not a multiple of 3, it
///   draws `n`, and takes and fills a block of `16 + n * 4,081 / 2^32` bytes.
/// * Otherwise it draws `n`, and verifies and gives back the block of index `n % live`; the
///   newest block gets its index.
///
/// 10,000 blocks are live after that. Then it gives blocks back in the same way until 5,000
/// are left, and then the rest. It reads the memory of the process three times: at the
/// beginning, at 10,000 live blocks and at 5,000. An arena gives nothing back before the end.
///
/// # Errors
///
/// When the footprint of the process can't be read.
pub fn resident<S: Subject>(heap: &mut Heap<S>, live: &mut Live) -> Result<Resident, Unavailable> {
    let before = Footprint::now()?;
    let read = |live: &[(u32, u8)]| {
        Ok(Filled {
            live_bytes: live.iter().map(|&(size, _)| u64::from(size)).sum(),
            grown: Footprint::now()?.since(before),
        })
    };
    let (report, [full, half]) = run_steps(heap, live, read);
    Ok(Resident {
        report,
        full: full?,
        half: half?,
    })
}

/// The requests, and what `read` makes of the live blocks, full and half.
fn run_steps<S: Subject, T>(
    heap: &mut Heap<S>,
    live: &mut Live,
    read: impl Fn(&[(u32, u8)]) -> T,
) -> (Report, [T; 2]) {
    let mut report = Report::default();
    let live = &mut live.0;
    live.clear();
    let mut random = Mt19937::new(SEED);
    for step in 0..STEPS {
        if live.is_empty() || (!random.draw().is_multiple_of(3) && live.len() < MOST_LIVE) {
            let size = random.draw_in(SIZES);
            let pattern = pattern(step);
            if let Some(mut block) = heap.take(layout(size as usize, ALIGN), &mut report) {
                block.fill(pattern);
                live.push((size, pattern));
            }
        } else {
            give_one(heap, live, &mut random, &mut report);
        }
    }
    let full = read(live);
    while live.len() > LEFT {
        give_one(heap, live, &mut random, &mut report);
    }
    let half = read(live);
    heap.give_all();
    (report, [full, half])
}

fn give_one<S: Subject>(
    heap: &mut Heap<S>,
    live: &mut Vec<(u32, u8)>,
    random: &mut Mt19937,
    report: &mut Report,
) {
    let index = random.draw() as usize % live.len();
    let (_, pattern) = live.swap_remove(index);
    match S::KIND {
        Kind::General => {
            report.corrupt += u64::from(!heap.block(index).holds(pattern));
            heap.give_and_swap(index);
        }
        // Its blocks stay until the reset, so that they have other indices.
        Kind::Arena => {}
    }
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "resident",
            &[Need::Memory, Need::Footprint],
            Plan::ONCE,
            |b| b.untimed().elements(|_| STEPS),
            |b, subject| {
                let open = subject.opener(blocks::<S>());
                // A process measures it once, in the set-up; the iteration reports it.
                b.calls(
                    move |_| available(resident(&mut open(), &mut Live::default())),
                    |found| *found,
                )
                .outcome(|found| found.report.outcome())
                .metric("requests", Unit::Count, |found| {
                    found.report.requests as i64
                })
                .metric("full-bytes", Unit::Bytes, |found| {
                    found.full.live_bytes as i64
                })
                .metric("full-growth", Unit::Bytes, |found| {
                    found.full.grown.resident
                })
                .metric("half-bytes", Unit::Bytes, |found| {
                    found.half.live_bytes as i64
                })
                .metric("half-growth", Unit::Bytes, |found| {
                    found.half.grown.resident
                })
                .metric("half-huge", Unit::Bytes, |found| found.half.grown.huge)
                .into()
            },
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let mut live = Live::default();
        let blocks = blocks::<S>();
        suite.check(
            "resident",
            &[Need::Memory],
            Plan::ONCE,
            blocks,
            move |heap| run_steps(heap, &mut live, |_| ()).0,
        );
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::alloc::System;

    use alloc_assert::in_fresh_process;

    use super::*;
    use crate::subject::Global;

    /// In a process of its own, in which the system has no free memory of other tests.
    #[test]
    fn what_is_live_was_written_and_is_resident() {
        in_fresh_process(|| {
            let mut heap = Heap::new(Global(System), MOST_LIVE);
            let found = resident(&mut heap, &mut Live::default()).unwrap();
            let (full, half) = (found.full.live_bytes as i64, found.half.live_bytes as i64);
            // With the system's allocator, the holes of the churn are a small part.
            assert!(
                (full..full * 3 / 2).contains(&found.full.grown.resident),
                "{found:?}"
            );
            assert!(
                (half..full * 3 / 2).contains(&found.half.grown.resident),
                "{found:?}"
            );
        });
    }
}
