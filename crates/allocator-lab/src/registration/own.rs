//! The workloads that have no subject: the counting wrapper, and prefetching on an
//! arena of the lab's own.

use alloc_scenario::{Definition, Suite, Unit};

use crate::workload::prefetch::{Arena, Prefetch, Work};
use crate::workload::wrapper::Wrapper;
use crate::workload::{pair, prefetch, wrapper};

use super::{Blank, Often, outcome};

/// Adds them.
pub(crate) fn own(suite: &mut Suite<'static>) {
    suite.scenario_with("wrapper", wrapper);
    for hint in [Prefetch::Off, Prefetch::On, Prefetch::OffAgain] {
        suite.scenario_with("prefetch", |b| prefetch(b, hint));
    }
}

/// The rounds are timed in the set-up, where no window is open; the iterations say one
/// after the other what they took. So the time of the scenario itself means nothing.
fn wrapper(b: Blank) -> Definition<'static> {
    b.axis("wrapper", Wrapper::ALL)
        .axis("threads", [1_usize, 2])
        .elements(|_| pair::PAIRS)
        .warmup(0)
        .iterations(Often::SHORT.iterations)
        .note("see pairs-time: it was taken in the set-up, and the scenario's own time is not it")
        .setup(|&(wrapper, threads)| {
            let rounds = wrapper::rounds(wrapper, threads, Often::SHORT.iterations as usize);
            (rounds, 0_usize)
        })
        .run(|(rounds, next)| {
            let round = rounds.get(*next % rounds.len().max(1)).copied();
            *next += 1;
            round
        })
        .outcome(|round| outcome(&round.map(|round| round.report).unwrap_or_default()))
        .metric("pairs-time", Unit::Nanoseconds, |round| {
            round.map_or(0, |round| round.pairs_nanoseconds as i64)
        })
        .into()
}

fn prefetch(b: Blank, hint: Prefetch) -> Definition<'static> {
    let b = b
        .axis("work", Work::ALL)
        .axis("prefetch", [hint])
        .elements(|_| prefetch::BLOCKS)
        .warmup(Often::SHORT.warmup)
        .iterations(Often::SHORT.iterations);
    match hint.unavailable() {
        Some(reason) => b.unavailable(reason),
        None => b
            .setup(|&(work, hint)| (Arena::new(), work, hint))
            .run(|(arena, work, hint)| prefetch::bump(arena, *work, *hint))
            .into(),
    }
}
