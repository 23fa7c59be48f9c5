//! The plan of a run: which bench is started how often, with which scenarios.
//!
//! A process that runs while a neighbour of the machine has the other half of its core takes up
//! to twice as long from its beginning to its end, so that its fastest window says nothing. One
//! of several processes, minutes apart, finds the core alone. What is short is therefore measured
//! in more of them.

use std::fmt;

use lab_page::value::counted;

/// The short scenarios on one thread, which six more processes measure than the others. An entry is
/// a workload, or `WORKLOAD/AXIS=VALUE` for the part of it that has this value.
const SHORT: &str = "pair/memory=untouched batch frame fragmentation vectors replay tails prefetch \
                     concurrent/threads=1";
const MORE: u32 = 6;

/// The scenarios without a clock: their values are counts, or memory, and one process is enough.
const COUNTED: &str = "resident overhead architecture fill smallest-region large waste/align=8";

/// The bench whose scenarios one process measures.
const BUILDS: &str = "compilation";

/// What `--quick` measures: enough for the heat map, in less than 90 seconds on two cores.
/// `sizes=mixed` is the half of `concurrent` with the sizes of programs.
pub(super) const QUICK: &str = "pair/ batch/ frame/ vectors/ sizes=mixed handover/ replay/ phases/";

/// One start of one bench.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Round {
    /// From 1.
    pub(super) number: u32,
    pub(super) bench: &'static str,
    /// The full names of its scenarios.
    pub(super) names: Vec<String>,
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scenarios = counted(self.names.len(), "scenario");
        write!(
            f,
            "round {}, bench `{}`, {scenarios}",
            self.number, self.bench
        )
    }
}

/// All rounds of the benches, each with the full names of its scenarios. The first round measures
/// everything; later ones measure what needs more processes.
pub(super) fn plan(benches: &[(&'static str, Vec<String>)], rounds: u32) -> Vec<Round> {
    let mut plan = Vec::new();
    for number in 1..=rounds + MORE {
        for (bench, names) in benches {
            let is_due = |name: &&String| match *bench {
                BUILDS => number == 1,
                _ => number <= processes(name, rounds),
            };
            let names: Vec<String> = names.iter().filter(is_due).cloned().collect();
            if !names.is_empty() {
                plan.push(Round {
                    number,
                    bench,
                    names,
                });
            }
        }
    }
    plan
}

/// The number of processes that measure a scenario.
fn processes(name: &str, rounds: u32) -> u32 {
    let is_in = |entries: &str| entries.split(' ').any(|entry| selects(entry, name));
    match name {
        _ if is_in(COUNTED) => 1,
        _ if is_in(SHORT) => rounds + MORE,
        _ => rounds,
    }
}

/// Whether an entry of the lists above selects the scenario of this full name.
fn selects(entry: &str, name: &str) -> bool {
    let (workload, axes) = name.split_once('/').unwrap_or((name, ""));
    match entry.split_once('/') {
        None => entry == workload,
        Some((wanted, axis)) => wanted == workload && axes.split(',').any(|one| one == axis),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bench(name: &'static str, names: &[&str]) -> (&'static str, Vec<String>) {
        let names = names.iter().map(|&name| name.to_owned());
        (name, names.collect())
    }

    #[test]
    fn short_scenarios_are_measured_more_often_and_those_without_a_clock_once() {
        for (name, expected) in [
            ("pair/subject=talc,size=64,memory=untouched", 9),
            ("pair/subject=talc,size=64,memory=filled", 3),
            ("phases/subject=talc,size=64", 3),
            ("burst/subject=talc", 3),
            ("fill/subject=talc", 1),
            // Another thread than the first, and another time than a cold one.
            ("concurrent/subject=talc,threads=1,sizes=64", 9),
            ("concurrent/subject=talc,threads=16,sizes=64", 3),
            ("waste/subject=talc,size=7,align=1", 3),
            ("waste/subject=talc,size=1024,align=8", 1),
            // A workload is known by its whole name.
            ("backfill/subject=talc", 3),
            ("repair/subject=talc", 3),
            ("mine/subject=talc,of=fill/", 3),
            ("mine", 3),
        ] {
            let plan = plan(&[bench("lab", &[name])], 3);
            assert_eq!(plan.len(), expected, "{name}");
        }
    }

    #[test]
    fn each_bench_has_its_rounds() {
        let plan = plan(
            &[
                bench(
                    "lab",
                    &["vectors/subject=a", "fill/subject=a", "burst/subject=a"],
                ),
                bench("compilation", &["compilation/subject=a"]),
                bench("programs", &["programs/subject=a"]),
            ],
            2,
        );
        let announced: Vec<_> = plan.iter().map(ToString::to_string).collect();
        assert_eq!(
            announced[..6],
            [
                "round 1, bench `lab`, 3 scenarios",
                "round 1, bench `compilation`, 1 scenario",
                "round 1, bench `programs`, 1 scenario",
                "round 2, bench `lab`, 2 scenarios",
                "round 2, bench `programs`, 1 scenario",
                "round 3, bench `lab`, 1 scenario",
            ]
        );
        assert_eq!(announced[6..].len(), 5);
        assert_eq!(announced[10], "round 8, bench `lab`, 1 scenario");
        assert_eq!(plan[3].names, ["vectors/subject=a", "burst/subject=a"]);
        assert_eq!(plan[10].names, ["vectors/subject=a"]);
    }
}
