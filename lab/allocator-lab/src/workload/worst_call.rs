//! [`WorstCall`]: the instructions of each call of a load, of which the most count. A program that must
//! answer in time asks for the worst single call; a time would be that of an interrupt.

use std::alloc::Layout;
use std::hint::black_box;

use alloc_scenario::Unit;

use crate::entry::Need;
use crate::mt19937::{Mt19937, SEED};
use crate::registration::{SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::valgrind::of_each_call;

/// The subjects that need no operating system, and two to compare them with. callgrind writes a
/// file for each call, which takes seconds for each subject.
const SUBJECTS: [&str; 7] = [
    "floor",
    "system",
    "talc-claim",
    "dlmalloc",
    "rlsf",
    "buddy",
    "linked-list",
];

/// Live blocks, and how often a random one of them is replaced.
const BLOCKS: usize = 256;
const REPLACED: usize = 1_000;

/// The workload, whose calls are counted by valgrind.
#[derive(Clone, Copy, Debug)]
pub struct WorstCall;

impl Workload for WorstCall {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        if !SUBJECTS.contains(&suite.subject()) {
            return;
        }
        suite.once(
            "worst-call",
            &[Need::Valgrind],
            &[
                ("take-instructions", Unit::Count),
                ("give-instructions", Unit::Count),
            ],
            |b| b,
            |open, subject| {
                let scenario = format!("worst-call/subject={subject}");
                let worst = ["counted_take", "counted_give"].map(|function| {
                    let counts = of_each_call(&scenario, function, || calls(open.subject()));
                    counts.into_iter().max().unwrap_or(0) as i64
                });
                Report::default().found(worst)
            },
        );
    }
}

/// Makes the calls: blocks of 16 to 1,024 bytes are taken, random ones replaced, and all given back.
fn calls<S: Subject>(subject: S) {
    let mut random = Mt19937::new(SEED);
    let mut next = || layout(random.draw_in(16..=1_024) as usize, ALIGN);
    let take = |layout: Layout| {
        let block = counted_take(&subject, layout);
        assert!(!block.is_null() || !S::HAS_MEMORY, "{layout:?} is refused");
        (block, layout)
    };
    let mut live: Vec<(*mut u8, Layout)> = (0..BLOCKS).map(|_| take(next())).collect();
    let mut chosen = Mt19937::new(SEED);
    for _ in 0..REPLACED {
        let place = chosen.draw_below(BLOCKS as u32) as usize;
        let (block, layout) = live[place];
        // SAFETY: the block is live, with this layout.
        unsafe { counted_give(&subject, block, layout) };
        live[place] = take(next());
    }
    for (block, layout) in live {
        // SAFETY: as above.
        unsafe { counted_give(&subject, block, layout) };
    }
}

#[inline(never)]
fn counted_take<S: Subject>(subject: &S, layout: Layout) -> *mut u8 {
    black_box(subject.take(layout))
}

/// # Safety
///
/// As of [`Subject::give`].
#[inline(never)]
unsafe fn counted_give<S: Subject>(subject: &S, block: *mut u8, layout: Layout) {
    // SAFETY: the caller's contract, passed on.
    unsafe { subject.give(block, layout) };
    // So that the call above stays a call, and is no jump to the allocator.
    black_box(());
}
