//! Reports of a [`Delta`]: two measurements side by side, and the verdicts below them.

use std::io;
use std::io::Write;

use alloc_results::{Ratio, mean};

use crate::delta::{Change, Delta};
use crate::evaluation::Evaluation;
use crate::figure::{Statistic, counted};
use crate::printable::one_line;
use crate::report::format::formats;
use crate::report::view::{TableRows, View};
use crate::report::{markdown, terminal};

mod json;

formats! {
    /// The formats of a [`Comparison`].
    ComparisonFormat for<'d> Comparison<'d>:
    Terminal("terminal", "For people at a terminal and for logs") = terminal,
    Markdown("markdown", "For step summaries and comments") = markdown,
    Json("json", "For programs") = json,
}

/// The contents of a report.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'c> {
    /// The compared sides.
    pub sides: &'c Sides,
    /// The differences.
    pub delta: &'c Delta,
    /// The verdicts, if gates were judged.
    pub evaluation: Option<&'c Evaluation>,
    /// The scenarios whose changes the head's committed baseline approves, sorted.
    pub approved: &'c [String],
}

/// The names of the compared sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The base as the user named it.
    pub reference: String,
    /// The full name of the base's commit.
    pub base: String,
    /// The full name of the commit that the working tree stands on.
    pub head: String,
    /// The number of files in the working tree that differ from it.
    pub uncommitted: usize,
}

/// The headers. All columns but the first two have numbers.
const HEADERS: [&str; 5] = ["scenario", "metric", "base", "head", "change"];

/// The remark below a table that has a marked row.
const MARK: &str = "* the iterations differ; compare with care";

/// Writes the report for a terminal or a log.
///
/// # Errors
///
/// When `out` can't be written.
pub fn terminal(comparison: Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Comparison { sides, delta, .. } = comparison;
    writeln!(out, "base: {}", one_line(&sides.base_words()))?;
    writeln!(out, "head: {}\n", one_line(&sides.head_words()))?;
    if !delta.changes.is_empty() {
        let header = HEADERS.map(str::to_owned).to_vec();
        let rows = delta.changes.iter().map(|change| row(change).to_vec());
        terminal::grid(2, header, rows, out)?;
    }
    let plain = |text: &str| one_line(text);
    for line in remarks(comparison, |name| format!("`{}`", one_line(name)), plain) {
        writeln!(out, "{line}")?;
    }
    if let Some(evaluation) = comparison.evaluation {
        writeln!(out)?;
        let view = View {
            rows: Some(TableRows::None),
            ..View::default()
        };
        terminal::write(evaluation, view, out)?;
    }
    Ok(())
}

/// Writes the report as markdown, for a step summary or a comment.
///
/// # Errors
///
/// When `out` can't be written.
pub fn markdown(comparison: Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Comparison { sides, delta, .. } = comparison;
    writeln!(out, "## Allocations compared\n")?;
    writeln!(out, "- base: {}", markdown::escape(&sides.base_words()))?;
    writeln!(out, "- head: {}\n", markdown::escape(&sides.head_words()))?;
    if !delta.changes.is_empty() {
        writeln!(out, "| {} |", HEADERS.join(" | "))?;
        writeln!(out, "|---|---|---:|---:|---:|")?;
        for change in &delta.changes {
            let cells = row(change).map(|cell| markdown::escape(&cell));
            writeln!(out, "| {} |", cells.join(" | "))?;
        }
        writeln!(out)?;
    }
    for line in remarks(comparison, markdown::code, markdown::escape) {
        writeln!(out, "- {line}")?;
    }
    if let Some(evaluation) = comparison.evaluation {
        writeln!(out)?;
        markdown::write(evaluation, out)?;
    }
    Ok(())
}

/// Writes the report as one JSON object.
///
/// # Errors
///
/// When `out` can't be written.
pub fn json(comparison: Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    json::write(comparison, out)
}

/// The comparison in words, for the last line of a run.
#[must_use]
pub fn line(delta: &Delta) -> String {
    let mut parts = vec![
        format!("{} changed", counted(delta.changes.len(), "figure")),
        format!("{} unchanged", delta.unchanged),
    ];
    if !delta.added.is_empty() {
        parts.push(format!("{} new", counted(delta.added.len(), "scenario")));
    }
    if !delta.removed.is_empty() {
        let removed = counted(delta.removed.len(), "scenario");
        parts.push(format!("{removed} removed"));
    }
    format!("alloc-gate: compared, nothing judged: {}", parts.join(", "))
}

impl Sides {
    fn base_words(&self) -> String {
        let commit = short(&self.base);
        if self.base.starts_with(&self.reference) {
            commit.to_owned()
        } else {
            format!("{} ({commit})", self.reference)
        }
    }

    fn head_words(&self) -> String {
        let changes = match self.uncommitted {
            0 => String::from("no uncommitted changes"),
            count => format!("{} with uncommitted changes", counted(count, "file")),
        };
        format!("the working tree at {}, {changes}", short(&self.head))
    }
}

/// The first ten digits of a commit's name.
fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

fn row(change: &Change) -> [String; 5] {
    let mark = if change.deterministic { "" } else { " *" };
    let metric = if change.statistic == Statistic::Mean {
        change.metric.to_string()
    } else {
        format!("{} {}", change.metric, change.statistic)
    };
    let or_dash = |value: Option<Ratio>| {
        value.map_or_else(|| String::from("-"), |value| figure(change, value))
    };
    [
        format!("{}{mark}", change.label()),
        metric,
        or_dash(change.base),
        or_dash(change.head),
        change_words(change),
    ]
}

/// `+1.00 (+50.0%)`, `+3 (from 0)`.
fn change_words(change: &Change) -> String {
    match (change.base, change.head) {
        (None, _) => return String::from("was not measured"),
        (_, None) => return String::from("is no longer measured"),
        (Some(_), Some(_)) => {}
    }
    let difference = change.difference().map_or_else(String::new, |difference| {
        let sign = if difference.numerator() > 0 { "+" } else { "" };
        format!("{sign}{} ", figure(change, difference))
    });
    format!("{difference}({})", percent_words(change.percent()))
}

/// A percentage with one decimal. A small one is shown as `<0.1%` and not as 0.
fn percent_words(percent: Option<f64>) -> String {
    match percent {
        None => String::from("from 0"),
        Some(percent) if percent.abs() < 0.05 => {
            let sign = if percent < 0.0 { '-' } else { '+' };
            format!("{sign}<0.1%")
        }
        Some(percent) => format!("{percent:+.1}%"),
    }
}

/// A figure with two decimals for means of counts, such as `2.00`, and else without.
fn figure(change: &Change, value: Ratio) -> String {
    let is_mean_of_counts = change.statistic == Statistic::Mean && !change.metric.is_bytes();
    mean(value, if is_mean_of_counts { 2 } else { 0 })
}

/// The lines below the table.
fn remarks(
    Comparison {
        delta, approved, ..
    }: Comparison<'_>,
    name: impl Fn(&str) -> String,
    text: impl Fn(&str) -> String,
) -> Vec<String> {
    let mut lines = Vec::new();
    if delta.changes.iter().any(|change| !change.deterministic) {
        lines.push(text(MARK));
    }
    let scenarios = counted(delta.compared, "scenario");
    lines.push(if delta.compared == 0 {
        String::from("no scenario is on both sides")
    } else if delta.changes.is_empty() {
        format!(
            "no figure changed: {} of {scenarios}",
            counted(delta.unchanged, "figure")
        )
    } else {
        format!(
            "unchanged: {} of {scenarios}",
            counted(delta.unchanged, "figure")
        )
    });
    let approved = ("approved by the committed baseline", approved);
    for (word, names) in [
        ("new", &*delta.added),
        ("removed", &*delta.removed),
        approved,
    ] {
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|scenario| name(scenario)).collect();
            lines.push(format!("{word}: {}", names.join(", ")));
        }
    }
    for difference in &delta.dissimilarities {
        lines.push(format!(
            "measured differently: {}",
            text(&difference.to_string())
        ));
    }
    lines
}

#[cfg(test)]
mod tests;
