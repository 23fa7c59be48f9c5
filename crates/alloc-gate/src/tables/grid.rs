//! [`Grid`]: the scenarios of a table by row and column. What is shown of them is
//! not known here.

use std::collections::HashMap;

use crate::evaluation::{Gap, PivotHistory, TableRemark};
use crate::results::axis::series_name;
use crate::rules::{Key, Table, TableHistory};
use crate::tables::entry::Entry;
use crate::tables::past::Past;

/// The scenarios of a table by row and column.
pub(super) struct Grid<'m> {
    /// The values of the rows, in the order in which they were measured.
    pub(super) rows: Vec<String>,
    /// Those of the columns; a single one where the table has no axis for them.
    pub(super) columns: Vec<String>,
    cells: HashMap<(usize, usize), Vec<Entry<'m>>>,
    /// Which past it is of, where it is not of what was measured.
    pub(super) history: Option<PivotHistory>,
    /// Why the baseline of a commit can't be read, by the number of its row, or of its
    /// column where the commits are the columns.
    unreadable: HashMap<usize, String>,
    commits_are_rows: bool,
}

impl<'m> Grid<'m> {
    /// Puts the scenarios of `table` into their cells.
    pub(super) fn of(
        table: &Table,
        shown: Vec<Entry<'m>>,
        past: Option<&'m Past<'m>>,
        remarks: &mut Vec<TableRemark>,
    ) -> Self {
        for key in table.rows.iter().chain(table.columns_axis()) {
            remarks.extend(missing_axis(table, key, &shown));
        }
        let mut rows = Values::default();
        let mut columns = Values::default();
        let is_commit = |key: &Key| key.text == TableHistory::COMMIT;
        let commits_are_rows = table.rows.as_ref().is_some_and(is_commit);
        let mut unreadable = HashMap::new();
        // A commit is there whatever it has.
        for commit in past.map_or(&[][..], |past| past.commits) {
            let number = match commits_are_rows {
                true => rows.number(&commit.label()),
                false => columns.number(&commit.label()),
            };
            unreadable.extend(commit.baseline.as_ref().err().map(|e| (number, e.clone())));
        }
        let mut cells: HashMap<_, Vec<Entry<'_>>> = HashMap::new();
        for entry in shown {
            // The name without what the other side has of it.
            let name = |other: Option<&Key>| {
                series_name(
                    entry.name(),
                    entry.axes(),
                    other.map(|key| key.text.as_str()),
                )
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
            if let (Some(row), Some(column)) = (row, column) {
                let cell = (rows.number(&row), columns.number(&column));
                cells.entry(cell).or_default().push(entry);
            }
        }
        let grid = Self {
            rows: rows.values,
            columns: columns.values,
            cells,
            history: past.map(|past| past.said.clone()),
            unreadable,
            commits_are_rows,
        };
        remarks.extend(grid.ambiguous(table));
        grid
    }

    /// The scenarios of a cell: one of them, if all is well.
    pub(super) fn cell(&self, cell: (usize, usize)) -> &[Entry<'m>] {
        self.cells.get(&cell).map_or(&[], Vec::as_slice)
    }

    /// Why a cell has no scenario.
    pub(super) fn gap(&self, (row, column): (usize, usize)) -> Gap {
        let commit = if self.commits_are_rows { row } else { column };
        match (&self.history, self.unreadable.get(&commit)) {
            (_, Some(reason)) => Gap::Unreadable(reason.clone()),
            (Some(_), None) => Gap::NotAccepted,
            (None, None) => Gap::Scenario,
        }
    }

    fn ambiguous(&self, table: &Table) -> Option<TableRemark> {
        let mut axes: Vec<String> = Vec::new();
        let mut example = None;
        let mut count = 0;
        for row in 0..self.rows.len() {
            for column in 0..self.columns.len() {
                let [first, second, ..] = self.cell((row, column)) else {
                    continue;
                };
                count += 1;
                example.get_or_insert([first, second].map(|entry| entry.name().to_owned()));
                for axis in differing(self.cell((row, column))) {
                    if !axes.contains(&axis) {
                        axes.push(axis);
                    }
                }
            }
        }
        Some(TableRemark::AmbiguousCells {
            table: table.name.clone(),
            cells: count,
            axes,
            example: example?,
            is_of_history: self.history.is_some(),
            place: table.place,
        })
    }
}

/// The axes in which `entries` differ, in their order; one that only some of them
/// have is among them.
pub(super) fn differing(entries: &[Entry<'_>]) -> Vec<String> {
    let axes = entries.iter().flat_map(Entry::axes);
    let mut differing: Vec<String> = Vec::new();
    for axis in axes.map(|axis| &axis.axis) {
        let values = || entries.iter().map(|entry| entry.value(axis));
        let first = values().next().flatten();
        if !differing.contains(axis) && values().any(|value| value != first) {
            differing.push(axis.clone());
        }
    }
    differing
}

fn missing_axis(table: &Table, key: &Key, shown: &[Entry<'_>]) -> Option<TableRemark> {
    let lacking = shown
        .iter()
        .filter(|entry| entry.value(&key.text).is_none());
    let scenarios: Vec<String> = lacking.map(|entry| entry.name().to_owned()).collect();
    if scenarios.is_empty() {
        return None;
    }
    let mut known: Vec<String> = Vec::new();
    for axis in shown.iter().flat_map(Entry::axes) {
        if !known.contains(&axis.axis) {
            known.push(axis.axis.clone());
        }
    }
    Some(TableRemark::MissingAxis {
        table: table.name.clone(),
        axis: key.text.clone(),
        is_unknown: scenarios.len() == shown.len(),
        scenarios,
        known,
        place: key.place,
    })
}

/// Texts in the order in which they occurred.
#[derive(Default)]
struct Values {
    values: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Values {
    fn number(&mut self, value: &str) -> usize {
        if let Some(&number) = self.numbers.get(value) {
            return number;
        }
        let number = self.values.len();
        self.numbers.insert(value.to_owned(), number);
        self.values.push(value.to_owned());
        number
    }
}
