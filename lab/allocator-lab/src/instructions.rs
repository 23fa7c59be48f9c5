//! [`Instructions`]: a workload that counts the instructions of a pair, and those of the worst single
//! call. A count has next to none of the noise of a time.

mod worst;

use std::hint::black_box;
use std::thread;

use alloc_scenario::Unit;

use crate::axis::axis_values;
use crate::entry::{Need, Opener};
use crate::heap::{Heap, Memory};
use crate::registration::{SubjectSuite, Workload};
use crate::report::Report;
use crate::shared::Shared;
use crate::subject::Subject;
use crate::valgrind::of_each_call;
use crate::workload::concurrent::{self, Sizes};
use crate::workload::pair;

/// The size of all blocks in bytes.
const SIZE: usize = 64;

/// Pairs of one call of either loop.
const PAIRS: u64 = concurrent::STEPS;

axis_values! {
    /// The loop around the pairs.
    pub enum Loop {
        /// That of the workload `pair`.
        Pair = "pair",
        /// That of `concurrent` on one thread, which is not the first one.
        Concurrent = "concurrent",
    }
}

/// The instructions of 1,000 pairs of 64 bytes, in two loops, and those of the worst call.
#[derive(Clone, Copy, Debug)]
pub struct Instructions;

impl Workload for Instructions {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        worst::scenario(suite);
        suite.once(
            "instructions",
            &[Need::Valgrind],
            &[("instructions", Unit::Count)],
            |b| b.axis("loop", Loop::ALL),
            |open, (subject, in_loop)| {
                let scenario = format!("instructions/subject={subject},loop={in_loop}");
                let calls = of_each_call(&scenario, "counted_loop", || in_loop.twice(open));
                // The first one finds memory that was never used.
                let call = calls.last().copied().unwrap_or(0);
                let thousands = PAIRS / 1_000;
                Report::default().found([((call + thousands / 2) / thousands) as i64])
            },
        );
    }
}

impl Loop {
    fn twice<S: Subject + 'static>(self, open: Opener<S>) {
        match self {
            Self::Pair => {
                let mut heap = open.heap(pair::blocks(SIZE));
                let pairs = || pair::pairs(&mut heap, SIZE, Memory::Untouched);
                twice(PAIRS / pair::PAIRS, pairs);
            }
            Self::Concurrent => {
                let on_thread = thread::spawn(move || {
                    if Shared::<S>::POSSIBLE {
                        steps(open.shared(concurrent::BLOCKS)());
                    } else {
                        steps(open.heap(concurrent::BLOCKS));
                    }
                });
                if let Err(panic) = on_thread.join() {
                    std::panic::resume_unwind(panic);
                }
            }
        }
    }
}

fn steps<S: Subject>(mut heap: Heap<S>) {
    twice(1, || concurrent::steps(&mut heap, Sizes::Same, PAIRS));
}

fn twice(calls: u64, mut call: impl FnMut() -> Report) {
    for _ in 0..2 {
        let report = counted_loop(calls, &mut call);
        assert_eq!(report.successful(), PAIRS, "{report:?}");
    }
}

#[inline(never)]
fn counted_loop(calls: u64, mut call: impl FnMut() -> Report) -> Report {
    (0..calls).map(|_| black_box(call())).sum()
}
