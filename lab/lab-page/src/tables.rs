//! The definition of a table, the list of all tables, and a table for a workload that has none.

mod calls;
mod framealloc;
mod frusa;
mod memory;
mod openalloc;
mod threads;
mod xsigma;

use std::borrow::Cow;

use crate::figure::{Better, Figure, Per, Statistic, Unit};
use crate::query::{COMPARISONS, distinct};
use crate::results::{self, Cell, Results};

/// A table: which cells it has, and how they stand in rows and columns.
#[derive(Clone, Debug)]
pub struct Table<'a> {
    /// Its name, which markers in the page have.
    pub name: &'a str,
    /// Its title.
    pub title: Cow<'a, str>,
    /// What was measured, in sentences.
    pub caption: &'a str,
    /// The workload of its cells.
    pub workload: &'a str,
    /// Axes that must have one of the values.
    pub only: &'a [(&'a str, &'a [&'a str])],
    /// The axis whose values are the rows.
    pub rows: &'a str,
    /// The columns.
    pub columns: Columns<'a>,
    /// The figures.
    pub figures: Figures<'a>,
}

/// The figures of a table.
#[derive(Clone, Debug)]
pub enum Figures<'a> {
    /// Those of a definition.
    Listed(&'a [Figure<'a>]),
    /// All that a workload has.
    Found(Vec<Figure<'a>>),
}

impl<'a> Figures<'a> {
    /// All figures in order.
    pub fn iter(&self) -> impl Iterator<Item = Figure<'a>> {
        let figures = match self {
            Self::Listed(figures) => *figures,
            Self::Found(figures) => figures.as_slice(),
        };
        figures.iter().copied()
    }
}

/// The columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns<'a> {
    /// A column for each figure.
    Figures,
    /// A column for each value of an axis; each figure has a table of its own.
    Axis(&'a str),
    /// The same for all axes but that of the rows.
    OtherAxes,
}

/// All tables, in the order of a page that is made whole.
pub fn all() -> impl Iterator<Item = &'static Table<'static>> {
    let sources: [&[Table]; 7] = [
        &framealloc::TABLES,
        &frusa::TABLES,
        &xsigma::TABLES,
        &openalloc::TABLES,
        &calls::TABLES,
        &threads::TABLES,
        &memory::TABLES,
    ];
    sources.into_iter().flatten()
}

impl Table<'_> {
    /// Whether the cell stands in the table.
    #[must_use]
    pub fn has(&self, cell: &Cell) -> bool {
        let is_wanted = |(axis, values): &(&str, &[&str])| {
            cell.axis(axis).is_some_and(|value| values.contains(&value))
        };
        cell.workload() == self.workload && self.only.iter().all(is_wanted)
    }

    /// The row of a cell.
    #[must_use]
    pub fn row<'c>(&self, cell: &'c Cell) -> &'c str {
        cell.axis(self.rows).unwrap_or(&cell.scenario)
    }

    /// The column of a cell, where the columns are axes.
    #[must_use]
    pub fn column(&self, cell: &Cell) -> String {
        match self.columns {
            Columns::Figures => String::new(),
            Columns::Axis(axis) => cell.axis(axis).unwrap_or_default().to_owned(),
            Columns::OtherAxes => {
                let others = cell.axes.iter().filter(|(axis, _)| axis != self.rows);
                let others: Vec<_> = others
                    .map(|(axis, value)| format!("{axis} {value}"))
                    .collect();
                others.join(", ")
            }
        }
    }
}

/// The tables of workloads that no other table has a cell of, such as those of another crate.
/// The name of such a table is that of its workload.
#[must_use]
pub fn other_workloads(results: &Results) -> Vec<Table<'_>> {
    let mut workloads = results.workloads();
    workloads.retain(|workload| {
        let mut cells = results.cells.iter();
        !cells.any(|cell| cell.workload() == *workload && all().any(|table| table.has(cell)))
    });
    let table = |workload| table_for(results, workload);
    workloads.into_iter().filter_map(table).collect()
}

/// A table of everything that a workload measures; `None` without figures.
fn table_for<'r>(results: &'r Results, workload: &'r str) -> Option<Table<'r>> {
    let cells: Vec<&Cell> = results
        .cells
        .iter()
        .filter(|cell| cell.workload() == workload)
        .collect();
    let compared = COMPARISONS.iter().map(|one| one.axis);
    let axis = |axis: &&str| cells.iter().any(|cell| cell.axis(axis).is_some());
    let first = cells.first()?.axes.first();
    let rows = compared
        .into_iter()
        .find(axis)
        .or(first.map(|(axis, _)| axis.as_str()))
        .unwrap_or_default();
    let mut figures = Vec::new();
    if cells.iter().any(|cell| cell.time.is_some()) {
        let with_time = |cell: &&&Cell| cell.time.is_some();
        let has_elements = cells
            .iter()
            .filter(with_time)
            .all(|cell| cell.elements.is_some());
        figures.push(match has_elements {
            true => Figure::time("time of an element", Per::Element),
            false => Figure::time("time of a call", Per::Call),
        });
    }
    let metrics = cells.iter().flat_map(|cell| &cell.metrics);
    for (name, unit) in distinct(metrics.map(|(name, metric)| (name.as_str(), metric.unit))) {
        figures.push(match unit {
            results::Unit::Nanoseconds => Figure::time_metric(name, name, Per::Call),
            results::Unit::Bytes => Figure::metric(name, name, Statistic::P50, Unit::Bytes),
            results::Unit::Count => Figure::metric(name, name, Statistic::P50, Unit::Count),
        });
    }
    let has_one_axis = cells.iter().all(|cell| cell.axes.len() <= 1);
    (!figures.is_empty()).then(|| Table {
        name: workload,
        title: Cow::Owned(format!("Workload `{workload}`")),
        caption: "",
        workload,
        only: &[],
        rows,
        columns: match has_one_axis {
            true => Columns::Figures,
            false => Columns::OtherAxes,
        },
        figures: Figures::Found(figures),
    })
}

/// The smallest value of a metric; most metrics have the same in every call.
fn smallest(cell: &Cell, name: &str) -> Option<f64> {
    Some(cell.metrics.get(name)?.min as f64)
}

/// A metric in percent of another one.
pub(crate) fn percent(cell: &Cell, part: &str, whole: &str) -> Option<f64> {
    Some(100.0 * smallest(cell, part)? / smallest(cell, whole)?)
}

/// The memory that blocks take beside the requested bytes.
fn overhead_bytes(cell: &Cell) -> Option<f64> {
    Some(smallest(cell, "consumed-bytes")? - smallest(cell, "requested-bytes")?)
}

/// The share of the consumed bytes that was not requested.
fn waste_percent(cell: &Cell) -> Option<f64> {
    Some(100.0 * overhead_bytes(cell)? / smallest(cell, "consumed-bytes")?)
}

/// The share of the consumed bytes that was requested.
fn efficiency_percent(cell: &Cell) -> Option<f64> {
    Some(100.0 - waste_percent(cell)?)
}

/// The overhead in percent of the requested bytes.
fn overhead_percent(cell: &Cell) -> Option<f64> {
    Some(100.0 * overhead_bytes(cell)? / smallest(cell, "requested-bytes")?)
}

/// The share of the requests that succeeded.
fn successful_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "successful", "requests")
}

/// The share of the addresses that are aligned.
fn aligned_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "aligned", "addresses")
}

/// The resident memory in percent of the live bytes, after churn.
fn full_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "full-growth", "full-bytes")
}

/// The same after half of the blocks were given back.
fn half_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "half-growth", "half-bytes")
}

/// The share of a region that was handed out.
pub(crate) fn granted_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "granted-bytes", "region-bytes")
}

/// Times of single calls. Each is a percentile of one process; the headline is the median of
/// the processes.
const TAILS: [Figure; 5] = [
    Figure::median_time_metric("p50", "call-p50", Per::Call).gross(),
    Figure::median_time_metric("p90", "call-p90", Per::Call).gross(),
    Figure::median_time_metric("p99", "call-p99", Per::Call).gross(),
    Figure::median_time_metric("p99.9", "call-p999", Per::Call).gross(),
    Figure::median_time_metric("slowest", "call-max", Per::Call).gross(),
];

/// Waste, of which less is better.
const WASTE: Figure = Figure::derived("waste", waste_percent, Unit::Percent).better(Better::Less);
