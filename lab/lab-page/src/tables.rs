//! The definition of a table, the list of all tables, and a table for a workload that has none.

mod devices;
mod exact;
mod memory;
mod programs;
mod threads;
mod times;

pub(crate) use self::exact::region_percent;
pub(crate) use self::memory::half_percent;
use crate::figure::{Better, Figure, Per, Statistic, Unit, Value};

use crate::results::Cell;

/// A table: its rows are the values of an axis, and its columns are of any workloads.
#[derive(Clone, Debug)]
pub struct Table<'a> {
    pub name: String,
    pub title: String,
    /// What was measured, in sentences.
    pub caption: &'a str,
    /// The axis whose values are the rows.
    pub rows: &'a str,
    pub columns: Vec<Column<'a>>,
}

/// A figure of some cells, or such a column for each value of an axis.
#[derive(Clone, Debug)]
pub struct Column<'a> {
    /// Its head, before the axis and its value.
    pub head: String,
    /// `WORKLOAD/AXIS=VALUE,...`; `AXIS=*` gives a column for each value.
    pub cells: String,
    pub figure: Figure<'a>,
}

/// All tables, in the order of a page that is made whole.
pub fn all() -> Vec<Table<'static>> {
    let sources = [
        programs::tables(),
        times::tables(),
        threads::tables(),
        memory::tables(),
        exact::tables(),
        devices::tables(),
    ];
    let drafts = sources.into_iter().flatten();
    drafts.map(|draft| draft.table).collect()
}

/// A table whose columns are added one by one.
struct Draft<'a> {
    table: Table<'a>,
    /// The cells of the next columns.
    cells: String,
}

/// A table of subjects.
fn table<'a>(name: &str, title: &str, caption: &'a str) -> Draft<'a> {
    let table = Table {
        name: name.to_owned(),
        title: title.to_owned(),
        caption,
        rows: "subject",
        columns: Vec::new(),
    };
    let cells = String::new();
    Draft { table, cells }
}

impl<'a> Draft<'a> {
    /// The cells of the columns that follow.
    fn of(self, cells: &str) -> Self {
        let cells = cells.to_owned();
        Self { cells, ..self }
    }

    fn column(mut self, head: &str, figure: Figure<'a>) -> Self {
        self.table.columns.push(Column {
            head: head.to_owned(),
            cells: self.cells.clone(),
            figure,
        });
        self
    }

    /// The same with the values of this axis as rows.
    fn by(mut self, rows: &'a str) -> Self {
        self.table.rows = rows;
        self
    }
}

/// The time of a call, and of a pair, a block or another element.
const CALL: Figure<'static> = Figure::net(Value::Time(Per::Call));
const ELEMENT: Figure<'static> = Figure::net(Value::Time(Per::Element));

/// A time that the workload measures itself.
const fn time(metric: &str) -> Figure<'_> {
    Figure::net(Value::Metric(metric, Statistic::Min, Per::Call))
}

const fn element_time(metric: &str) -> Figure<'_> {
    Figure::net(Value::Metric(metric, Statistic::Min, Per::Element))
}

/// The smallest value of a metric, of which less is better.
pub(crate) const fn least(metric: &str, unit: Unit) -> Figure<'_> {
    min(metric, unit).better(Better::Less)
}

/// The smallest value of a metric, the largest, and the median.
const fn min(metric: &str, unit: Unit) -> Figure<'_> {
    Figure::new(Value::Metric(metric, Statistic::Min, Per::Call), unit)
}

const fn max(metric: &str, unit: Unit) -> Figure<'_> {
    Figure::new(Value::Metric(metric, Statistic::Max, Per::Call), unit)
}

pub(crate) const fn median(metric: &str, unit: Unit) -> Figure<'_> {
    Figure::new(Value::Metric(metric, Statistic::P50, Per::Call), unit)
}

/// A formula, of which neither, less or more is better.
const fn derived(value: fn(&Cell) -> Option<f64>, unit: Unit) -> Figure<'static> {
    Figure::new(Value::Derived(value), unit)
}

pub(crate) const fn less(value: fn(&Cell) -> Option<f64>, unit: Unit) -> Figure<'static> {
    derived(value, unit).better(Better::Less)
}

pub(crate) const fn more(value: fn(&Cell) -> Option<f64>, unit: Unit) -> Figure<'static> {
    derived(value, unit).better(Better::More)
}

impl Column<'_> {
    /// The axis with a column for each of its values.
    pub fn over(&self) -> Option<&str> {
        let (_, axes) = self.cells.split_once('/')?;
        axes.split(',').find_map(|axis| axis.strip_suffix("=*"))
    }
}

impl Table<'_> {
    pub fn has(&self, cell: &Cell) -> bool {
        self.columns.iter().any(|column| cell.is_of(&column.cells))
    }

    pub fn row<'c>(&self, cell: &'c Cell) -> &'c str {
        let axes = || cell.scenario.split_once('/').map(|(_, axes)| axes);
        let row = cell.axis(self.rows).or_else(axes);
        row.unwrap_or(&cell.scenario)
    }
}

/// The smallest value of a metric; most metrics have the same in every call.
fn smallest(cell: &Cell, name: &str) -> Option<f64> {
    Some(cell.metrics.get(name)?.min as f64)
}

/// A metric in percent of another one.
pub(crate) fn percent(cell: &Cell, part: &str, whole: &str) -> Option<f64> {
    Some(100.0 * smallest(cell, part)? / smallest(cell, whole)?)
}

/// The share of a region that was handed out.
pub(crate) fn granted_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "granted-bytes", "region-bytes")
}
