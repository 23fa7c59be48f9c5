//! [`Base`]: the row or the column of a table that the others are compared with.

use crate::evaluation::FindingKind;
use crate::rules::{Key, SCENARIO, Table, TableHistory};
use crate::tables::grid::Grid;

/// The row or the column that the others are compared with, by its number in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// A row; each figure with that of the same column.
    Row(usize),
    /// A column; each figure with that of the same row.
    Column(usize),
}

impl Base {
    /// Finds the `baseline` of the table: `AXIS=VALUE`, or a value of the columns, or of
    /// the rows if the table has no axis of columns. Returns it with its name, `AXIS=VALUE`.
    pub(super) fn find(
        table: &Table,
        grid: &Grid<'_>,
        findings: &mut Vec<FindingKind>,
    ) -> Option<(Self, String)> {
        let Key { text, place } = table.baseline.as_ref()?;
        let axis = |key: &'_ Option<Key>| key.as_ref().map(|key| key.text.clone());
        let (rows, columns) = (axis(&table.rows), axis(&table.columns));
        let value_of = |axis: &Option<String>| {
            let rest = text.strip_prefix(axis.as_deref()?)?;
            rest.strip_prefix('=').map(str::to_owned)
        };
        let (is_column, axis, value) = match (value_of(&columns), value_of(&rows)) {
            (Some(value), _) => (true, columns, value),
            (None, Some(value)) => (false, rows, value),
            (None, None) => match columns {
                Some(_) => (true, columns, text.clone()),
                None => (false, rows, text.clone()),
            },
        };
        let known = if is_column { &grid.columns } else { &grid.rows };
        let is_commit = axis.as_deref() == Some(TableHistory::COMMIT) && table.history.is_some();
        let found = match is_commit {
            true => commit(known, &value),
            false => known.iter().position(|one| *one == value),
        };
        let Some(number) = found else {
            // Without any scenario, there are other findings.
            if !known.is_empty() {
                findings.push(FindingKind::TableMissingBaseline {
                    table: table.name.clone(),
                    baseline: value,
                    known: known.clone(),
                    place: *place,
                });
            }
            return None;
        };
        let value = &known[number];
        let name = match axis.filter(|axis| axis != SCENARIO) {
            Some(axis) => format!("{axis}={value}"),
            None => value.clone(),
        };
        Some((
            match is_column {
                true => Self::Column(number),
                false => Self::Row(number),
            },
            name,
        ))
    }

    /// The cell that the cell of this row and column is compared with.
    pub(super) fn cell(self, (row, column): (usize, usize)) -> (usize, usize) {
        match self {
            Self::Row(base) => (base, column),
            Self::Column(base) => (row, base),
        }
    }
}

/// The number of the commit that `value` names: `first`, `last`, its label in the table,
/// or the beginning of its hash.
fn commit(labels: &[String], value: &str) -> Option<usize> {
    match value {
        "first" => return (!labels.is_empty()).then_some(0),
        "last" => return labels.len().checked_sub(1),
        _ => {}
    }
    let is_named = |label: &String| {
        let (_, hash) = label.rsplit_once(' ').unwrap_or_default();
        // Fewer digits are ambiguous, or become so as commits are added.
        label == value || value.len() >= 7 && (hash.starts_with(value) || value.starts_with(hash))
    };
    labels.iter().position(is_named)
}
