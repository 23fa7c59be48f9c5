//! [`Past`]: the commits and the accepted scenarios that a table with `history` is of,
//! and what is missing of them. Where they stand in the table is not known here.

use std::collections::{BTreeMap, HashMap};

use alloc_results::AxisValue;

use crate::baseline::{AcceptedScenario, Baseline, Histories, PastBaseline};
use crate::evaluation::{PivotHistory, TableRemark};
use crate::results::Measurements;
use crate::results::axis::compare_naturally;
use crate::rules::{Config, Pattern, Table, TableHistory};

/// What a table shows of the past.
pub(super) struct Past<'m> {
    /// The commits, the oldest first.
    pub(super) commits: &'m [PastBaseline],
    /// Their scenarios.
    pub(super) scenarios: Vec<PastScenario<'m>>,
    /// What is said of it below the table.
    pub(super) said: PivotHistory,
}

impl<'m> Past<'m> {
    /// Of `table`, unless it is of what was measured.
    pub(super) fn of(
        table: &Table,
        config: &Config,
        measurements: &Measurements,
        histories: &'m Histories,
        remarks: &mut Vec<TableRemark>,
    ) -> Option<Self> {
        let wanted = table.history.as_ref()?;
        let file = wanted.file(config);
        let found = histories.of(file);
        let ((commits, is_cut), absence) = match found {
            Ok(history) => (history.newest(wanted.last), None),
            Err(reason) => (Default::default(), Some(reason.to_owned())),
        };
        let scenarios = scenarios(table, wanted, commits, measurements);
        match &absence {
            Some(reason) => remarks.push(TableRemark::NoHistory {
                table: table.name.clone(),
                file: file.to_owned(),
                reason: reason.clone(),
                place: table.place,
            }),
            None => unmatched(table, commits, remarks),
        }
        Some(Self {
            commits,
            scenarios,
            said: PivotHistory {
                file: file.to_owned(),
                absence,
                is_cut,
            },
        })
    }
}

/// The globs that match no scenario of any of the baselines, whatever was measured.
fn unmatched(table: &Table, commits: &[PastBaseline], remarks: &mut Vec<TableRemark>) {
    let names = || {
        let baselines = commits
            .iter()
            .filter_map(|past| past.baseline.as_ref().ok());
        let accepted = baselines.flat_map(|baseline| baseline.environments());
        accepted.flat_map(|accepted| accepted.scenarios.keys().map(String::as_str))
    };
    table.unmatched(names, |pattern: &Pattern, excludes| {
        remarks.push(TableRemark::unmatched(table, pattern, excludes));
    });
}

/// A scenario as it was accepted with a commit.
#[derive(Clone, Debug)]
pub(crate) struct PastScenario<'h> {
    pub(crate) name: &'h str,
    /// The commit and the environment first, so that no axis of its own hides them.
    pub(crate) axes: Vec<AxisValue>,
    pub(crate) accepted: &'h AcceptedScenario,
}

/// The scenarios of `commits` that `table` shows, by name, and of one name from the
/// oldest on.
pub(crate) fn scenarios<'h>(
    table: &Table,
    history: &TableHistory,
    commits: &'h [PastBaseline],
    measurements: &Measurements,
) -> Vec<PastScenario<'h>> {
    let known = known_axes(commits, measurements);
    let mut all = Vec::new();
    for past in commits {
        let baseline = past.baseline.iter();
        for accepted in baseline.flat_map(Baseline::environments) {
            let environment = accepted.environment.to_string();
            let pattern = history.environment.as_ref();
            if pattern.is_some_and(|pattern| !pattern.matches(&environment)) {
                continue;
            }
            let shown = accepted.scenarios.iter();
            let shown = shown.filter(|(name, _)| table.shows(name));
            all.extend(shown.map(|(name, accepted)| {
                let reserved = [
                    (TableHistory::COMMIT, past.label()),
                    (TableHistory::ENVIRONMENT, environment.clone()),
                ];
                let reserved = reserved.map(|(axis, value)| AxisValue {
                    axis: axis.to_owned(),
                    value,
                });
                let own = known.get(name.as_str()).copied().unwrap_or_default();
                PastScenario {
                    name,
                    axes: reserved.into_iter().chain(own.iter().cloned()).collect(),
                    accepted,
                }
            }));
        }
    }
    all.sort_by(|a, b| compare_naturally(a.name, b.name));
    all
}

/// The axes of scenarios by name. Data of before axes were kept has none, and a scenario
/// of the same name has the same axes: one that was accepted later, or measured now.
fn known_axes<'k>(
    commits: &'k [PastBaseline],
    measurements: &'k Measurements,
) -> HashMap<&'k str, &'k [AxisValue]> {
    let baselines = commits.iter().flat_map(|past| &past.baseline);
    let accepted = baselines.flat_map(Baseline::environments);
    let accepted = accepted.flat_map(|accepted| &accepted.scenarios);
    let accepted = accepted.map(|(name, scenario)| (name.as_str(), scenario.axes.as_slice()));
    let measured = measurements.scenarios().iter();
    let measured = measured.map(|m| (m.record.name.as_str(), m.record.axes.as_slice()));
    let all = accepted.chain(measured);
    all.filter(|(_, axes)| !axes.is_empty()).collect()
}

/// The files whose history the tables of `config` show, relative to gates.toml, each
/// with how many commits at most.
#[must_use]
pub fn histories_needed(config: &Config) -> BTreeMap<&str, u64> {
    let mut needed = BTreeMap::new();
    for history in config.tables.iter().filter_map(|t| t.history.as_ref()) {
        let most = needed.entry(history.file(config)).or_insert(history.last);
        *most = history.last.max(*most);
    }
    needed
}
