//! The tables of the rules, as blocks of documents, and as objects of the JSON report.

use alloc_results::{Attempts, integer};
use indexmap::IndexSet;

use crate::evaluation::{Gap, PivotCell, PivotColumn, PivotTable};
use crate::figure::counted;
use crate::report::document::{Block, Document, Line, Style, left, name, right, styled, words};
use crate::report::words::figure_of;
use crate::rules::{SCENARIO, ShownFigure};

/// The tables, each below its name, and a sentence on those of which the user selected no
/// scenario.
pub(super) fn blocks(tables: &[PivotTable]) -> Document {
    let (left_out, shown): (Vec<_>, Vec<_>) = tables.iter().partition(|table| table.is_left_out);
    let mut blocks = Vec::new();
    for table in shown {
        let title = styled(Style::Strong, &table.name);
        blocks.extend([Block::Space, Block::Heading(3, title.into())]);
        blocks.extend(body(table));
    }
    // With an axis of columns, one `[[table]]` becomes several tables in a row.
    let left_out = left_out.chunk_by(|table, next| table.place == next.place);
    let left_out = left_out.count();
    if left_out > 0 {
        let tables = counted(left_out, "table");
        let words = words!("not shown: {}, of which no scenario was selected", tables);
        blocks.extend([Block::Space, words.into()]);
    }
    blocks
}

/// A table with its caption and notes, but without its name.
fn body(table: &PivotTable) -> Document {
    // The distinct reasons why cells have no figure.
    let mut reasons: IndexSet<Line> = IndexSet::new();
    let mut cell_text = |cell: &PivotCell, figure: &ShownFigure| -> Line {
        let (sign, reason) = match cell {
            PivotCell::Figure { value, .. } => {
                return figure_of(&figure.metric, figure.statistic, *value).into();
            }
            PivotCell::Absent { gap, .. } => ("-", gap_reason(gap, table)),
            PivotCell::Ambiguous { axes, .. } => ("?", ambiguous_reason(axes)),
        };
        words!("{} {}", sign, mark(reasons.insert_full(reason).0))
    };
    let mut rows = Vec::new();
    for row in &table.rows {
        let cells = row.cells.iter().zip(&table.columns);
        let mut texts = vec![Line::from(&row.value)];
        texts.extend(cells.map(|(cell, column)| cell_text(cell, &column.figure)));
        rows.push(texts);
    }
    let caption = table.caption.as_ref().map(|caption| caption.into());
    let mut blocks: Document = caption.into_iter().map(Block::Line).collect();
    if rows.is_empty() {
        blocks.push(words!("no scenario of the table was measured").into())
    } else {
        let row_title = table.rows_axis.as_deref().unwrap_or(SCENARIO);
        let mut columns = vec![left(row_title)];
        let titles = table.columns.iter();
        columns.extend(titles.map(|it| right(title(table, it))));
        blocks.push(Block::table(columns, rows));
    }
    let numbered = reasons.into_iter().enumerate();
    blocks.extend(numbered.map(|(index, reason)| words!("{} {}", mark(index), reason).into()));
    blocks
}

/// The column's title: `impl=old`, or its figure.
fn title(table: &PivotTable, column: &PivotColumn) -> String {
    match (&table.columns_axis, &column.value) {
        (Some(axis), Some(value)) if axis == SCENARIO => value.clone(),
        (Some(axis), Some(value)) => format!("{axis}={value}"),
        (Some(_) | None, None) | (None, Some(_)) => column.figure.to_string(),
    }
}

fn mark(index: usize) -> String {
    format!("[{}]", index + 1)
}

/// Why a cell has no figure, in words.
pub(super) fn gap_reason(gap: &Gap, table: &PivotTable) -> Line {
    match gap {
        Gap::Scenario => words!(
            "no scenario was measured with this {} and this {}",
            name(table.rows_axis.as_deref().unwrap_or(SCENARIO)),
            name(table.columns_axis.as_deref().unwrap_or_default())
        ),
        Gap::Unavailable(reason) => reason.into(),
        Gap::Metric(metric) => words!("the scenario did not measure {}", name(metric)),
        Gap::FirstCall(metric) => words!(
            "the scenario did not measure {} of the first call",
            name(metric)
        ),
        Gap::Unit(metric) => words!(
            "the scenario measures {} in a unit other than `[metrics]` declares",
            name(metric)
        ),
        Gap::Elements => words!("the scenario declares no number of elements"),
        Gap::NoElements => words!("the scenario has no elements to divide by"),
        Gap::Faults { faults, .. } => words!(
            "no time is shown, since requests went wrong: {}",
            faults_text(faults)
        ),
    }
}

/// `3/100 null, 2/100 misaligned`.
fn faults_text(faults: &Attempts) -> String {
    let requests = integer(faults.requests.into());
    let kinds = faults.faults.iter();
    let kinds: Vec<String> = kinds
        .map(|(kind, count)| format!("{}/{requests} {kind}", integer((*count).into())))
        .collect();
    kinds.join(", ")
}

pub(super) fn ambiguous_reason(axes: &[String]) -> Line {
    match axes {
        [] => words!("several scenarios fit; they differ in their names alone"),
        axes => words!(
            "several scenarios fit; they differ in {}",
            Line::joined(axes.iter().map(name), " and ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_counted_by_kind() {
        let faults = Attempts {
            requests: 100_000,
            faults: [("misaligned", 2), ("null", 1_234)]
                .map(|(kind, count)| (kind.to_owned(), count))
                .into(),
        };
        assert_eq!(
            faults_text(&faults),
            "2/100,000 misaligned, 1,234/100,000 null"
        );
    }
}
