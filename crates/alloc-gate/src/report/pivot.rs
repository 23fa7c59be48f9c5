//! The tables that rules ask for, as text: what the terminal and the markdown
//! report share, and the types of the JSON report.

mod json;

use alloc_results::{Ratio, mean};

use super::wording::{Dialect, figure_of, nanoseconds};
use crate::Bound;
use crate::config::ShownFigure;
use crate::evaluation::Absence;
use crate::pivot::{Compared, Content, PivotCell, PivotColumn, PivotTable};

pub(super) use json::PivotReport;

/// A table as text: the notes in a dialect, and the rest in none.
pub(super) struct PivotText {
    pub(super) heading: String,
    pub(super) caption: Option<String>,
    pub(super) header: Vec<String>,
    /// None where nothing of the table was measured.
    pub(super) rows: Vec<Vec<String>>,
    /// What stands below, a line each.
    pub(super) notes: Vec<String>,
}

impl PivotText {
    pub(super) fn of(table: &PivotTable, dialect: Dialect) -> Self {
        let mut reasons = Reasons {
            dialect,
            list: Vec::new(),
        };
        let row_title = table.rows_axis.as_deref().unwrap_or("scenario");
        let titles = table.columns.iter().map(|column| title(table, column));
        let rows: Vec<Vec<String>> = table
            .rows
            .iter()
            .map(|row| {
                let cells = row.cells.iter().zip(&table.columns);
                let cells =
                    cells.map(|(cell, column)| text(cell, &column.figure, table, &mut reasons));
                std::iter::once(row.value.clone()).chain(cells).collect()
            })
            .collect();
        let mut notes = Vec::new();
        if rows.is_empty() {
            notes.push(String::from("no scenario of the table was measured"));
        }
        if let Some(baseline) = &table.baseline {
            let baseline = (dialect.name)(baseline);
            notes.push(format!("(2.00x): twice the figure of {baseline}"));
        }
        let numbered = reasons.list.iter().enumerate();
        notes.extend(numbered.map(|(index, reason)| {
            let mark = (dialect.text)(&mark(index));
            format!("{mark} {reason}")
        }));
        notes.extend(table.footnotes.iter().map(|note| (dialect.text)(note)));
        Self {
            heading: table.name.clone(),
            caption: table.caption.clone(),
            header: std::iter::once(row_title.to_owned())
                .chain(titles)
                .collect(),
            rows,
            notes,
        }
    }
}

/// `impl=old`, or the figure that the column shows.
fn title(table: &PivotTable, column: &PivotColumn) -> String {
    match (&table.columns_axis, &column.value) {
        (Some(axis), Some(value)) => format!("{axis}={value}"),
        (Some(_) | None, None) | (None, Some(_)) => column.figure.to_string(),
    }
}

/// Why cells have no figure, each once.
struct Reasons {
    dialect: Dialect,
    list: Vec<String>,
}

impl Reasons {
    /// The mark of a reason.
    fn mark(&mut self, reason: String) -> String {
        let known = self.list.iter().position(|other| *other == reason);
        mark(known.unwrap_or_else(|| {
            self.list.push(reason);
            self.list.len() - 1
        }))
    }
}

fn mark(index: usize) -> String {
    format!("[{}]", index + 1)
}

/// `5.00 (0.50x)`, `- [1]`.
fn text(
    cell: &PivotCell,
    figure: &ShownFigure,
    table: &PivotTable,
    reasons: &mut Reasons,
) -> String {
    let name = reasons.dialect.name;
    let value = match &cell.content {
        Content::Figure { value, spread, .. } => figure_text(figure, *value, *spread),
        Content::Absent { scenario, absence } => {
            let reason = absence_reason(*absence, scenario.as_deref(), figure, table, name);
            return format!("- {}", reasons.mark(reason));
        }
        Content::Ambiguous { axes, .. } => {
            return format!("? {}", reasons.mark(ambiguous_reason(axes, name)));
        }
    };
    match &cell.compared {
        Compared::None => value,
        Compared::Times(times) => format!("{value} ({})", times_text(times)),
        Compared::OfZero | Compared::OfNothing => {
            let reason = incomparable_reason(&cell.compared, table, name);
            let mark = reasons.mark(reason.unwrap_or_default());
            format!("{value} (-) {mark}")
        }
    }
}

/// Why a figure has no ratio, where it should have one.
fn incomparable_reason(
    compared: &Compared,
    table: &PivotTable,
    name: fn(&str) -> String,
) -> Option<String> {
    let baseline = name(table.baseline.as_deref().unwrap_or_default());
    match compared {
        Compared::None | Compared::Times(_) => None,
        Compared::OfZero => Some(format!("the figure of {baseline} is 0")),
        Compared::OfNothing => Some(format!("there is no figure of {baseline}")),
    }
}

/// `5.00`, or `700.0 ns, 690.0 to 710.0`.
fn figure_text(figure: &ShownFigure, value: Ratio, spread: Option<(Ratio, Ratio)>) -> String {
    let text = figure_of(&figure.metric, figure.statistic, value);
    match spread {
        Some((low, high)) => format!("{text}, {} to {}", nanoseconds(low), nanoseconds(high)),
        None => text,
    }
}

/// `0.50x`: rounded, but what is not 0 does not look like it.
fn times_text(times: &Bound) -> String {
    let zero = Bound::from(Ratio::whole(0));
    match times
        .hundredths()
        .map(|hundredths| Ratio::new(hundredths, 100))
    {
        Some(Some(rounded)) if rounded.numerator() != 0 || *times == zero => {
            format!("{}x", mean(rounded, 2))
        }
        Some(_) if *times < zero => String::from(">-0.01x"),
        Some(_) => String::from("<0.01x"),
        None => format!("{times}x"),
    }
}

/// Why a cell has no figure.
fn absence_reason(
    absence: Absence,
    scenario: Option<&str>,
    figure: &ShownFigure,
    table: &PivotTable,
    name: fn(&str) -> String,
) -> String {
    match (absence, scenario) {
        (Absence::Elements, _) => {
            String::from("the scenario does not say on how many elements it works")
        }
        (_, Some(_)) => format!(
            "the scenario did not measure {}",
            name(figure.metric.name())
        ),
        (_, None) => format!(
            "no scenario was measured with this {} and this {}",
            name(table.rows_axis.as_deref().unwrap_or("scenario")),
            name(table.columns_axis.as_deref().unwrap_or_default())
        ),
    }
}

fn ambiguous_reason(axes: &[String], name: fn(&str) -> String) -> String {
    if axes.is_empty() {
        return String::from("several scenarios fit, and differ in their names alone");
    }
    let axes: Vec<String> = axes.iter().map(|axis| name(axis)).collect();
    format!(
        "several scenarios fit, and differ in {}",
        axes.join(" and ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_rounded_and_looks_like_zero_only_where_it_is() {
        let over = |numerator: i128, denominator: i128| {
            let whole = |value| Bound::from(Ratio::whole(value));
            let times = whole(numerator).over(&whole(denominator));
            times.map(|times| times_text(&times))
        };
        for (numerator, denominator, text) in [
            (0, 7, "0.00x"),
            (7, 7, "1.00x"),
            (1, 3, "0.33x"),
            (2, 3, "0.67x"),
            (1, 200, "0.01x"),
            (1, 201, "<0.01x"),
            (-1, 2, "-0.50x"),
            (-1, 201, ">-0.01x"),
            (-3, -2, "1.50x"),
            (12_345, 10, "1,234.50x"),
            // A hundred times this is more than 128 bits hold.
            (
                i128::MAX,
                1,
                "170,141,183,460,469,231,731,687,303,715,884,105,727x",
            ),
        ] {
            assert_eq!(over(numerator, denominator).as_deref(), Some(text));
        }
        assert_eq!(over(7, 0), None);
    }
}
