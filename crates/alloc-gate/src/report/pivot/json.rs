//! The tables that rules ask for in the JSON report: a cell an object, with its
//! figure exactly.

use serde::Serialize;

use super::{absence_reason, ambiguous_reason, figure_text, incomparable_reason, times_text};
use crate::pivot::{Compared, Content, PivotCell, PivotColumn, PivotRow, PivotTable};
use crate::report::json::{Exact, ExactText};
use crate::report::wording::Dialect;

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::report) struct PivotReport<'r> {
    name: &'r str,
    caption: Option<&'r str>,
    /// The axis of the rows, or `scenario`.
    rows: &'r str,
    /// The axis of the columns.
    columns: Option<&'r str>,
    baseline: Option<&'r str>,
    line: usize,
    column: usize,
    /// Row by row.
    cells: Vec<CellReport<'r>>,
    footnotes: &'r [String],
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct CellReport<'r> {
    row: &'r str,
    column: Option<&'r str>,
    metric: &'r str,
    statistic: &'static str,
    /// The scenarios of the cell: one, or none, or several where it is ambiguous.
    scenarios: Vec<&'r str>,
    measured: Option<Exact>,
    /// The smallest and the largest, of a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<[Exact; 2]>,
    /// As a table for people shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// How many times the figure of the baseline it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_baseline: Option<ExactText>,
    /// What is absent, where nothing is `measured`.
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<&'static str>,
    /// The same in words; or why there is no `times-baseline`, where there is to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl<'r> PivotReport<'r> {
    pub(in crate::report) fn of(table: &'r PivotTable) -> Self {
        let cells = table.rows.iter().flat_map(|row| {
            let cells = row.cells.iter().zip(&table.columns);
            cells.map(|(cell, column)| CellReport::of(cell, row, column, table))
        });
        Self {
            name: &table.name,
            caption: table.caption.as_deref(),
            rows: table.rows_axis.as_deref().unwrap_or("scenario"),
            columns: table.columns_axis.as_deref(),
            baseline: table.baseline.as_deref(),
            line: table.place.line,
            column: table.place.column,
            cells: cells.collect(),
            footnotes: &table.footnotes,
        }
    }
}

impl<'r> CellReport<'r> {
    fn of(
        cell: &'r PivotCell,
        row: &'r PivotRow,
        column: &'r PivotColumn,
        table: &PivotTable,
    ) -> Self {
        let figure = &column.figure;
        let name = Dialect::PLAIN.name;
        let blank = Self {
            row: &row.value,
            column: column.value.as_deref(),
            metric: figure.metric.name(),
            statistic: figure.statistic.name(),
            scenarios: Vec::new(),
            measured: None,
            spread: None,
            text: None,
            times_baseline: None,
            absent: None,
            reason: None,
        };
        match &cell.content {
            Content::Figure {
                scenario,
                value,
                spread,
            } => Self {
                scenarios: vec![scenario],
                measured: Some(Exact::of(*value)),
                spread: spread.map(|(low, high)| [low, high].map(Exact::of)),
                text: Some(figure_text(figure, *value, *spread)),
                times_baseline: match &cell.compared {
                    Compared::Times(times) => Some(ExactText::of(times, times_text(times))),
                    Compared::None | Compared::OfZero | Compared::OfNothing => None,
                },
                reason: incomparable_reason(&cell.compared, table, name),
                ..blank
            },
            Content::Absent { scenario, absence } => Self {
                scenarios: scenario.iter().map(String::as_str).collect(),
                absent: Some(absence.name()),
                reason: Some(absence_reason(
                    *absence,
                    scenario.as_deref(),
                    figure,
                    table,
                    name,
                )),
                ..blank
            },
            Content::Ambiguous { scenarios, axes } => Self {
                scenarios: scenarios.iter().map(String::as_str).collect(),
                absent: Some("one-scenario"),
                reason: Some(ambiguous_reason(axes, name)),
                ..blank
            },
        }
    }
}
