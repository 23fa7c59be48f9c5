//! [`Past`]: the commits and the accepted scenarios that a table with `history` is of,
//! and what is missing of them. Where they stand in the table is not known here.

use super::{PivotHistory, TableRemark};
use crate::config::{Config, Pattern, Table};
use crate::history::{self, PastBaseline, PastScenario};
use crate::measurements::Measurements;

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
        measurements: &'m Measurements,
        remarks: &mut Vec<TableRemark>,
    ) -> Option<Self> {
        let wanted = table.history.as_ref()?;
        let file = wanted.file(config);
        let found = measurements.histories().of(file);
        let ((commits, is_cut), absence) = match found {
            Ok(history) => (history.newest(wanted.last), None),
            Err(reason) => (Default::default(), Some(reason.to_owned())),
        };
        let scenarios = history::scenarios(table, wanted, commits);
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
