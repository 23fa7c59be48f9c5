//! The tables: each is data, a list of columns.

mod allocators;
mod devices;

pub use self::allocators::{granted_percent, half_percent, region_percent};
use crate::results::Cell;
use crate::value::Value;

/// A table: its rows are the values of an axis, and its columns are of any workloads.
#[derive(Clone, Debug)]
pub struct Table {
    pub title: String,
    /// What was measured, in sentences.
    pub caption: &'static str,
    /// The axis whose values are the rows; empty if each scenario is a row.
    pub rows: &'static str,
    pub columns: Vec<Column>,
}

/// A value of some cells, or such a column for each value of an axis.
#[derive(Clone, Debug)]
pub struct Column {
    /// `WORKLOAD/AXIS=VALUE,...`; `AXIS=*` gives a column for each value.
    pub cells: String,
    /// Its head, before the axis and its value.
    pub head: &'static str,
    pub value: Value,
}

/// All tables, in the order of their page.
pub fn all() -> Vec<Table> {
    [allocators::tables(), devices::tables()].concat()
}

/// A table of subjects from the cells, the head and the value of each column.
fn table(title: &str, caption: &'static str, columns: &[(&str, &'static str, Value)]) -> Table {
    let column = |&(cells, head, value): &(&str, &'static str, Value)| Column {
        cells: cells.to_owned(),
        head,
        value,
    };
    Table {
        title: title.to_owned(),
        caption,
        rows: "subject",
        columns: columns.iter().map(column).collect(),
    }
}

impl Column {
    /// The axis with a column for each of its values.
    pub fn over(&self) -> Option<&str> {
        let (_, axes) = self.cells.split_once('/')?;
        axes.split(',').find_map(|axis| axis.strip_suffix("=*"))
    }
}

impl Table {
    /// The same with the values of this axis as rows.
    fn by(self, rows: &'static str) -> Self {
        Self { rows, ..self }
    }

    pub fn has(&self, cell: &Cell) -> bool {
        self.columns.iter().any(|column| cell.is_of(&column.cells))
    }

    pub fn row<'c>(&self, cell: &'c Cell) -> &'c str {
        let axes = || cell.scenario.split_once('/').map(|(_, axes)| axes);
        let row = cell.axis(self.rows).or_else(axes);
        row.unwrap_or(&cell.scenario)
    }
}
