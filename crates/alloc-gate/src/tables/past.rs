//! [`Past`]: the commits and the accepted scenarios that a table with `history` is of,
//! and what is missing of them. Where they stand in the table is not known here.

use std::collections::BTreeMap;

use alloc_results::AxisValue;

use crate::baseline::{AcceptedScenario, Baseline, Histories, PastBaseline};
use crate::evaluation::{PivotHistory, TableRemark};
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
        let scenarios = scenarios(table, wanted, commits);
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
) -> Vec<PastScenario<'h>> {
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
                PastScenario {
                    name,
                    axes: reserved.into_iter().chain(axes(name)).collect(),
                    accepted,
                }
            }));
        }
    }
    all.sort_by(|a, b| compare_naturally(a.name, b.name));
    all
}

/// The axes that a scenario's name ends in, `NAME/axis=value,axis=value`: a baseline
/// keeps the name alone. A slash or a comma of a value is not taken for an end of it,
/// unless a further axis seems to follow.
fn axes(name: &str) -> Vec<AxisValue> {
    let ends = name.rmatch_indices('/').map(|(slash, _)| slash);
    let mut tails = ends.map(|slash| &name[slash + 1..]);
    tails.find_map(axes_of_tail).unwrap_or_default()
}

fn axes_of_tail(tail: &str) -> Option<Vec<AxisValue>> {
    let is_name = |text: &str| {
        let mut characters = text.chars();
        !text.is_empty() && characters.all(|c| c.is_alphanumeric() || "-_.".contains(c))
    };
    let mut axes: Vec<AxisValue> = Vec::new();
    for piece in tail.split(',') {
        match piece.split_once('=').filter(|(axis, _)| is_name(axis)) {
            Some((axis, value)) => axes.push(AxisValue {
                axis: axis.to_owned(),
                value: value.to_owned(),
            }),
            None => {
                let last = axes.last_mut()?;
                last.value.push(',');
                last.value.push_str(piece);
            }
        }
    }
    Some(axes)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_of_a_scenario_are_read_from_its_name() {
        for (name, expected) in [
            ("encode", ""),
            ("decode/rows=10", "rows:10"),
            ("decode (all)/impl=old,rows=10", "impl:old rows:10"),
            ("scan/path=a/b", "path:a/b"),
            ("scan/list=a,b,n=1", "list:a,b n:1"),
            ("a=b/rows=10", "rows:10"),
            ("read/a=1/b=2", "b:2"),
            ("read/raw (k=v)", ""),
            ("read/1 + 1 = 2", ""),
            ("read/", ""),
            ("pair/size=", "size:"),
        ] {
            let axes = axes(name).into_iter();
            let axes: Vec<String> = axes.map(|a| format!("{}:{}", a.axis, a.value)).collect();
            assert_eq!(axes.join(" "), expected, "{name}");
        }
    }
}
