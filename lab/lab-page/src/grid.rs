//! [`Grid`]: the cells of a table in rows and columns, with the winners of each column.

use crate::figure::{Better, Figure, Unit, Value};
use crate::query::{Ratio, distinct, sorted_values, unavailable};
use crate::results::{Cell, Results};
use crate::tables::Table;

pub struct Grid<'r> {
    /// The rows that were measured.
    pub rows: Vec<&'r str>,
    /// The others, each with a reason.
    pub missing: Vec<(&'r str, &'r str)>,
    /// Those whose figure some cell has; a workload may not have measured it.
    pub columns: Vec<Column<'r>>,
    /// All cells of the table.
    pub cells: Vec<&'r Cell>,
}

pub struct Column<'r> {
    results: &'r Results,
    pub head: String,
    pub figure: Figure<'r>,
    /// A cell for each row; `None` where there is no scenario.
    pub cells: Vec<Option<&'r Cell>>,
}

impl<'r> Grid<'r> {
    pub fn new(table: &'r Table<'r>, results: &'r Results) -> Self {
        let cells = results.cells.iter().filter(|cell| table.has(cell));
        let cells: Vec<&Cell> = cells.collect();
        let mut rows = sorted_values(table.rows, cells.iter().copied());
        if rows.is_empty() {
            rows = distinct(cells.iter().map(|cell| table.row(cell)));
        }
        let mut missing = Vec::new();
        rows.retain(|row| {
            let cells = cells.iter().copied();
            let reason = unavailable(cells.filter(|cell| table.row(cell) == *row));
            missing.extend(reason.map(|reason| (*row, reason)));
            reason.is_none()
        });
        let mut columns = Vec::new();
        for column in &table.columns {
            let own = cells
                .iter()
                .copied()
                .filter(|cell| cell.is_of(&column.cells));
            let own: Vec<&Cell> = own.collect();
            let values = match column.over() {
                None => vec![None],
                Some(axis) => {
                    let values = sorted_values(axis, own.iter().copied()).into_iter();
                    values.map(|value| Some((axis, value))).collect()
                }
            };
            for value in values {
                let find = |row: &&str| {
                    let mut cells = own.iter().copied();
                    cells.find(|cell| {
                        let is_meant = |(axis, value)| cell.axis(axis) == Some(value);
                        table.row(cell) == *row && value.is_none_or(is_meant)
                    })
                };
                let over = value.map(|(axis, value)| format!(" {axis} {value}"));
                let head = column.head.clone() + &over.unwrap_or_default();
                columns.push(Column {
                    results,
                    head: head.trim_start().to_owned(),
                    figure: column.figure,
                    cells: rows.iter().map(find).collect(),
                });
            }
        }
        columns.retain(|column| {
            let figure = |cell: &Cell| column.figure.headline(cell).is_some();
            column.cells().any(|cell| !cell.is_sound() || figure(cell))
        });
        Self {
            rows,
            missing,
            columns,
            cells,
        }
    }
}

impl<'r> Column<'r> {
    fn cells(&self) -> impl Iterator<Item = &'r Cell> {
        self.cells.iter().copied().flatten()
    }

    /// Which rows have the best figure: the best one, and of times all that exceed it by no more
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
        let sign = match self.figure.better {
            Better::Less => 1.0,
            Better::More => -1.0,
            Better::Neither => return None,
        };
        let comparison = cell.comparison();
        let is_control = comparison.is_some_and(|(comparison, value)| comparison.is_control(value));
        self.shown(cell)
            .filter(|_| !is_control)
            .map(|value| sign * value)
    }

    /// The most that a winner has.
    fn limit(&self) -> Option<f64> {
        let merit = |cell| Some((self.merit(cell)?, cell));
        let merits = self.cells().filter_map(merit);
        let (best, cell) = merits.min_by(|one, other| one.0.total_cmp(&other.0))?;
        let shown = |cell: &Cell| self.shown(cell);
        let factor = match self.results.repeats_of(cell, shown) {
            Some(_) if self.figure.unit == Unit::Time => {
                self.results.noise_factor_of(cell, shown)?
            }
            _ => 1.0,
        };
        Some(best * factor)
    }

    /// What a cell shows: the net figure, if the figure has one and the floor was measured.
    pub fn shown(&self, cell: &Cell) -> Option<f64> {
        let headline = self.figure.headline(cell)?;
        Some(self.net(cell).map_or(headline, |net| net.max(0.0)))
    }

    /// Whether the floor is a part of the figure.
    fn has_floor(&self, cell: &Cell) -> bool {
        let is_wall = matches!(self.figure.value, Value::Time(_));
        self.figure.is_net && !(is_wall && self.results.is_crowd(cell))
    }

    pub fn net(&self, cell: &Cell) -> Option<f64> {
        let net = || self.results.net_of(cell, |cell| self.figure.headline(cell));
        self.has_floor(cell).then(net).flatten()
    }

    /// The ratio of a time to that of the baseline.
    pub fn ratio(&self, cell: &Cell) -> Option<Ratio> {
        let of = |cell: &Cell| self.figure.headline(cell);
        let ratio = || self.results.ratio_of(cell, self.has_floor(cell), of);
        (self.figure.unit == Unit::Time).then(ratio).flatten()
    }

    /// Whether it has times that should be net, and none of them has a floor.
    pub fn is_gross(&self) -> bool {
        let measured = self
            .cells()
            .filter(|cell| self.figure.headline(cell).is_some());
        let nets: Vec<_> = measured.map(|cell| self.net(cell)).collect();
        self.figure.is_net && !nets.is_empty() && nets.iter().all(Option::is_none)
    }

    /// Whether it is of more threads than cores.
    pub fn is_crowd(&self) -> bool {
        self.cells().any(|cell| self.results.is_crowd(cell))
    }
}
