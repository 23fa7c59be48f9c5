//! The plan of a run: which bench is started how often, with which scenarios.
//!
//! A process that runs while a neighbour of the machine has the other half of its core takes up
//! to twice as long from its beginning to its end, so that its fastest window says nothing. One
//! of several processes, minutes apart, finds the core alone. What is short is therefore measured
//! in more of them.

use std::fmt;

use crate::counted;

/// The short scenarios on one thread, and how many processes more than the others measure them. An
/// entry is a workload, or `WORKLOAD/AXIS=VALUE` for the part of it that has this value.
const SHORT: (&str, u32) = (
    "pair/memory=untouched batch frame fragmentation realloc/memory=untouched vectors replay tails \
     prefetch concurrent/threads=1",
    6,
);

/// Longer ones and `waste`, and how many processes more measure them.
const LONGER: (&str, u32) = ("phases large stress larson waste/align=1", 1);

/// The scenarios without a clock: their figures are counts, or memory, and one process is enough.
/// Of `waste`, the tables show times with alignment 1 alone.
const COUNTED: &str = "churn resident overhead architecture fill smallest-region waste/align=8";

/// The bench beside the main one that has a clock. The others are measured once.
const TIMED: &str = "programs";

/// What `--quick` measures: enough for the heat map, in less than 90 seconds on two cores.
/// `sizes=mixed` is the half of `concurrent` with the sizes of programs.
const QUICK: &str = "pair/ batch/ frame/ vectors/ sizes=mixed handover/ replay/ phases/";

/// One start of one bench.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Round {
    /// From 1.
    pub(super) number: u32,
    pub(super) bench: String,
    pub(super) scenarios: Scenarios,
}

/// The scenarios of a round.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Scenarios {
    /// Those whose full names contain one of these; all without any.
    Filtered(Vec<String>),
    /// Those of these full names.
    Named(Vec<String>),
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {}, bench `{}`", self.number, self.bench)?;
        match &self.scenarios {
            Scenarios::Filtered(filters) if filters.is_empty() => Ok(()),
            Scenarios::Filtered(filters) => write!(f, ", {}", filters.join(" ")),
            Scenarios::Named(names) => write!(f, ", {}", counted(names.len(), "scenario")),
        }
    }
}

/// The only round with `--quick`.
pub(super) fn quick(main: &str, filters: &[String]) -> Round {
    let filters = match filters {
        [] => QUICK.split(' ').map(str::to_owned).collect(),
        filters => filters.to_vec(),
    };
    Round {
        number: 1,
        bench: main.to_owned(),
        scenarios: Scenarios::Filtered(filters),
    }
}

/// All rounds. The first one measures everything; later ones measure those `listed` scenarios of
/// the `main` bench that need more processes, and [`TIMED`].
pub(super) fn plan(
    main: &str,
    others: &[String],
    filters: &[String],
    listed: &[String],
    rounds: u32,
) -> Vec<Round> {
    let round = |number: u32, bench: &str, scenarios: Scenarios| Round {
        number,
        bench: bench.to_owned(),
        scenarios,
    };
    let all = || Scenarios::Filtered(filters.to_vec());
    let mut plan = vec![round(1, main, all())];
    plan.extend(others.iter().map(|bench| round(1, bench, all())));
    let most = rounds + SHORT.1.max(LONGER.1);
    for number in 2..=most {
        let names = listed.iter();
        let names = names.filter(|name| number <= processes(name, rounds));
        let names: Vec<_> = names.cloned().collect();
        if !names.is_empty() {
            plan.push(round(number, main, Scenarios::Named(names)));
        }
        let again = others
            .iter()
            .filter(|bench| *bench == TIMED && number <= rounds);
        plan.extend(again.map(|bench| round(number, bench, all())));
    }
    plan
}

/// The number of processes that measure a scenario.
fn processes(name: &str, rounds: u32) -> u32 {
    let is_in = |entries: &str| entries.split(' ').any(|entry| selects(entry, name));
    match name {
        _ if is_in(COUNTED) => 1,
        _ if is_in(SHORT.0) => rounds + SHORT.1,
        _ if is_in(LONGER.0) => rounds + LONGER.1,
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

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    /// In how many of three rounds and their repetitions a scenario is measured.
    fn times(name: &str) -> usize {
        let plan = plan("lab", &[], &[], &owned(&[name]), 3);
        let has_it = |round: &&Round| match &round.scenarios {
            Scenarios::Filtered(filters) => filters.is_empty(),
            Scenarios::Named(names) => names == &[name],
        };
        assert!(plan.iter().all(|round| has_it(&round)), "{plan:?}");
        plan.len()
    }

    #[test]
    fn short_scenarios_are_measured_more_often_and_those_without_a_clock_once() {
        for (name, expected) in [
            ("pair/subject=talc,size=64,memory=untouched", 9),
            ("pair/subject=talc,size=64,memory=touched", 3),
            ("phases/subject=talc,size=64", 4),
            ("burst/subject=talc", 3),
            ("fill/subject=talc", 1),
            // Another thread than the first, and another time than a cold one.
            ("concurrent/subject=talc,threads=1,sizes=64", 9),
            ("concurrent/subject=talc,threads=16,sizes=64", 3),
            ("waste/subject=talc,size=7,align=1", 4),
            ("waste/subject=talc,size=7,align=8", 1),
            // A workload is known by its whole name.
            ("backfill/subject=talc", 3),
            ("repair/subject=talc", 3),
            ("mine/subject=talc,of=fill/", 3),
            ("mine", 3),
        ] {
            assert_eq!(times(name), expected, "{name}");
        }
    }

    #[test]
    fn filters_do_not_change_how_often_a_scenario_is_measured() {
        let filters = ["subject=talc".to_owned()];
        let names = [
            "vectors/subject=talc",
            "fill/subject=talc",
            "burst/subject=talc",
        ];
        let others = owned(&["compilation", "programs"]);
        let plan = plan("lab", &others, &filters, &owned(&names), 2);
        let announced: Vec<_> = plan.iter().map(ToString::to_string).collect();
        assert_eq!(
            announced[..6],
            [
                "round 1, bench `lab`, subject=talc",
                "round 1, bench `compilation`, subject=talc",
                "round 1, bench `programs`, subject=talc",
                "round 2, bench `lab`, 2 scenarios",
                "round 2, bench `programs`, subject=talc",
                "round 3, bench `lab`, 1 scenario",
            ]
        );
        assert_eq!(announced[6..].len(), 5);
        assert_eq!(announced[10], "round 8, bench `lab`, 1 scenario");
        let named = |names: &[&str]| Scenarios::Named(owned(names));
        assert_eq!(plan[3].scenarios, named(&[names[0], names[2]]));
        assert_eq!(plan[10].scenarios, named(&[names[0]]));
    }

    #[test]
    fn a_quick_run_is_one_round() {
        let filtered = quick("lab", &["pair/".to_owned()]);
        assert_eq!(filtered.to_string(), "round 1, bench `lab`, pair/");
        assert!(quick("lab", &[]).to_string().contains(" replay/ "));
    }
}
