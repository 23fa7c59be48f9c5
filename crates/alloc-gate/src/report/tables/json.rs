//! The tables that rules ask for in the JSON report: a cell an object, with its
//! figure exactly.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::evaluation::{Compared, Content, PivotCell, PivotColumn, PivotRow, PivotTable};
use crate::figure::{Exact, Statistic};
use crate::report::json::{Fraction, FractionText};
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
    /// Which past it is of, where it is not of what was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<HistoryReport<'r>>,
    /// Row by row.
    cells: Vec<CellReport<'r>>,
    footnotes: &'r [String],
    /// Whether a person selected none of its scenarios.
    #[serde(skip_serializing_if = "is_false")]
    left_out: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct CellReport<'r> {
    row: &'r str,
    column: Option<&'r str>,
    /// The metric; absent where the figure is derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<&'r str>,
    /// The expression that the figure is derived by.
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<&'r str>,
    /// What a derived figure is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    statistic: &'static str,
    /// What people call the figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'r str>,
    /// The scenarios of the cell: one, or none, or several where it is ambiguous.
    scenarios: Vec<&'r str>,
    measured: Option<Value>,
    /// The smallest and the largest, of a time or of what is derived from times.
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<[Value; 2]>,
    /// As a table for people shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// How many times the figure of the baseline it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_baseline: Option<FractionText>,
    /// What is absent, where nothing is `measured`.
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<&'static str>,
    /// The same in words; or why there is no `times-baseline`, where there is to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// What went wrong, where no time is shown for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<FaultsReport<'r>>,
    /// The threads and the cores, where there were more threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    crowded: Option<CrowdingReport>,
}

/// The parts of what is measured are numbers. What is derived can have more digits,
/// and its parts are texts.
#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    MeasuredScenario(Fraction),
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
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<&'r str>,
    /// Whether it ends where a shallow clone does.
    shallow: bool,
}

#[derive(Serialize)]
struct CrowdingReport {
    threads: u64,
    cores: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands a reference to it"
)]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Value {
    fn of(value: &Exact, figure: &ShownFigure) -> Self {
        match (&figure.quantity, value.as_ratio()) {
            (Quantity::Metric(_), Some(value)) => Self::MeasuredScenario(Fraction::of(value)),
            (Quantity::Metric(_), None) | (Quantity::Derived { .. }, _) => {
                Self::Derived(FractionText::of(value, value.to_string()))
            }
        }
    }
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
    fn of(
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
                measured: Some(Value::of(value, figure)),
                spread: spread
                    .as_ref()
                    .map(|(low, high)| [low, high].map(|end| Value::of(end, figure))),
                text: Some(figure_text(figure, value, spread.as_ref())),
                times_baseline: match &cell.compared {
                    Compared::Times(times) => Some(FractionText::of(times, times_text(times))),
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
