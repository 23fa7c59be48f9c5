//! The past commits of a table with `history`, and the scenarios that they accepted.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use alloc_results::{AxisValue, BenchId};

use crate::baseline::{Accepted, Baseline, Histories, PastBaseline};
use crate::evaluation::{FindingKind, PivotHistory};
use crate::results::axis::compare_naturally;
use crate::results::qualifiers::Qualifiers;
use crate::results::scenario_id::IdRef;
use crate::results::{Measurements, ScenarioId};
use crate::rules::{Config, Table, TableHistory};
use crate::tables::entry::Entry;
use crate::tables::source::Source;

/// The past commits of a table.
pub(super) struct Past<'m> {
    /// The commits, the oldest first.
    pub(super) commits: &'m [PastBaseline],
    /// Notes about them, to be shown below the table.
    pub(super) notes: PivotHistory,
}

impl<'m> Past<'m> {
    /// Finds the commits of `table`; `None` for a table of measured figures.
    pub(super) fn find(table: &Table, config: &Config, histories: &'m Histories) -> Option<Self> {
        let wanted = table.history.as_ref()?;
        let file = wanted.file(config);
        let ((commits, is_cut), absence) = match histories.find(file) {
            Ok(history) => (history.newest(wanted.last), None),
            Err(reason) => (Default::default(), Some(reason.to_owned())),
        };
        Some(Self {
            commits,
            notes: PivotHistory {
                file: file.to_owned(),
                absence,
                is_cut,
            },
        })
    }

    /// The finding for a table without any history.
    pub(super) fn absence(&self, table: &Table) -> Option<FindingKind> {
        let reason = self.notes.absence.clone()?;
        Some(FindingKind::TableNoHistory {
            table: table.name.clone(),
            file: self.notes.file.clone(),
            reason,
            place: table.place,
        })
    }

    /// All accepted scenarios.
    pub(super) fn ids(&self) -> impl Iterator<Item = IdRef<'m>> {
        let scenarios = accepted(self.commits).flat_map(|accepted| accepted.scenarios.keys());
        scenarios.map(ScenarioId::borrowed)
    }

    /// The commits with a baseline that can't be read, and the errors.
    pub(super) fn unreadable(&self) -> impl Iterator<Item = (String, String)> {
        let errors = self.commits.iter();
        errors.filter_map(|past| Some((past.label(), past.baseline.as_ref().err()?.clone())))
    }

    /// The scenarios that `table` shows, sorted by name and then from the oldest commit
    /// to the newest.
    pub(super) fn entries(&self, table: &Table, measurements: &'m Measurements) -> Vec<Entry<'m>> {
        let known = known_axes(self.commits, measurements);
        let qualifiers = Qualifiers::new(accepted(self.commits).map(Accepted::named));
        let selected = table.history.as_ref().and_then(|h| h.environment.as_ref());
        let mut all = Vec::new();
        for past in self.commits {
            for accepted in past.baseline.iter().flat_map(Baseline::environments) {
                let environment = accepted.environment.to_string();
                if selected.is_some_and(|pattern| !pattern.matches(&environment)) {
                    continue;
                }
                // They come first, so that no axis of the scenario hides them.
                let reserved = [
                    (TableHistory::COMMIT, past.label()),
                    (TableHistory::ENVIRONMENT, environment),
                ];
                let reserved = reserved.map(|(axis, value)| AxisValue {
                    axis: axis.to_owned(),
                    value,
                });
                let shown = accepted.scenarios.iter();
                let shown = shown.filter(|(id, _)| table.shows(&id.bench, &id.name));
                all.extend(shown.map(|(id, scenario)| {
                    let axes = known.get(&(Some(&id.bench), id.name.as_str()));
                    let axes = axes.or_else(|| known.get(&(None, id.name.as_str())));
                    let own = axes.copied().unwrap_or_default();
                    Entry {
                        name: qualifiers.label((&id.bench, &id.name, &scenario.axes)),
                        axes: Cow::Owned([&reserved, own].concat()),
                        figures: Ok(Source::Accepted(scenario)),
                        crowding: None,
                    }
                }));
            }
        }
        all.sort_by(|a, b| compare_naturally(&a.name, &b.name));
        all
    }
}

/// The accepted figures of all commits.
fn accepted(commits: &[PastBaseline]) -> impl Iterator<Item = &Accepted> {
    let baselines = commits.iter().flat_map(|past| &past.baseline);
    baselines.flat_map(Baseline::environments)
}

/// The axes of scenarios by bench and name, and by name alone. Old data has no axes; they are
/// taken from a scenario of the same name that was accepted later or measured in this run.
fn known_axes<'k>(
    commits: &'k [PastBaseline],
    measurements: &'k Measurements,
) -> HashMap<(Option<&'k BenchId>, &'k str), &'k [AxisValue]> {
    let accepted = accepted(commits).flat_map(Accepted::named);
    let measured = measurements.scenarios().iter();
    let measured = measured.map(|m| (&m.bench, &*m.record.name, &*m.record.axes));
    let with_axes = accepted
        .chain(measured)
        .filter(|(.., axes)| !axes.is_empty());
    with_axes
        .flat_map(|(bench, name, axes)| [((Some(bench), name), axes), ((None, name), axes)])
        .collect()
}

/// The files whose history the tables of `config` show, relative to gates.toml, each
/// with the largest number of commits that a table shows.
#[must_use]
pub fn histories_needed(config: &Config) -> BTreeMap<&str, u64> {
    let mut needed = BTreeMap::new();
    for history in config.tables.iter().filter_map(|t| t.history.as_ref()) {
        let most = needed.entry(history.file(config)).or_insert(history.last);
        *most = history.last.max(*most);
    }
    needed
}
