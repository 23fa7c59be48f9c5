//! [`Grid`]: the cells of a table in rows and columns, with the winners of each column.

use crate::figure::{Better, Figure, Unit, Value};
use crate::query::{Ratio, distinct, sorted_values, unavailable};
use crate::results::{Cell, Results};
use crate::tables::Table;

pub struct Grid<'r> {
    pub results: &'r Results,
    pub columns: Vec<Column<'r>>,
    pub rows: Vec<Row<'r>>,
}

pub struct Column<'r> {
    pub head: String,
    pub figure: Figure<'r>,
}

pub struct Row<'r> {
    pub name: &'r str,
    /// The cells; `None` where there is no scenario.
    pub cells: Vec<Option<&'r Cell>>,
}

impl<'r> Grid<'r> {
    pub fn new(table: &'r Table<'r>, results: &'r Results) -> Self {
        let all = results.cells.iter().filter(|cell| table.has(cell));
        let all: Vec<&Cell> = all.collect();
        let mut names = sorted_values(table.rows, all.iter().copied());
        if names.is_empty() {
            names = distinct(all.iter().map(|cell| table.row(cell)));
        }
        let rows = names.into_iter().map(|name| Row {
            name,
            cells: Vec::new(),
        });
        let mut grid = Self {
            results,
            columns: Vec::new(),
            rows: rows.collect(),
        };
        for column in table.columns.iter() {
            let cells = all.iter().copied().filter(|cell| column.has(cell));
            let cells: Vec<&Cell> = cells.collect();
            match column.over {
                None => grid.push(table, column.head.to_string(), column.figure, &cells),
                Some(axis) => {
                    for value in sorted_values(axis, cells.iter().copied()) {
                        let with_value = |cell: &&Cell| cell.axis(axis) == Some(value);
                        let cells: Vec<&Cell> = cells.iter().copied().filter(with_value).collect();
                        let head = format!("{} {axis} {value}", column.head);
                        grid.push(table, head.trim_start().to_owned(), column.figure, &cells);
                    }
                }
            }
        }
        grid
    }

    fn push(&mut self, table: &Table, head: String, figure: Figure<'r>, cells: &[&'r Cell]) {
        self.columns.push(Column { head, figure });
        for row in &mut self.rows {
            let mut cells = cells.iter().copied();
            row.cells
                .push(cells.find(|cell| table.row(cell) == row.name));
        }
    }

    /// All cells, each once.
    pub fn cells(&self) -> Vec<&'r Cell> {
        let cells = self.rows.iter().flat_map(|row| &row.cells);
        let mut distinct: Vec<&Cell> = Vec::new();
        for cell in cells.flatten() {
            if !distinct.iter().any(|other| std::ptr::eq(*other, *cell)) {
                distinct.push(cell);
            }
        }
        distinct
    }

    /// Takes the rows out that have no figure because they are unavailable, and returns each
    /// with its reason.
    pub fn take_unavailable(&mut self) -> Vec<(&'r str, &'r str)> {
        let mut taken = Vec::new();
        self.rows.retain(|row| {
            let reason = unavailable(row.cells.iter().flatten().copied());
            taken.extend(reason.map(|reason| (row.name, reason)));
            reason.is_none()
        });
        taken
    }

    /// Drops columns whose figure no measured cell has, such as one that a workload did not
    /// measure when the results were made.
    pub fn drop_empty(&mut self) {
        for index in (0..self.columns.len()).rev() {
            let figure = self.columns[index].figure;
            let mut cells = self.rows.iter().filter_map(|row| row.cells[index]);
            let is_empty = |cell: &Cell| cell.is_sound() && figure.headline(cell).is_none();
            if cells.all(is_empty) {
                self.columns.remove(index);
                for row in &mut self.rows {
                    row.cells.remove(index);
                }
            }
        }
    }

    /// Which rows have the best figure of a column: the best one, and of times all that exceed
    /// it by no more than the factor between the baseline and its repeat. All are compared as
    /// they are shown. None if these are more than half of the rows, which tells nothing.
    pub fn winners(&self, column: usize) -> Vec<bool> {
        let figure = &self.columns[column].figure;
        let sign = match figure.better {
            Better::Less => 1.0,
            Better::More => -1.0,
            Better::Neither => return vec![false; self.rows.len()],
        };
        let candidate = |row: &Row<'r>| {
            let cell = row.cells[column]?;
            let is_control = cell
                .comparison()
                .is_some_and(|(comparison, value)| comparison.is_control(value));
            let value = self.shown(figure, cell)?;
            (!is_control).then_some((sign * value, cell))
        };
        let candidates: Vec<_> = self.rows.iter().map(candidate).collect();
        let best = candidates
            .iter()
            .flatten()
            .min_by(|one, other| one.0.total_cmp(&other.0));
        let Some(&(best, best_cell)) = best else {
            return vec![false; self.rows.len()];
        };
        let mut limit = best;
        if figure.unit == Unit::Time {
            let shown = |cell: &Cell| self.shown(figure, cell);
            let factor = self.results.noise_factor_of(best_cell, shown);
            if factor.is_none() && self.results.repeats_of(best_cell, shown).is_some() {
                // The baseline is not above its floor: the column can't tell two times apart.
                return vec![false; self.rows.len()];
            }
            limit *= factor.unwrap_or(1.0);
        }
        let wins = |&(value, _): &(f64, &Cell)| value <= limit;
        let winners = candidates.iter().map(|one| one.as_ref().is_some_and(wins));
        let winners: Vec<bool> = winners.collect();
        let count = winners.iter().filter(|wins| **wins).count();
        match 2 * count > candidates.iter().flatten().count() {
            true => vec![false; self.rows.len()],
            false => winners,
        }
    }

    /// What a cell shows: the net figure, if the figure has one and the floor was measured.
    pub fn shown(&self, figure: &Figure, cell: &Cell) -> Option<f64> {
        let headline = figure.headline(cell)?;
        Some(self.net(figure, cell).map_or(headline, |net| net.max(0.0)))
    }

    /// Whether the floor is a part of the figure.
    fn has_floor(&self, figure: &Figure, cell: &Cell) -> bool {
        let is_wall = matches!(figure.value, Value::Time(_));
        figure.is_net && !(is_wall && self.results.is_crowd(cell))
    }

    pub fn net(&self, figure: &Figure, cell: &Cell) -> Option<f64> {
        let net = || self.results.net_of(cell, |cell| figure.headline(cell));
        self.has_floor(figure, cell).then(net).flatten()
    }

    /// The ratio of a time to that of the baseline.
    pub fn ratio(&self, figure: &Figure, cell: &Cell) -> Option<Ratio> {
        let (has_floor, of) = (self.has_floor(figure, cell), |cell: &Cell| {
            figure.headline(cell)
        });
        let ratio = || self.results.ratio_of(cell, has_floor, of);
        (figure.unit == Unit::Time).then(ratio).flatten()
    }

    /// Whether a column has times that should be net, and none of them has a floor.
    pub fn is_gross(&self, column: usize) -> bool {
        let figure = &self.columns[column].figure;
        let cells = self.rows.iter().filter_map(|row| row.cells[column]);
        let mut measured = cells
            .filter(|cell| figure.headline(cell).is_some())
            .peekable();
        figure.is_net
            && measured.peek().is_some()
            && measured.all(|cell| self.net(figure, cell).is_none())
    }

    /// Whether a column is of more threads than cores.
    pub fn is_crowd(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().filter_map(|row| row.cells[column]);
        cells.any(|cell| self.results.is_crowd(cell))
    }
}

/// The run of the most cells, the later one of two.
pub fn main_run(cells: &[&Cell]) -> Option<usize> {
    let count = |run: usize| cells.iter().filter(|cell| cell.run == run).count();
    let mut runs = distinct(cells.iter().map(|cell| cell.run));
    runs.sort_by_key(|&run| (count(run), run));
    runs.last().copied()
}
