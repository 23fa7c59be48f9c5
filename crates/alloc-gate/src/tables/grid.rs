//! [`Grid`]: the scenarios of a table by row and column.

use std::collections::HashMap;

use indexmap::IndexSet;

use crate::diagnostic::Place;
use crate::evaluation::TableProblem;
use crate::results::axis::{compare_naturally, is_amount, series_name};
use crate::rules::{Key, Table};
use crate::tables::entry::Entry;

/// The scenarios of a table by row and column.
pub(super) struct Grid<'m> {
    /// The values of the rows: numbers in their order, others in the order of the entries.
    pub(super) rows: IndexSet<String>,
    /// The values of the columns; a single empty one if the table has no axis for them.
    pub(super) columns: IndexSet<String>,
    cells: HashMap<(usize, usize), Vec<Entry<'m>>>,
}

impl<'m> Grid<'m> {
    /// Puts the scenarios of `table` into their cells.
    pub(super) fn new(
        table: &Table,
        entries: Vec<Entry<'m>>,
        found: &mut Vec<(Place, TableProblem)>,
    ) -> Self {
        for key in table.rows.iter().chain(table.columns_axis()) {
            found.extend(missing_axis(key, &entries));
        }
        let placed = entries.into_iter().filter_map(|entry| {
            // The name with `*` for the axis of the other side.
            let name = |other: Option<&Key>| {
                series_name(&entry.name, entry.axes, other.map(|key| key.text.as_str()))
            };
            let value = |key: &Key| entry.value(&key.text).map(str::to_owned);
            let row = match &table.rows {
                Some(key) => value(key),
                None => Some(name(table.columns_axis())),
            };
            let column = match (&table.columns, table.columns_axis()) {
                (_, Some(key)) => value(key),
                (Some(_), None) => Some(name(table.rows.as_ref())),
                (None, None) => Some(String::new()),
            };
            Some((row?, column?, entry))
        });
        let placed: Vec<(String, String, Entry<'m>)> = placed.collect();
        let mut grid = Self {
            rows: in_order(placed.iter().map(|(row, ..)| row)),
            columns: in_order(placed.iter().map(|(_, column, _)| column)),
            cells: HashMap::new(),
        };
        for (row, column, entry) in placed {
            let row = grid.rows.get_index_of(&row);
            if let Some(cell) = row.zip(grid.columns.get_index_of(&column)) {
                grid.cells.entry(cell).or_default().push(entry);
            }
        }
        found.extend(grid.ambiguous(table));
        grid
    }

    /// The scenarios of a cell; several if the table's axes don't tell them apart.
    pub(super) fn cell(&self, cell: (usize, usize)) -> &[Entry<'m>] {
        self.cells.get(&cell).map_or(&[], Vec::as_slice)
    }

    fn ambiguous(&self, table: &Table) -> Option<(Place, TableProblem)> {
        let mut axes: IndexSet<&str> = IndexSet::new();
        let mut example = None;
        let mut count = 0;
        for row in 0..self.rows.len() {
            for column in 0..self.columns.len() {
                let [first, second, ..] = self.cell((row, column)) else {
                    continue;
                };
                count += 1;
                example.get_or_insert([first, second].map(|entry| entry.name.clone()));
                axes.extend(differing(self.cell((row, column))));
            }
        }
        let problem = TableProblem::AmbiguousCells {
            cells: count,
            axes: axes.into_iter().map(str::to_owned).collect(),
            example: example?,
        };
        Some((table.place, problem))
    }
}

/// The axes in which `entries` differ, in their order. An axis that only some entries
/// have counts as a difference.
pub(super) fn differing<'m>(entries: &[Entry<'m>]) -> impl Iterator<Item = &'m str> {
    axes(entries).into_iter().filter(|axis| {
        let mut values = entries.iter().map(|entry| entry.value(axis));
        let first = values.next();
        values.any(|value| Some(value) != first)
    })
}

/// The axes of `entries`, in their order.
fn axes<'m>(entries: &[Entry<'m>]) -> IndexSet<&'m str> {
    let axes = entries.iter().flat_map(|entry| entry.axes);
    axes.map(|axis| axis.axis.as_str()).collect()
}

fn missing_axis(key: &Key, entries: &[Entry<'_>]) -> Option<(Place, TableProblem)> {
    let lacking = entries
        .iter()
        .filter(|entry| entry.value(&key.text).is_none());
    let scenarios: Vec<String> = lacking.map(|entry| entry.name.clone()).collect();
    if scenarios.is_empty() {
        return None;
    }
    let problem = TableProblem::MissingAxis {
        axis: key.text.clone(),
        is_unknown: scenarios.len() == entries.len(),
        scenarios,
        known: axes(entries).into_iter().map(str::to_owned).collect(),
    };
    Some((key.place, problem))
}

/// The values of an axis: sorted if all are numbers, and else as they are.
fn in_order<'v>(values: impl Iterator<Item = &'v String>) -> IndexSet<String> {
    let mut values: IndexSet<String> = values.cloned().collect();
    if values.iter().all(|value| is_amount(value)) {
        values.sort_by(|one, other| compare_naturally(one, other));
    }
    values
}
