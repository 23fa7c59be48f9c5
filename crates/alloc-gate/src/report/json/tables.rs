//! The tables of the rules in the JSON report. Each cell is an object with its exact figure.

use crate::evaluation::{Gap, PivotCell, PivotColumn, PivotRow, PivotTable};
use crate::report::json::object::{Json, Object};
use crate::report::tables::{ambiguous_reason, gap_reason};
use crate::report::words::figure_of;
use crate::report::write::plain;

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
        .with_place(table.place)
        // Row by row.
        .with_list("cells", cells)
        // Whether the user selected none of the table's scenarios.
        .with_some("left-out", table.is_left_out.then_some(true))
}

/// A cell with its scenarios (none, one, or several if it is ambiguous), and the figure or the
/// reason why there is none.
fn cell(cell: &PivotCell, row: &PivotRow, column: &PivotColumn, table: &PivotTable) -> Object {
    let figure = &column.figure;
    let object = Object::default()
        .with("row", &row.value)
        .with("column", column.value.as_deref())
        .with_figure(figure.metric.name(), figure.statistic);
    match cell {
        PivotCell::Figure { scenario, value } => {
            let text = figure_of(&figure.metric, figure.statistic, *value);
            object
                .with_list("scenarios", [scenario])
                .with("measured", *value)
                // The figure as tables for people show it.
                .with("text", text)
        }
        PivotCell::Absent { scenario, gap } => {
            let reason = plain(&gap_reason(gap, table));
            absent(object, scenario, gap.name(), reason).with_some("faults", faults(gap))
        }
        PivotCell::Ambiguous { scenarios, axes } => {
            let reason = plain(&ambiguous_reason(axes));
            absent(object, scenarios, "one-scenario", reason)
        }
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
        .with_list("scenarios", scenarios)
        .with("measured", Json::Null)
        .with("absent", absent)
        .with("reason", reason)
}

fn faults(gap: &Gap) -> Option<Object> {
    let Gap::Faults { faults, is_timed } = gap else {
        return None;
    };
    let mut kinds = Object::default();
    for (kind, count) in &faults.faults {
        kinds = kinds.with(kind.clone(), *count);
    }
    let object = Object::default()
        .with("pass", if *is_timed { "timed" } else { "counted" })
        .with("requests", faults.requests)
        .with("kinds", kinds);
    Some(object)
}
