//! The workloads that have no subject: the counting wrapper, and prefetching on an
//! arena of the lab's own.

use std::cell::RefCell;
use std::collections::BTreeMap;

use alloc_scenario::{Definition, Suite, Unit};

use crate::workload::prefetch::{Arena, Prefetch, Work};
use crate::workload::wrapper::{Rounds, Wrapper};
use crate::workload::{pair, prefetch};

use super::{Blank, Often, outcome};

/// Adds them.
pub(crate) fn own(suite: &mut Suite<'static>) {
    suite.scenario_with("wrapper", wrapper);
    for hint in Prefetch::ALL {
        for work in Work::ALL {
            suite.scenario_with("prefetch", |b| prefetch(b, work, hint));
        }
    }
}

/// The wrappers take turns: whichever is measured first has all of them timed, round by
/// round, before the windows of its iterations are opened, and the others read their
/// turns of the same rounds. One that is measured alone had the others beside it as well.
fn wrapper(b: Blank) -> Definition<'static> {
    let rounds = RefCell::new(BTreeMap::new());
    b.axis("wrapper", Wrapper::ALL)
        .axis("threads", [1_usize, 2])
        .elements(|_| pair::PAIRS)
        .warmup(0)
        .iterations(Often::SHORT.iterations)
        .untimed()
        .note("see pairs-time, of turns that all wrappers take in one process")
        .input(move |&(wrapper, threads)| {
            rounds
                .borrow_mut()
                .entry(threads)
                .or_insert_with(|| Rounds::on(threads))
                .next(wrapper)
        })
        .run(|turn| turn)
        .outcome(|turn| outcome(&turn.report))
        .metric("pairs-time", Unit::Nanoseconds, |turn| {
            turn.pairs_nanoseconds as i64
        })
        .into()
}

fn prefetch(b: Blank, work: Work, hint: Prefetch) -> Definition<'static> {
    let b = b
        .axis("work", [work])
        .axis("prefetch", [hint])
        .elements(|_| prefetch::BLOCKS)
        .warmup(Often::SHORT.warmup)
        .iterations(Often::SHORT.iterations);
    match hint.unavailable(work) {
        Some(reason) => b.unavailable(reason),
        None => b
            .setup(|&(work, hint)| (Arena::new(), work, hint))
            .run(|(arena, work, hint)| prefetch::bump(arena, *work, *hint))
            .into(),
    }
}
