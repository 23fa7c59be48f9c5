//! The tables of the rules, as text for the terminal and the markdown report, and as objects
//! of the JSON report.

use std::collections::BTreeSet;

use alloc_results::{Ratio, integer, mean};

use crate::evaluation::{Compared, Content, Gap, PivotCell, PivotColumn, PivotTable};
use crate::figure::{Exact, counted};
use crate::report::tables::figures::{faults_text, figure_text};
use crate::report::words::Dialect;
use crate::rules::SCENARIO;

mod figures;
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
        let mut legend = Legend {
            dialect,
            reasons: Vec::new(),
            kinds: BTreeSet::new(),
            cores: BTreeSet::new(),
        };
        let row_title = table.rows_axis.as_deref().unwrap_or("scenario");
        let titles = table.columns.iter().map(|column| {
            let title = title(table, column);
            marked(title, column.is_crowded)
        });
        let rows: Vec<Vec<String>> = table
            .rows
            .iter()
            .map(|row| {
                let cells = row.cells.iter().zip(&table.columns);
                let cells = cells.map(|(cell, column)| {
                    legend
                        .cores
                        .extend(cell.crowding.map(|crowding| crowding.cores));
                    let text = text(cell, column, table, &mut legend);
                    let is_said = row.is_crowded || column.is_crowded;
                    marked(text, cell.crowding.is_some() && !is_said)
                });
                let title = marked(row.value.clone(), row.is_crowded);
                std::iter::once(title).chain(cells).collect()
            })
            .collect();
        let mut notes = Vec::new();
        if rows.is_empty() {
            notes.push(String::from("no scenario of the table was measured"));
        }
        let mut cells = table.rows.iter().flat_map(|row| &row.cells);
        let has_ratios = cells.any(|cell| matches!(cell.compared, Compared::Times(_)));
        if let Some(baseline) = table.baseline.as_ref().filter(|_| has_ratios) {
            let baseline = (dialect.name)(baseline);
            notes.push(format!("(2.00x): twice the figure of {baseline}"));
        }
        notes.extend(spread_words(table));
        let kinds = legend.kinds.iter();
        notes.extend(kinds.map(|kind| fault_words(kind, dialect)));
        notes.extend(crowding_words(&legend.cores, dialect));
        let numbered = legend.reasons.iter().enumerate();
        notes.extend(numbered.map(|(index, reason)| {
            let mark = (dialect.text)(&mark(index));
            format!("{mark} {reason}")
        }));
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

/// The explanations below the table that its cells need.
struct Legend {
    dialect: Dialect,
    /// The distinct reasons why cells have no figure.
    reasons: Vec<String>,
    /// The kinds of faults.
    kinds: BTreeSet<String>,
    /// The numbers of cores of machines that ran more threads.
    cores: BTreeSet<u64>,
}

impl Legend {
    /// The mark of a reason, which is added if it is new.
    fn mark(&mut self, reason: String) -> String {
        let known = self.reasons.iter().position(|other| *other == reason);
        mark(known.unwrap_or_else(|| {
            self.reasons.push(reason);
            self.reasons.len() - 1
        }))
    }
}

/// The text, with a mark if more threads ran than the machine has cores.
fn marked(text: String, is_crowded: bool) -> String {
    match is_crowded {
        true => format!("{text} *"),
        false => text,
    }
}

fn mark(index: usize) -> String {
    format!("[{}]", index + 1)
}

/// The text of a cell: `5.00 (0.50x)`, `- [1]`, `FAIL 3/100 null`.
fn text(cell: &PivotCell, column: &PivotColumn, table: &PivotTable, legend: &mut Legend) -> String {
    let dialect = legend.dialect;
    match &cell.content {
        Content::Figure { value, spread, .. } => {
            let value = figure_text(&column.figure, *value, spread.as_ref());
            match &cell.compared {
                Compared::None => value,
                Compared::Times(times) => format!("{value} ({})", times_text(times)),
                Compared::OfZero | Compared::OfNothing | Compared::OfFaults => {
                    let reason = incomparable_reason(&cell.compared, table, dialect);
                    let mark = legend.mark(reason.unwrap_or_default());
                    format!("{value} (-) {mark}")
                }
            }
        }
        Content::Faulty { faults, .. } => {
            let kinds = faults.faults.iter().map(|(kind, _)| kind.clone());
            legend.kinds.extend(kinds);
            format!("FAIL {}", faults_text(faults))
        }
        Content::Absent { gap, .. } => {
            format!("- {}", legend.mark(gap_reason(gap, table, dialect)))
        }
        Content::Ambiguous { axes, .. } => {
            format!("? {}", legend.mark(ambiguous_reason(axes, dialect)))
        }
    }
}

/// The note of a table with times.
fn spread_words(table: &PivotTable) -> Option<String> {
    let cells = table.rows.iter().flat_map(|row| &row.cells);
    let numbers: BTreeSet<u64> = cells
        .filter_map(|cell| {
            let Content::Figure { spread, .. } = &cell.content else {
                return None;
            };
            Some(spread.as_ref()?.values)
        })
        .collect();
    let (least, most) = (*numbers.first()?, *numbers.last()?);
    let plural = if most == 1 { "" } else { "s" };
    let most = integer(most.into());
    let numbers = match numbers.len() {
        1 => most,
        _ => format!("{} to {most}", integer(least.into())),
    };
    Some(format!(
        "x to y: the fastest and the slowest of {numbers} value{plural}"
    ))
}

/// Why a figure has no ratio to the baseline's, in words.
fn incomparable_reason(
    compared: &Compared,
    table: &PivotTable,
    dialect: Dialect,
) -> Option<String> {
    let baseline = (dialect.name)(table.baseline.as_deref().unwrap_or_default());
    match compared {
        Compared::None | Compared::Times(_) => None,
        Compared::OfZero => Some(format!("the figure of {baseline} is 0")),
        Compared::OfNothing => Some(format!("there is no figure of {baseline}")),
        Compared::OfFaults => Some(format!(
            "no time of {baseline} is shown, since requests of it went wrong"
        )),
    }
}

/// A rounded ratio, `0.50x`. A ratio other than 0 is never written as 0.
fn times_text(times: &Exact) -> String {
    let zero = Exact::from(Ratio::whole(0));
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

/// Why a cell has no figure, in words.
fn gap_reason(gap: &Gap, table: &PivotTable, dialect: Dialect) -> String {
    let name = dialect.name;
    match gap {
        Gap::Scenario => format!(
            "no scenario was measured with this {} and this {}",
            name(table.rows_axis.as_deref().unwrap_or("scenario")),
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
    }
}

/// The note of a table with faults of this kind.
fn fault_words(kind: &str, dialect: Dialect) -> String {
    let mark = (dialect.text)(&format!("FAIL n/m {kind}"));
    match kind {
        "null" => format!("{mark}: n of m requests were refused; no time is shown"),
        _ => format!(
            "{mark}: n of m requests went wrong, {}; no time is shown",
            (dialect.text)(kind)
        ),
    }
}

/// The note of a table with more threads than cores.
fn crowding_words(cores: &BTreeSet<u64>, dialect: Dialect) -> Option<String> {
    let last = cores.last()?;
    let mark = (dialect.text)("*");
    let list: Vec<String> = cores.iter().map(|&cores| integer(cores.into())).collect();
    let cores = match (cores.len(), last) {
        (1, 1) => String::from("the 1 core of the machine"),
        (1, _) => format!("the {} cores of the machine", list.concat()),
        (_, _) => format!("the {} cores of their machines", list.join(" or ")),
    };
    Some(format!("{mark}: more threads than {cores}"))
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
    fn a_ratio_is_rounded_and_only_zero_is_written_as_zero() {
        let over = |numerator: i128, denominator: i128| {
            let whole = |value| Exact::from(Ratio::whole(value));
            let times = whole(numerator).checked_div(&whole(denominator));
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
            // A hundred times this does not fit into 128 bits.
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
