//! [`History`]: the accepted figures of scenarios over the commits that changed them.

use std::collections::{BTreeSet, HashSet};

use crate::baseline::{Accepted, AcceptedScenario, Baseline};
use crate::figure::{Measure, Statistic};
use crate::results::{Environment, ScenarioId};

/// A state of the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The commit; `None` for what is not committed.
    pub commit: Option<String>,
    /// The day of the commit, `2026-11-21`.
    pub date: String,
    /// The first line of the commit's message.
    pub subject: String,
    /// Whether older states are not known, so that an older commit may have changed the data.
    pub is_boundary: bool,
    /// The data.
    pub baseline: Baseline,
}

/// The accepted figures of scenarios over the revisions of a baseline.
#[derive(Clone, Debug)]
pub struct History<'r> {
    /// The revisions, the oldest first.
    pub revisions: &'r [Revision],
    /// By environment, and in the order of the newest baseline; those that it lacks come last.
    pub scenarios: Vec<ScenarioHistory<'r>>,
}

/// The accepted figures of a scenario in an environment.
#[derive(Clone, Debug)]
pub struct ScenarioHistory<'r> {
    /// The bench and the name.
    pub id: &'r ScenarioId,
    /// The name as reports show it.
    pub label: String,
    /// Where it was measured.
    pub environment: &'r Environment,
    /// The metrics of which the mean ever changed.
    pub changing: Vec<Measure>,
    /// The numbers of the revisions that added the scenario, changed a mean or removed it, with
    /// its figures since then.
    pub states: Vec<(usize, Option<&'r AcceptedScenario>)>,
}

impl<'r> History<'r> {
    /// The history of the scenarios that are wanted. The oldest revision comes first.
    #[must_use]
    pub fn new(revisions: &'r [Revision], is_wanted: &dyn Fn(&ScenarioId) -> bool) -> Self {
        let mut scenarios = Vec::new();
        for environment in environments(revisions) {
            let revisions = revisions.iter();
            let all = revisions.map(|revision| revision.baseline.accepted_in(environment));
            let all: Vec<Option<&Accepted>> = all.collect();
            let sides: Vec<&Accepted> = all.iter().copied().flatten().collect();
            let labels = Accepted::labels(&sides);
            let mut seen = HashSet::new();
            let ids = sides.iter().rev().flat_map(|side| side.scenarios.keys());
            for id in ids.filter(|id| is_wanted(id) && seen.insert(*id)) {
                let rows = all.iter().map(|side| side.as_ref()?.scenarios.get(id));
                let rows: Vec<Option<&AcceptedScenario>> = rows.collect();
                let changing = changing(&rows);
                scenarios.push(ScenarioHistory {
                    id,
                    label: labels.get(id).cloned().unwrap_or_default(),
                    environment,
                    states: states(&rows, &changing),
                    changing,
                });
            }
        }
        Self {
            revisions,
            scenarios,
        }
    }
}

/// The environments, those of the newest revision first.
fn environments(revisions: &[Revision]) -> Vec<&Environment> {
    let mut found: Vec<&Environment> = Vec::new();
    let newest_first = revisions.iter().rev();
    for accepted in newest_first.flat_map(|revision| revision.baseline.environments()) {
        let here = &accepted.environment;
        if !found.iter().any(|known| known.is_comparable_to(here)) {
            found.push(here);
        }
    }
    found
}

/// The metrics of which the mean changes between rows that follow each other.
fn changing(rows: &[Option<&AcceptedScenario>]) -> Vec<Measure> {
    let rows: Vec<&AcceptedScenario> = rows.iter().copied().flatten().collect();
    let measures: BTreeSet<Measure> = rows.iter().flat_map(|row| row.measures()).collect();
    let mean = |row: &AcceptedScenario, measure: &Measure| row.figure_of(measure, Statistic::Mean);
    // A metric that was not measured before did not change.
    let changes = |measure: &Measure| {
        rows.windows(2).any(|pair| {
            let means = mean(pair[0], measure).zip(mean(pair[1], measure));
            means.is_some_and(|(before, now)| before != now)
        })
    };
    measures.into_iter().filter(changes).collect()
}

/// The rows that differ from the row before.
fn states<'r>(
    rows: &[Option<&'r AcceptedScenario>],
    changing: &[Measure],
) -> Vec<(usize, Option<&'r AcceptedScenario>)> {
    let means = |row: &AcceptedScenario| -> Vec<_> {
        let means = changing.iter();
        means
            .map(|one| row.figure_of(one, Statistic::Mean))
            .collect()
    };
    let mut before = None;
    let mut states = Vec::new();
    for (number, &row) in rows.iter().enumerate() {
        let now = row.map(means);
        if now != before {
            states.push((number, row));
            before = now;
        }
    }
    states
}
