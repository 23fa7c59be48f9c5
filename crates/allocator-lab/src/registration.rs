//! How workloads become scenarios: their names and axes, and what of their reports is
//! recorded. What a workload does is not known here.
//!
//! The first axis of each is the subject. Those on one thread are here, those on
//! several and the lab's own below.

mod architecture;
mod often;
mod own;
mod threads;

use alloc_scenario::{CallOutcome, Definition, Scenario, Suite, Unit};

use crate::entrant::{Entry, Need};
use crate::heap::Memory;
use crate::lab::Extent;
use crate::report::Report;
use crate::subject::Subject;
use crate::workload::batch::Pattern;
use crate::workload::frame::Scene;
use crate::workload::phases::Load;
use crate::workload::stress::Memo;
use crate::workload::{
    ALIGN, alignment, batch, fragmentation, frame, histogram, large, pair, phases, stress, waste,
};

use often::Often;
pub(crate) use own::own;

/// The workloads that run on every subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Workload {
    Pair,
    Batch,
    Frame,
    Phases,
    Fragmentation,
    Concurrent,
    Burst,
    Alignment,
    Large,
    Stress,
    Waste,
    Overhead,
    Architecture,
}

impl Workload {
    /// Those of an extent, in the order in which they are measured.
    pub(crate) const fn of(extent: Extent) -> &'static [Self] {
        match extent {
            Extent::Everything => &[
                Self::Pair,
                Self::Batch,
                Self::Frame,
                Self::Phases,
                Self::Fragmentation,
                Self::Concurrent,
                Self::Burst,
                Self::Alignment,
                Self::Large,
                Self::Stress,
                Self::Waste,
                Self::Overhead,
                Self::Architecture,
            ],
            // Not the two that look at the memory of the process, which not every
            // system tells.
            Extent::Checks => &[
                Self::Pair,
                Self::Batch,
                Self::Frame,
                Self::Phases,
                Self::Fragmentation,
                Self::Concurrent,
                Self::Burst,
                Self::Alignment,
                Self::Large,
                Self::Stress,
                Self::Waste,
            ],
        }
    }
}

/// A scenario of which nothing is said yet.
pub(super) type Blank = Scenario<'static>;

/// Adds a workload on a subject. Each scenario has a process of its own: what others
/// have taken and given back before changes what an allocator does, and for how long.
pub(crate) fn register<S: Subject + 'static>(
    suite: &mut Suite<'static>,
    entry: &Entry<S>,
    workload: Workload,
    extent: Extent,
) {
    let own_process = |b: Blank| match extent {
        Extent::Everything => b.fresh_process(),
        // No time is judged.
        Extent::Checks => b.fresh_process().untimed(),
    };
    let memories = match extent {
        Extent::Everything => &[Memory::Untouched, Memory::Touched][..],
        // The requests are the same.
        Extent::Checks => &[Memory::Touched],
    };
    match workload {
        Workload::Pair => {
            for &memory in memories {
                suite.scenario_with("pair", |b| pair(own_process(b), entry, memory, extent));
            }
        }
        Workload::Batch => {
            suite.scenario_with("batch", |b| batch(own_process(b), entry, extent));
        }
        Workload::Frame => {
            for &memory in memories {
                suite.scenario_with("frame", |b| frame(own_process(b), entry, memory, extent));
            }
        }
        Workload::Phases => {
            suite.scenario_with("phases", |b| phases(own_process(b), entry, extent));
        }
        Workload::Fragmentation => {
            suite.scenario_with("fragmentation", |b| {
                fragmentation(own_process(b), entry, extent)
            });
        }
        Workload::Concurrent => {
            suite.scenario_with("concurrent", |b| {
                threads::concurrent(own_process(b), entry, extent)
            });
        }
        Workload::Burst => {
            suite.scenario_with("burst", |b| threads::burst(own_process(b), entry));
        }
        Workload::Alignment => {
            suite.scenario_with("alignment", |b| alignment(own_process(b), entry));
        }
        Workload::Large => {
            suite.scenario_with("large", |b| large(own_process(b), entry, extent));
        }
        Workload::Stress => {
            suite.scenario_with("stress", |b| stress(own_process(b), entry, extent));
        }
        Workload::Waste => {
            suite.scenario_with("waste", |b| waste(own_process(b), entry, extent));
        }
        Workload::Overhead => {
            suite.scenario_with("overhead", |b| {
                threads::overhead_global(own_process(b), entry)
            });
            suite.scenario_with("overhead", |b| {
                threads::overhead_per_thread(own_process(b), entry)
            });
        }
        Workload::Architecture => {
            suite.scenario_with("architecture", |b| {
                architecture::architecture(own_process(b), entry)
            });
        }
    }
}

/// What of a report is judged.
pub(super) fn outcome(report: &Report) -> CallOutcome {
    CallOutcome::new(report.requests)
        .fault("null", report.nulls)
        .fault("misaligned", report.misaligned)
        .fault("overlapping", report.overlapping)
        .fault("corrupt", report.corrupt)
}

fn pair<S: Subject + 'static>(
    b: Blank,
    entry: &Entry<S>,
    memory: Memory,
    extent: Extent,
) -> Definition<'static> {
    let often = Often::SHORT.within(extent);
    let b = b
        .axis("subject", [entry.name.clone()])
        .axis("size", pair::SIZES)
        .axis("memory", [memory])
        .elements(|_| pair::PAIRS)
        .warmup(often.warmup)
        .iterations(often.iterations);
    if let Some(reason) = entry.hindrance(need(memory)) {
        return b.unavailable(reason);
    }
    let open = entry.opener(pair::blocks(pair::SIZES[0]));
    b.setup(move |&(_, size, memory)| (open(), size, memory))
        .run(|(heap, size, memory)| pair::pairs(heap, *size, *memory))
        .outcome(outcome)
        .metric("requests", Unit::Count, |report| report.requests as i64)
        .into()
}

fn batch<S: Subject + 'static>(b: Blank, entry: &Entry<S>, extent: Extent) -> Definition<'static> {
    let often = Often::SHORT.within(extent);
    let b = b
        .axis("subject", [entry.name.clone()])
        .axis("pattern", Pattern::ALL)
        .elements(|&(_, pattern)| pattern.requests().0)
        .warmup(often.warmup)
        .iterations(often.iterations);
    if let Some(reason) = entry.hindrance(Need::Addresses) {
        return b.unavailable(reason);
    }
    let open = entry.opener(Pattern::Individual.requests().0);
    b.setup(move |&(_, pattern)| (open(), pattern))
        .run(|(heap, pattern)| batch::batch(heap, *pattern))
        .outcome(outcome)
        .metric("requests", Unit::Count, |report| report.requests as i64)
        .into()
}

fn frame<S: Subject + 'static>(
    b: Blank,
    entry: &Entry<S>,
    memory: Memory,
    extent: Extent,
) -> Definition<'static> {
    let often = Often::SHORT.within(extent);
    let b = b
        .axis("subject", [entry.name.clone()])
        .axis("scene", Scene::ALL)
        .axis("memory", [memory])
        .elements(|&(_, scene, _)| scene.blocks())
        .warmup(often.warmup)
        .iterations(often.iterations);
    if let Some(reason) = entry.hindrance(need(memory)) {
        return b.unavailable(reason);
    }
    let open = entry.opener(Scene::Particles.blocks());
    b.setup(move |&(_, scene, memory)| (open(), scene, memory))
        .run(|(heap, scene, memory)| frame::frame(heap, *scene, *memory))
        .outcome(outcome)
        .metric("requests", Unit::Count, |report| report.requests as i64)
        .metric("requested-bytes", Unit::Bytes, |report| {
            report.requested_bytes as i64
        })
        .into()
}

fn phases<S: Subject + 'static>(b: Blank, entry: &Entry<S>, extent: Extent) -> Definition<'static> {
    let often = match extent {
        Extent::Everything => Often::LONG,
        Extent::Checks => Often::ONCE,
    };
    let b = b
        .axis("subject", [entry.name.clone()])
        .axis("load", Load::ALL)
        .elements(|&(_, load)| load.blocks())
        .warmup(often.warmup)
        .iterations(often.iterations);
    if let Some(reason) = entry.hindrance(Need::Addresses) {
        return b.unavailable(reason);
    }
    let open = entry.opener(Load::Small.blocks());
    b.setup(move |&(_, load)| (open(), load))
        .run(|(heap, load)| phases::phases(heap, *load))
        .outcome(|phases| outcome(&phases.report))
        .metric("requests", Unit::Count, |phases| {
            phases.report.requests as i64
        })
        .metric("alloc-time", Unit::Nanoseconds, |phases| {
            phases.alloc_nanoseconds as i64
        })
        .metric("free-time", Unit::Nanoseconds, |phases| {
            phases.free_nanoseconds as i64
        })
        .metric("pairs-time", Unit::Nanoseconds, |phases| {
            (phases.alloc_nanoseconds + phases.free_nanoseconds) as i64
        })
        .into()
}

fn fragmentation<S: Subject + 'static>(
    b: Blank,
    entry: &Entry<S>,
    extent: Extent,
) -> Definition<'static> {
    let often = Often::SHORT.within(extent);
    let b = b
        .axis("subject", [entry.name.clone()])
        .elements(|_| fragmentation::PAIRS)
        .warmup(often.warmup)
        .iterations(often.iterations);
    if let Some(reason) = entry.hindrance(Need::Addresses) {
        return b.unavailable(reason);
    }
    let open = entry.opener(fragmentation::BLOCKS);
    b.setup(move |_| open())
        .run(fragmentation::fragmentation)
        .outcome(|fragmentation| outcome(&fragmentation.report))
        .metric("requests", Unit::Count, |fragmentation| {
            fragmentation.report.requests as i64
        })
        .metric("pairs-time", Unit::Nanoseconds, |fragmentation| {
            fragmentation.pairs_nanoseconds as i64
        })
        .into()
}

fn alignment<S: Subject + 'static>(b: Blank, entry: &Entry<S>) -> Definition<'static> {
    let b = b
        .axis("subject", [entry.name.clone()])
        .elements(|_| alignment::BLOCKS)
        .warmup(Often::ARENA.warmup)
        .iterations(Often::ARENA.iterations);
    if let Some(reason) = entry.hindrance(Need::Places) {
        return b.unavailable(reason);
    }
    let open = entry.opener(alignment::BLOCKS);
    b.setup(move |_| open())
        .run(alignment::alignment)
        .outcome(outcome)
        .metric("addresses", Unit::Count, |report| {
            (report.requests - report.nulls) as i64
        })
        .metric("aligned", Unit::Count, |report| {
            (report.requests - report.nulls - report.misaligned) as i64
        })
        .into()
}

fn large<S: Subject + 'static>(b: Blank, entry: &Entry<S>, extent: Extent) -> Definition<'static> {
    let mebibytes = match extent {
        Extent::Everything => &large::MEBIBYTES[..],
        Extent::Checks => &[64],
    };
    let often = Often::LONG.within(extent);
    let b = b
        .axis("subject", [entry.name.clone()])
        .axis("mebibytes", mebibytes.iter().copied())
        .warmup(often.warmup)
        .iterations(often.iterations);
    if let Some(reason) = entry.hindrance(Need::Memory) {
        return b.unavailable(reason);
    }
    let open = entry.opener(1);
    b.setup(move |&(_, mebibytes)| (open(), mebibytes))
        .run(|(heap, mebibytes)| large::large(heap, *mebibytes))
        .outcome(outcome)
        .metric("requests", Unit::Count, |report| report.requests as i64)
        .metric("successful", Unit::Count, |report| {
            report.successful() as i64
        })
        .into()
}

fn stress<S: Subject + 'static>(b: Blank, entry: &Entry<S>, extent: Extent) -> Definition<'static> {
    let often = match extent {
        Extent::Everything => Often {
            warmup: 1,
            iterations: 3,
        },
        Extent::Checks => Often::ONCE,
    };
    let b = b
        .axis("subject", [entry.name.clone()])
        .elements(|_| stress::STEPS)
        .warmup(often.warmup)
        .iterations(often.iterations);
    if let Some(reason) = entry.hindrance(Need::Memory) {
        return b.unavailable(reason);
    }
    let open = entry.opener(stress::BLOCKS);
    b.setup(move |_| (open(), Memo::new()))
        .run(|(heap, memo)| stress::stress(heap, memo))
        .outcome(|stress| outcome(&stress.report))
        .metric("allocations", Unit::Count, |stress| {
            (stress.report.requests - stress.report.nulls) as i64
        })
        .metric("peak-blocks", Unit::Count, |stress| {
            stress.peak_blocks as i64
        })
        .metric("live-bytes", Unit::Bytes, |stress| stress.live_bytes as i64)
        .metric("total-bytes", Unit::Bytes, |stress| {
            stress.total_bytes as i64
        })
        .into()
}

/// It is measured once in a process, in the set-up; the iteration says what that was.
fn waste<S: Subject + 'static>(b: Blank, entry: &Entry<S>, extent: Extent) -> Definition<'static> {
    let (sizes, aligns) = match extent {
        Extent::Everything => (&["7", "31", "63", "1024", "recorded"][..], &[1, ALIGN][..]),
        Extent::Checks => (&["63", "recorded"][..], &[ALIGN][..]),
    };
    let b = b
        .axis("subject", [entry.name.clone()])
        .axis("size", sizes.iter().copied())
        .axis("align", aligns.iter().copied())
        .warmup(Often::ONCE.warmup)
        .iterations(Often::ONCE.iterations);
    if let Some(reason) = entry.hindrance(Need::Places) {
        return b.unavailable(reason);
    }
    let one = entry.opener(waste::BLOCKS);
    let all = entry.opener(waste::BLOCKS * histogram::RULES_READ.len());
    b.setup(move |&(_, size, align)| match size.parse() {
        Ok(size) => waste::waste(&mut one(), &[(size, waste::BLOCKS as u64)], align),
        Err(_) => waste::waste(&mut all(), &histogram::RULES_READ, align),
    })
    .run(|waste| *waste)
    .outcome(|waste| outcome(&waste.report))
    .metric("requested-bytes", Unit::Bytes, |waste| {
        waste.requested_bytes as i64
    })
    .metric("consumed-bytes", Unit::Bytes, |waste| {
        waste.consumed_bytes as i64
    })
    .into()
}

const fn need(memory: Memory) -> Need {
    match memory {
        Memory::Untouched => Need::Addresses,
        Memory::Touched => Need::Memory,
    }
}
