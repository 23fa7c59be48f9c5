//! The tables of the rules in the JSON report. Each cell is an object with its exact figure.

use crate::evaluation::{Compared, Content, PivotCell, PivotColumn, PivotRow, PivotTable};
use crate::report::json::object::{Json, Object};
use crate::report::tables::figures::{faults_text, figure_text};
use crate::report::tables::{ambiguous_reason, gap_reason, incomparable_reason, times_text};
use crate::report::words::Dialect;
use crate::rules::ShownFigure;

pub(in crate::report) fn table_object(table: &PivotTable) -> Object {
    let cells = table.rows.iter().flat_map(|row| {
        let cells = row.cells.iter().zip(&table.columns);
        cells.map(|(cell, column)| self::cell(cell, row, column, table))
    });
    Object::default()
        .with("name", &table.name)
        .with("caption", table.caption.as_deref())
        .with("rows", table.rows_axis.as_deref().unwrap_or("scenario"))
        .with("columns", table.columns_axis.as_deref())
        .with("baseline", table.baseline.as_deref())
        .with_place(table.place)
        // Row by row.
        .with("cells", Json::list(cells))
        // Whether the user selected none of the table's scenarios.
        .with_some("left-out", table.is_left_out.then_some(true))
}

fn cell(cell: &PivotCell, row: &PivotRow, column: &PivotColumn, table: &PivotTable) -> Object {
    let figure = &column.figure;
    let object = Object::default()
        .with("row", &row.value)
        .with("column", column.value.as_deref())
        .with("metric", figure.metric.name())
        .with("statistic", figure.statistic.name());
    content(object, cell, figure, table).with_some(
        // The threads and the cores, if there were more threads.
        "crowded",
        cell.crowding.map(|crowding| {
            Object::default()
                .with("threads", crowding.threads)
                .with("cores", crowding.cores)
        }),
    )
}

/// Adds the scenarios of the cell (none, one, or several if it is ambiguous), and the figure
/// or the reason why there is none.
fn content(object: Object, cell: &PivotCell, figure: &ShownFigure, table: &PivotTable) -> Object {
    let dialect = Dialect::PLAIN;
    match &cell.content {
        Content::Figure {
            scenario,
            value,
            spread,
        } => {
            let ends = spread.as_ref().map(|ends| [ends.low, ends.high]);
            let times = match &cell.compared {
                Compared::Times(times) => Some(Object::from_exact(times, times_text(times))),
                Compared::None | Compared::OfZero | Compared::OfNothing | Compared::OfFaults => {
                    None
                }
            };
            object
                .with("scenarios", Json::list([scenario]))
                .with("measured", *value)
                // The smallest and the largest value of a time.
                .with_some("spread", ends.map(Json::list))
                // The figure as tables for people show it.
                .with("text", figure_text(figure, *value, spread.as_ref()))
                // The ratio to the baseline's figure, or why there is none.
                .with_some("times-baseline", times)
                .with_some(
                    "reason",
                    incomparable_reason(&cell.compared, table, dialect),
                )
        }
        Content::Faulty {
            scenario,
            faults,
            is_timed,
        } => {
            let text = faults_text(faults);
            let reason = format!("no time is shown, since requests went wrong: {text}");
            let mut kinds = Object::default();
            for (kind, count) in &faults.faults {
                kinds = kinds.with(kind.clone(), *count);
            }
            absent(object, [scenario], "faults", reason).with(
                "faults",
                Object::default()
                    .with("pass", if *is_timed { "timed" } else { "counted" })
                    .with("requests", faults.requests)
                    .with("kinds", kinds),
            )
        }
        Content::Absent { scenario, gap } => absent(
            object,
            scenario,
            gap.name(),
            gap_reason(gap, table, dialect),
        ),
        Content::Ambiguous { scenarios, axes } => absent(
            object,
            scenarios,
            "one-scenario",
            ambiguous_reason(axes, dialect),
        ),
    }
}

/// Adds the reason why there is no figure.
fn absent<'s>(
    object: Object,
    scenarios: impl IntoIterator<Item = &'s String>,
    absent: &'static str,
    reason: String,
) -> Object {
    object
        .with("scenarios", Json::list(scenarios))
        .with("measured", Json::Null)
        .with("absent", absent)
        .with("reason", reason)
}
