//! [`Base`]: the row or the column of a table that the others are compared with.

use crate::evaluation::FindingKind;
use crate::rules::{Key, SCENARIO, Table};
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
        let Some(number) = known.iter().position(|one| *one == value) else {
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
