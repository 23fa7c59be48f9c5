//! The plan of a run: which bench is started how often, with which scenarios.
//!
//! A process that runs while a neighbour of the machine has the other half of its core takes up
//! to twice as long from its beginning to its end, so that its fastest window says nothing. One
//! of several processes, minutes apart, finds the core alone. What is short is therefore measured
//! in more of them.

use std::fmt;

/// Parts of the names of short scenarios on one thread, and by how much more often than others
/// they are measured.
const SHORT: (&[&str], u32) = (
    &[
        "pair/",
        "zeroed/",
        "call/",
        "batch/",
        "frame/",
        "fragmentation/",
        "depth/",
        "realloc/",
        "replay/",
        "tails/",
        "prefetch/",
        "wrapper/",
        "threads=1,",
    ],
    3,
);

/// The same of longer ones. `phases` has cold figures, of which each process gives one.
const LONGER: (&[&str], u32) = (&["phases/", "large/", "stress/", "larson/"], 2);

/// Parts of the names of scenarios without a clock: their figures are counts, or memory, and one
/// process is enough. `phase=` is `churn`.
const COUNTED: [&str; 7] = [
    "phase=",
    "resident/",
    "overhead/",
    "architecture/",
    "kept/",
    "system-calls/",
    "fill/",
];

/// Parts of the names of scenarios that wait, the variable that adds them to the bench, and in
/// how many processes they wait beside each other: they read memory, and no clock.
pub(super) const WAITING: (&str, &str, u32) = ("kept/", "ALLOCATOR_LAB_LONG", 8);

/// What `--quick` measures: enough for the heat map, in less than 90 seconds on two cores.
/// `sizes=mixed` is the half of `concurrent` that the plot of threads shows.
const QUICK: [&str; 8] = [
    "pair/",
    "batch/",
    "frame/",
    "realloc/",
    "sizes=mixed",
    "handover/",
    "replay/",
    "phases/",
];

/// One start of one bench.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Round {
    /// From 1.
    pub(super) number: u32,
    pub(super) bench: String,
    /// Parts of the names of its scenarios; none for all.
    pub(super) filters: Vec<String>,
    /// Parts of the names of scenarios that it leaves out.
    pub(super) skipped: Vec<String>,
    /// Whether it has the scenarios that wait.
    pub(super) waits: bool,
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {}, bench `{}`", self.number, self.bench)?;
        match self.filters.as_slice() {
            [] => {}
            filters => write!(f, ", {}", filters.join(" "))?,
        }
        match self.skipped.as_slice() {
            [] => Ok(()),
            skipped => write!(f, ", without {}", skipped.join(" ")),
        }
    }
}

/// The first of the benches is measured in every round, the others in the first one.
pub(super) fn plan(benches: &[String], filters: &[String], rounds: u32, quick: bool) -> Vec<Round> {
    let Some((main, once)) = benches.split_first() else {
        return Vec::new();
    };
    let round = |number: u32, bench: &str, filters: &[String]| Round {
        number,
        bench: bench.to_owned(),
        filters: filters.to_vec(),
        ..Round::default()
    };
    if quick {
        let filters = match filters {
            [] => owned(&QUICK),
            filters => filters.to_vec(),
        };
        return vec![round(1, main, &filters)];
    }
    let mut plan = vec![round(1, main, filters)];
    plan.extend(once.iter().map(|bench| round(1, bench, filters)));
    plan.extend((2..=rounds).map(|number| Round {
        skipped: owned(&COUNTED),
        ..round(number, main, filters)
    }));
    let most = rounds * SHORT.1.max(LONGER.1);
    for number in rounds + 1..=most {
        let parts = [SHORT, LONGER].into_iter();
        let parts = parts.filter(|(_, times)| number <= rounds * times);
        let selected: Vec<_> = parts
            .flat_map(|(parts, _)| parts)
            .flat_map(|part| of_filters(filters, part))
            .collect();
        if !selected.is_empty() {
            plan.push(round(number, main, &selected));
        }
    }
    let (waiting, ..) = WAITING;
    let waiting = of_filters(filters, waiting);
    if !waiting.is_empty() {
        plan.push(Round {
            waits: true,
            ..round(most + 1, main, &waiting)
        });
    }
    plan
}

/// The filters that select scenarios of a part; the part itself if nothing is filtered.
fn of_filters(filters: &[String], part: &str) -> Vec<String> {
    match filters {
        [] => vec![part.to_owned()],
        filters => {
            let of_part = filters.iter().filter(|filter| filter.contains(part));
            of_part.cloned().collect()
        }
    }
}

fn owned(parts: &[&str]) -> Vec<String> {
    parts.iter().map(|&part| part.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rounds, as they are announced.
    fn planned(filters: &[&str], rounds: u32, quick: bool) -> Vec<String> {
        let benches = ["lab", "compilation"].map(str::to_owned);
        let plan = plan(&benches, &owned(filters), rounds, quick);
        plan.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_short_is_measured_more_often_and_what_has_no_clock_once() {
        let all = planned(&[], 3, false);
        assert_eq!(
            all[..2],
            ["round 1, bench `lab`", "round 1, bench `compilation`"]
        );
        let without = "without phase= resident/ overhead/ architecture/ kept/ system-calls/ fill/";
        assert_eq!(all[2], format!("round 2, bench `lab`, {without}"));
        assert_eq!(all[3], format!("round 3, bench `lab`, {without}"));
        let count = |part: &str| {
            let named = all.iter().filter(|round| round.contains(part));
            named.count()
        };
        // Beside the three whole rounds.
        assert_eq!(count(" pair/ "), 6);
        assert_eq!(count(" phases/ "), 3);
        assert_eq!(all.last().unwrap(), "round 10, bench `lab`, kept/");
        assert_eq!(all.len(), 2 + 2 + 6 + 1);
    }

    #[test]
    fn a_part_is_measured_as_often_as_the_whole() {
        let skipped = "without phase= resident/ overhead/ architecture/ kept/ system-calls/ fill/";
        assert_eq!(
            planned(&["burst/", "phases/subject=talc"], 2, false),
            [
                "round 1, bench `lab`, burst/ phases/subject=talc",
                "round 1, bench `compilation`, burst/ phases/subject=talc",
                &format!("round 2, bench `lab`, burst/ phases/subject=talc, {skipped}"),
                "round 3, bench `lab`, phases/subject=talc",
                "round 4, bench `lab`, phases/subject=talc",
            ]
        );
        assert_eq!(planned(&["burst/"], 3, false).len(), 4);
    }

    #[test]
    fn a_quick_run_is_one_round() {
        assert_eq!(
            planned(&["pair/"], 3, true),
            ["round 1, bench `lab`, pair/"]
        );
        assert_eq!(planned(&[], 3, true).len(), 1);
    }
}
