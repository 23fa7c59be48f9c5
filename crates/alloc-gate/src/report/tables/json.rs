//! The tables of the rules in the JSON report. Each cell is an object with its exact figure.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::evaluation::{Compared, Content, PivotCell, PivotColumn, PivotRow, PivotTable};
use crate::figure::{Exact, Statistic};
use crate::report::json::fraction::{Fraction, FractionText};
use crate::report::tables::figures::{faults_text, figure_text};
use crate::report::tables::{ambiguous_reason, gap_reason, incomparable_reason, times_text};
use crate::report::words::Dialect;
use crate::rules::{Quantity, ShownFigure};

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
    /// The history that the table shows; absent for measured figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<HistoryReport<'r>>,
    /// Row by row.
    cells: Vec<CellReport<'r>>,
    footnotes: &'r [String],
    /// Whether the user selected none of the table's scenarios.
    #[serde(skip_serializing_if = "is_false")]
    left_out: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct CellReport<'r> {
    row: &'r str,
    column: Option<&'r str>,
    /// The metric; absent if the figure is derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<&'r str>,
    /// The expression of a derived figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<&'r str>,
    /// The unit of a derived figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    statistic: &'static str,
    /// The label of the figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'r str>,
    /// The scenarios of the cell: none, one, or several if it is ambiguous.
    scenarios: Vec<&'r str>,
    measured: Option<Value>,
    /// The smallest and the largest value of a time, or of a figure derived from times.
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<[Value; 2]>,
    /// The figure as tables for people show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The ratio to the baseline's figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_baseline: Option<FractionText>,
    /// The missing item, if `measured` is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<&'static str>,
    /// Why there is no figure, or no ratio where the table has a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The faults in place of a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<FaultsReport<'r>>,
    /// The threads and the cores, if there were more threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    crowded: Option<CrowdingReport>,
}

/// A figure. The parts of a measured figure are numbers; those of a derived figure can have
/// more digits and are texts.
#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    Measured(Fraction),
    Derived(FractionText),
}

#[derive(Serialize)]
struct FaultsReport<'r> {
    /// `counted` or `timed`.
    pass: &'static str,
    requests: u64,
    kinds: &'r BTreeMap<String, u64>,
}

#[derive(Serialize)]
struct HistoryReport<'r> {
    file: &'r str,
    /// Why there is no history.
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<&'r str>,
    /// Whether a shallow clone cuts it off.
    shallow: bool,
}

#[derive(Serialize)]
struct CrowdingReport {
    threads: u64,
    cores: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Value {
    fn from_exact(value: &Exact, figure: &ShownFigure) -> Self {
        match (&figure.quantity, value.as_ratio()) {
            (Quantity::Metric(_), Some(value)) => Self::Measured(Fraction::from_ratio(value)),
            (Quantity::Metric(_), None) | (Quantity::Derived { .. }, _) => {
                Self::Derived(FractionText::from_exact(value, value.to_string()))
            }
        }
    }
}

impl<'r> PivotReport<'r> {
    pub(in crate::report) fn from_table(table: &'r PivotTable) -> Self {
        let cells = table.rows.iter().flat_map(|row| {
            let cells = row.cells.iter().zip(&table.columns);
            cells.map(|(cell, column)| CellReport::from_cell(cell, row, column, table))
        });
        Self {
            name: &table.name,
            caption: table.caption.as_deref(),
            rows: table.rows_axis.as_deref().unwrap_or("scenario"),
            columns: table.columns_axis.as_deref(),
            baseline: table.baseline.as_deref(),
            line: table.place.line,
            column: table.place.column,
            history: table.history.as_ref().map(|history| HistoryReport {
                file: &history.file,
                absent: history.absence.as_deref(),
                shallow: history.is_cut,
            }),
            cells: cells.collect(),
            footnotes: &table.footnotes,
            left_out: table.is_left_out,
        }
    }
}

impl<'r> CellReport<'r> {
    fn from_cell(
        cell: &'r PivotCell,
        row: &'r PivotRow,
        column: &'r PivotColumn,
        table: &PivotTable,
    ) -> Self {
        let figure = &column.figure;
        let dialect = Dialect::PLAIN;
        let (metric, derived, unit, default) = match &figure.quantity {
            Quantity::Metric(metric) => {
                (Some(metric.name()), None, None, metric.default_statistic())
            }
            Quantity::Derived { expression, unit } => {
                let unit = Some(unit.name());
                (None, Some(expression.text()), unit, Statistic::default())
            }
        };
        let blank = Self {
            row: &row.value,
            column: column.value.as_deref(),
            metric,
            derived,
            unit,
            statistic: figure.statistic.unwrap_or(default).name(),
            label: figure.label.as_deref(),
            scenarios: Vec::new(),
            measured: None,
            spread: None,
            text: None,
            times_baseline: None,
            absent: None,
            reason: None,
            faults: None,
            crowded: cell.crowding.map(|crowding| CrowdingReport {
                threads: crowding.threads,
                cores: crowding.cores,
            }),
        };
        match &cell.content {
            Content::Figure {
                scenario,
                value,
                spread,
            } => Self {
                scenarios: vec![scenario],
                measured: Some(Value::from_exact(value, figure)),
                spread: spread
                    .as_ref()
                    .map(|(low, high)| [low, high].map(|end| Value::from_exact(end, figure))),
                text: Some(figure_text(figure, value, spread.as_ref())),
                times_baseline: match &cell.compared {
                    Compared::Times(times) => {
                        Some(FractionText::from_exact(times, times_text(times)))
                    }
                    Compared::None
                    | Compared::OfZero
                    | Compared::OfNothing
                    | Compared::OfFaults => None,
                },
                reason: incomparable_reason(&cell.compared, table, dialect),
                ..blank
            },
            Content::Faulty {
                scenario,
                faults,
                is_timed,
            } => Self {
                scenarios: vec![scenario],
                absent: Some("faults"),
                reason: Some(format!(
                    "no time is shown, since requests went wrong: {}",
                    faults_text(faults)
                )),
                faults: Some(FaultsReport {
                    pass: if *is_timed { "timed" } else { "counted" },
                    requests: faults.requests,
                    kinds: &faults.faults,
                }),
                ..blank
            },
            Content::Absent { scenario, gap } => Self {
                scenarios: scenario.iter().map(String::as_str).collect(),
                absent: Some(gap.name()),
                reason: Some(gap_reason(gap, table, dialect)),
                ..blank
            },
            Content::Ambiguous { scenarios, axes } => Self {
                scenarios: scenarios.iter().map(String::as_str).collect(),
                absent: Some("one-scenario"),
                reason: Some(ambiguous_reason(axes, dialect)),
                ..blank
            },
        }
    }
}
