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
use crate::query::{COMPARISONS, distinct};
use crate::results::{self, Cell, Results};

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

/// The tables of workloads that no other table has a cell of, such as those of another crate.
/// The name of such a table is that of its workload.
pub fn other_workloads(results: &Results) -> Vec<Table<'_>> {
    let tables = all();
    let mut workloads = distinct(results.cells.iter().map(Cell::workload));
    workloads.retain(|workload| {
        let mut cells = results.cells.iter();
        let has_table = |cell: &Cell| {
            cell.workload() == *workload && tables.iter().any(|table| table.has(cell))
        };
        !cells.any(has_table)
    });
    let table = |workload| table_for(results, workload);
    workloads.into_iter().filter_map(table).collect()
}

/// A table of everything that a workload measures; `None` without figures.
fn table_for<'r>(results: &'r Results, workload: &'r str) -> Option<Table<'r>> {
    let cells = results
        .cells
        .iter()
        .filter(|cell| cell.workload() == workload);
    let cells: Vec<&Cell> = cells.collect();
    let axis = |axis: &&str| cells.iter().any(|cell| cell.axis(axis).is_some());
    let compared = COMPARISONS.iter().map(|one| one.axis).find(axis);
    let first = cells.first()?.axes.first();
    let rows = compared
        .or(first.map(|(axis, _)| axis.as_str()))
        .unwrap_or_default();
    let mut figures = Vec::new();
    let mut timed = cells.iter().filter(|cell| cell.time.is_some()).peekable();
    if timed.peek().is_some() {
        figures.push(match timed.all(|cell| cell.elements.is_some()) {
            true => ("time of an element", ELEMENT),
            false => ("time of a call", CALL),
        });
    }
    let metrics = cells.iter().flat_map(|cell| &cell.metrics);
    for (name, unit) in distinct(metrics.map(|(name, metric)| (name.as_str(), metric.unit))) {
        let figure = match unit {
            results::Unit::Nanoseconds => time(name),
            results::Unit::Bytes => median(name, Unit::Bytes),
            results::Unit::Count => median(name, Unit::Count),
        };
        figures.push((name, figure));
    }
    let others = |cell: &&Cell| {
        let others = cell.axes.iter().filter(|(axis, _)| axis != rows);
        let others = others.map(|(axis, value)| format!("{axis}={value}"));
        others.collect::<Vec<_>>().join(",")
    };
    let points = distinct(cells.iter().map(others));
    let mut draft = table(workload, &format!("Workload {workload}"), "").by(rows);
    for (label, figure) in &figures {
        for point in &points {
            let axes = point.replace('=', " ").replace(',', ", ");
            let head = match (axes.as_str(), figures.len()) {
                ("", _) => (*label).to_owned(),
                (_, 1) => axes,
                _ => format!("{label}, {axes}"),
            };
            draft = draft
                .of(&format!("{workload}/{point}"))
                .column(&head, *figure);
        }
    }
    (!draft.table.columns.is_empty()).then_some(draft.table)
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
