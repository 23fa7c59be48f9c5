//! [`Grid`]: the scenarios of a table by row and column.

use std::collections::HashMap;

use crate::evaluation::FindingKind;
use crate::results::axis::{compare_naturally, is_amount, series_name};
use crate::rules::{Key, Table};
use crate::tables::entry::Entry;

/// The scenarios of a table by row and column.
pub(super) struct Grid<'m> {
    /// The values of the rows: numbers in their order, others in the order of the entries.
    pub(super) rows: Vec<String>,
    /// The values of the columns; a single empty one if the table has no axis for them.
    pub(super) columns: Vec<String>,
    cells: HashMap<(usize, usize), Vec<Entry<'m>>>,
}

impl<'m> Grid<'m> {
    /// Puts the scenarios of `table` into their cells.
    pub(super) fn new(
        table: &Table,
        entries: Vec<Entry<'m>>,
        findings: &mut Vec<FindingKind>,
    ) -> Self {
        for key in table.rows.iter().chain(table.columns_axis()) {
            findings.extend(missing_axis(table, key, &entries));
        }
        let mut rows = Values::default();
        let mut columns = Values::default();
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
        for row in in_order(placed.iter().map(|(row, ..)| &**row)) {
            rows.number(row);
        }
        for column in in_order(placed.iter().map(|(_, column, _)| &**column)) {
            columns.number(column);
        }
        let mut cells: HashMap<_, Vec<Entry<'_>>> = HashMap::new();
        for (row, column, entry) in placed {
            let cell = (rows.number(&row), columns.number(&column));
            cells.entry(cell).or_default().push(entry);
        }
        let grid = Self {
            rows: rows.values,
            columns: columns.values,
            cells,
        };
        findings.extend(grid.ambiguous(table));
        grid
    }

    /// The scenarios of a cell; several if the table's axes don't tell them apart.
    pub(super) fn cell(&self, cell: (usize, usize)) -> &[Entry<'m>] {
        self.cells.get(&cell).map_or(&[], Vec::as_slice)
    }

    fn ambiguous(&self, table: &Table) -> Option<FindingKind> {
        let mut axes: Vec<String> = Vec::new();
        let mut example = None;
        let mut count = 0;
        for row in 0..self.rows.len() {
            for column in 0..self.columns.len() {
                let [first, second, ..] = self.cell((row, column)) else {
                    continue;
                };
                count += 1;
                example.get_or_insert([first, second].map(|entry| entry.name.clone()));
                for axis in differing(self.cell((row, column))) {
                    if !axes.contains(&axis) {
                        axes.push(axis);
                    }
                }
            }
        }
        Some(FindingKind::TableAmbiguousCells {
            table: table.name.clone(),
            cells: count,
            axes,
            example: example?,
            place: table.place,
        })
    }
}

/// The axes in which `entries` differ, in their order. An axis that only some entries
/// have counts as a difference.
pub(super) fn differing(entries: &[Entry<'_>]) -> Vec<String> {
    let axes = entries.iter().flat_map(|entry| entry.axes);
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

fn missing_axis(table: &Table, key: &Key, entries: &[Entry<'_>]) -> Option<FindingKind> {
    let lacking = entries
        .iter()
        .filter(|entry| entry.value(&key.text).is_none());
    let scenarios: Vec<String> = lacking.map(|entry| entry.name.clone()).collect();
    if scenarios.is_empty() {
        return None;
    }
    let mut known: Vec<String> = Vec::new();
    for axis in entries.iter().flat_map(|entry| entry.axes) {
        if !known.contains(&axis.axis) {
            known.push(axis.axis.clone());
        }
    }
    Some(FindingKind::TableMissingAxis {
        table: table.name.clone(),
        axis: key.text.clone(),
        is_unknown: scenarios.len() == entries.len(),
        scenarios,
        known,
        place: key.place,
    })
}

/// The values of an axis: sorted if all are numbers, and else as they are.
fn in_order<'v>(values: impl Iterator<Item = &'v str>) -> Vec<&'v str> {
    let mut values: Vec<&str> = values.collect();
    if values.iter().all(|value| is_amount(value)) {
        values.sort_by(|one, other| compare_naturally(one, other));
    }
    values
}

/// Distinct texts with their numbers, in the order in which they were added.
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
