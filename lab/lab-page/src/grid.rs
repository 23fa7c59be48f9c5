//! [`Grid`]: the cells of a table in rows and columns, with the winners of each column.

use crate::query::{Ratio, is_control, sorted, unavailable};
use crate::results::{Cell, Results};
use crate::tables::{self, Table};
use crate::value::{Better, Unit, Value};

pub struct Grid<'r> {
    /// The rows that were measured.
    pub rows: Vec<&'r str>,
    /// The others, each with a reason.
    pub missing: Vec<(&'r str, &'r str)>,
    /// Only columns that have a value: a workload may not have measured one.
    pub columns: Vec<Column<'r>>,
    /// All cells of the table.
    pub cells: Vec<&'r Cell>,
}

pub struct Column<'r> {
    results: &'r Results,
    pub head: String,
    pub value: Value,
    /// A cell for each row; `None` where there is no scenario.
    pub cells: Vec<Option<&'r Cell>>,
}

impl<'r> Grid<'r> {
    pub fn new(table: &Table, results: &'r Results) -> Self {
        let cells = results.cells.iter().filter(|cell| table.has(cell));
        let cells: Vec<&Cell> = cells.collect();
        let mut rows = sorted(table.rows, cells.iter().map(|cell| table.row(cell)));
        let mut missing = Vec::new();
        rows.retain(|row| {
            let own = cells.iter().filter(|cell| table.row(cell) == *row);
            let reason = unavailable(own.copied());
            missing.extend(reason.map(|reason| (*row, reason)));
            reason.is_none()
        });
        let mut columns = Vec::new();
        for column in &table.columns {
            columns.extend(each(table, column, results, &rows));
        }
        columns.retain(|column| {
            let has_value = |cell: &Cell| column.value.of(cell).is_some();
            column
                .cells()
                .any(|cell| !cell.is_sound() || has_value(cell))
        });
        Self {
            rows,
            missing,
            columns,
            cells,
        }
    }
}

/// A column, or one for each value of its axis `AXIS=*`.
fn each<'r>(
    table: &Table,
    column: &tables::Column,
    results: &'r Results,
    rows: &[&str],
) -> Vec<Column<'r>> {
    let own = || {
        results
            .cells
            .iter()
            .filter(|cell| cell.is_of(&column.cells))
    };
    let one = |head: String, is_meant: &dyn Fn(&Cell) -> bool| Column {
        results,
        head,
        value: column.value,
        cells: rows
            .iter()
            .map(|row| own().find(|cell| table.row(cell) == *row && is_meant(cell)))
            .collect(),
    };
    let Some(axis) = column.over() else {
        return vec![one(column.head.to_owned(), &|_| true)];
    };
    let values = sorted(axis, own().filter_map(|cell| cell.axis(axis)));
    let columns = values.into_iter().map(|value| {
        let head = format!("{} {axis} {value}", column.head);
        one(head.trim_start().to_owned(), &|cell| {
            cell.axis(axis) == Some(value)
        })
    });
    columns.collect()
}

impl<'r> Column<'r> {
    fn cells(&self) -> impl Iterator<Item = &'r Cell> {
        self.cells.iter().copied().flatten()
    }

    /// Which rows have the best value: the best one, and of times all that exceed it by no more
    /// than the factor between the baseline and its repeat. All are compared as they are shown.
    /// None if these are more than half of the rows, or if the baseline is not above its floor,
    /// which tells nothing.
    pub fn winners(&self) -> Vec<bool> {
        let merits = self.cells.iter().map(|cell| self.merit((*cell)?));
        let merits: Vec<Option<f64>> = merits.collect();
        let limit = self.limit().unwrap_or(f64::NEG_INFINITY);
        let wins = |merit: &Option<f64>| merit.is_some_and(|merit| merit <= limit);
        let winners: Vec<bool> = merits.iter().map(wins).collect();
        let count = winners.iter().filter(|wins| **wins).count();
        match 2 * count > merits.iter().flatten().count() {
            true => vec![false; winners.len()],
            false => winners,
        }
    }

    /// What a cell shows, the better the less. `None` of a control.
    fn merit(&self, cell: &Cell) -> Option<f64> {
        let sign = match self.value.better {
            Better::Less => 1.0,
            Better::More => -1.0,
            Better::Neither => return None,
        };
        let is_ranked = cell.comparison().is_none_or(|one| !is_control(one.value));
        let shown = self.shown(cell).filter(|_| is_ranked)?;
        Some(sign * shown)
    }

    /// The most that a winner has.
    fn limit(&self) -> Option<f64> {
        let merit = |cell| Some((self.merit(cell)?, cell));
        let merits = self.cells().filter_map(merit);
        let (best, cell) = merits.min_by(|one, other| one.0.total_cmp(&other.0))?;
        let shown = |cell: &Cell| self.shown(cell);
        let factor = match self.results.repeats_of(cell, shown) {
            Some(_) if self.value.unit == Unit::Time => {
                self.results.noise_factor_of(cell, shown)?
            }
            _ => 1.0,
        };
        Some(best * factor)
    }

    /// What a cell shows: the net value, if there is one and the floor was measured.
    pub fn shown(&self, cell: &Cell) -> Option<f64> {
        let value = self.value.of(cell)?;
        Some(self.net(cell).map_or(value, |net| net.max(0.0)))
    }

    /// Whether the floor is a part of the value.
    fn has_floor(&self, cell: &Cell) -> bool {
        self.value.is_net && !(self.value.is_wall_time() && self.results.is_crowd(cell))
    }

    pub fn net(&self, cell: &Cell) -> Option<f64> {
        let net = || self.results.net_of(cell, |cell| self.value.of(cell));
        self.has_floor(cell).then(net).flatten()
    }

    /// The ratio of a time to the baseline's.
    pub fn ratio(&self, cell: &Cell) -> Option<Ratio> {
        let of = |cell: &Cell| self.value.of(cell);
        let ratio = || self.results.ratio_of(cell, self.has_floor(cell), of);
        (self.value.unit == Unit::Time).then(ratio).flatten()
    }

    /// Whether it has times that should be net, and some of them have no floor.
    pub fn is_gross(&self) -> bool {
        let is_gross = |cell: &Cell| {
            let is_floor = cell.comparison().is_some_and(|one| one.is_floor());
            !is_floor && self.value.of(cell).is_some() && self.net(cell).is_none()
        };
        self.value.is_net && self.cells().any(is_gross)
    }

    /// Whether it is of more threads than cores.
    pub fn is_crowd(&self) -> bool {
        self.cells().any(|cell| self.results.is_crowd(cell))
    }
}
