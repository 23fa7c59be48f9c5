//! The tables of the rules, as text for the terminal and the markdown report, and as objects
//! of the JSON report.

use alloc_results::{Attempts, integer};

use crate::evaluation::{Gap, PivotCell, PivotColumn, PivotTable};
use crate::figure::counted;
use crate::report::words::{Dialect, figure_of};
use crate::rules::{SCENARIO, ShownFigure};

mod json;

pub(super) use json::table_object;

/// A table as text. Only the notes are escaped.
pub(super) struct PivotText {
    pub(super) heading: String,
    pub(super) caption: Option<String>,
    pub(super) header: Vec<String>,
    /// Empty if nothing of the table was measured.
    pub(super) rows: Vec<Vec<String>>,
    /// The lines below the table.
    pub(super) notes: Vec<String>,
}

impl PivotText {
    pub(super) fn from_table(table: &PivotTable, dialect: Dialect) -> Self {
        // The distinct reasons why cells have no figure.
        let mut reasons: Vec<String> = Vec::new();
        let mut text = |cell: &PivotCell, figure: &ShownFigure| {
            let (sign, reason) = match cell {
                PivotCell::Figure { value, .. } => {
                    return figure_of(&figure.metric, figure.statistic, *value);
                }
                PivotCell::Absent { gap, .. } => ('-', gap_reason(gap, table, dialect)),
                PivotCell::Ambiguous { axes, .. } => ('?', ambiguous_reason(axes, dialect)),
            };
            let known = reasons.iter().position(|other| *other == reason);
            let index = known.unwrap_or_else(|| {
                reasons.push(reason);
                reasons.len() - 1
            });
            format!("{sign} {}", mark(index))
        };
        let mut rows = Vec::new();
        for row in &table.rows {
            let cells = row.cells.iter().zip(&table.columns);
            let mut texts = vec![row.value.clone()];
            texts.extend(cells.map(|(cell, column)| text(cell, &column.figure)));
            rows.push(texts);
        }
        let mut notes = Vec::new();
        if rows.is_empty() {
            notes.push(String::from("no scenario of the table was measured"));
        }
        let numbered = reasons.iter().enumerate();
        notes.extend(numbered.map(|(index, reason)| {
            let mark = (dialect.text)(&mark(index));
            format!("{mark} {reason}")
        }));
        let mut header = vec![table.rows_axis.as_deref().unwrap_or(SCENARIO).to_owned()];
        header.extend(table.columns.iter().map(|column| title(table, column)));
        Self {
            heading: table.name.clone(),
            caption: table.caption.clone(),
            header,
            rows,
            notes,
        }
    }
}

/// The tables to show, and the number of `[[table]]`s of which the user selected no
/// scenario.
pub(super) fn selected(tables: &[PivotTable]) -> (impl Iterator<Item = &PivotTable>, usize) {
    let (left_out, shown): (Vec<_>, Vec<_>) = tables.iter().partition(|table| table.is_left_out);
    // With an axis of columns, one `[[table]]` becomes several tables in a row.
    let rules = left_out.chunk_by(|table, next| table.place == next.place);
    (shown.into_iter(), rules.count())
}

/// `not shown: 2 tables, of which no scenario was selected`.
pub(super) fn left_out_words(count: usize) -> String {
    let tables = counted(count, "table");
    format!("not shown: {tables}, of which no scenario was selected")
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
fn gap_reason(gap: &Gap, table: &PivotTable, dialect: Dialect) -> String {
    let name = dialect.name;
    match gap {
        Gap::Scenario => format!(
            "no scenario was measured with this {} and this {}",
            name(table.rows_axis.as_deref().unwrap_or(SCENARIO)),
            name(table.columns_axis.as_deref().unwrap_or_default())
        ),
        Gap::Unavailable(reason) => (dialect.text)(reason),
        Gap::Metric(metric) => format!("the scenario did not measure {}", name(metric)),
        Gap::FirstCall(metric) => format!(
            "the scenario did not measure {} of the first call",
            name(metric)
        ),
        Gap::Unit(metric) => format!(
            "the scenario measures {} in a unit other than {} declares",
            name(metric),
            name("[metrics]")
        ),
        Gap::Elements => String::from("the scenario declares no number of elements"),
        Gap::NoElements => String::from("the scenario has no elements to divide by"),
        Gap::Faults { faults, .. } => format!(
            "no time is shown, since requests went wrong: {}",
            (dialect.text)(&faults_text(faults))
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

fn ambiguous_reason(axes: &[String], dialect: Dialect) -> String {
    if axes.is_empty() {
        return String::from("several scenarios fit; they differ in their names alone");
    }
    let axes: Vec<String> = axes.iter().map(|axis| (dialect.name)(axis)).collect();
    format!(
        "several scenarios fit; they differ in {}",
        axes.join(" and ")
    )
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
