//! Reports of a [`Delta`]: a row for each scenario that changed, and the verdicts below them.

use std::io::{self, Write};
use std::iter;

use alloc_results::{Metric, ReadingPart};
use comfy_table::{Table, presets};

use crate::delta::{Change, Delta};
use crate::evaluation::Evaluation;
use crate::figure::{Statistic, counted};
use crate::named::named;
use crate::printable::one_line;
use crate::report::change::{change, is_implied};
use crate::report::format::formats;
use crate::report::view::{Detail, TableRows, View};
use crate::report::{ToExplain, markdown, sites, terminal};
use crate::sites::Explained;

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
    /// The lines behind figures, if no gates were judged. Verdicts have their own.
    pub explained: &'c [Explained],
    /// How much the format for a terminal shows.
    pub detail: Detail,
}

/// The names of the compared sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The base as the user named it.
    pub reference: String,
    /// The full name of the base's commit.
    pub base: String,
    /// The lock file that the base was built with.
    pub lock: BaseLock,
    /// The full name of the commit that the working tree stands on.
    pub head: String,
    /// The number of files in the working tree that differ from it.
    pub uncommitted: usize,
}

named! {
    /// The Cargo.lock that a base was built with. With another one than its own, the versions
    /// of its dependencies can differ from those of that time.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BaseLock {
        /// The one of its commit.
        Own = "own",
        /// The one of the working tree: the commit has none.
        OfWorkingTree = "working-tree",
        /// A new one: there was none at all.
        New = "new",
    }
}

/// The remark below rows with a mark.
const MARK: &str = "* the iterations differ; compare with care";

/// Writes the report for a terminal or a log.
///
/// # Errors
///
/// When `out` can't be written.
pub fn terminal(comparison: Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    if comparison.detail != Detail::Quiet {
        changes(comparison, out)?;
    }
    if let Some(evaluation) = comparison.evaluation {
        let view = View {
            rows: Some(TableRows::None),
            detail: comparison.detail,
            base: None,
        };
        if view.detail != Detail::Quiet {
            writeln!(out)?;
        }
        terminal::write(evaluation, view, out)?;
    }
    Ok(())
}

/// Writes both sides and what changed, for a terminal.
fn changes(comparison: Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Comparison { sides, delta, .. } = comparison;
    writeln!(out, "base: {}", one_line(&sides.base_words()))?;
    writeln!(out, "head: {}\n", one_line(&sides.head_words()))?;
    let rows = rows(delta);
    if !rows.is_empty() {
        writeln!(out, "{}\n", columns(&rows))?;
    }
    let plain = |text: &str| one_line(text);
    let remarks = remarks(comparison, |name| format!("`{}`", one_line(name)), plain);
    for line in &remarks {
        writeln!(out, "{line}")?;
    }
    if !comparison.explained.is_empty() && !remarks.is_empty() {
        writeln!(out)?;
    }
    sites::terminal(comparison.explained, out)?;
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
    let rows = rows(delta);
    if !rows.is_empty() {
        writeln!(out, "| scenario | changes |\n|---|---|")?;
        for Row { scenario, changes } in rows {
            let cells = [scenario, changes.join(", ")].map(|cell| markdown::escape(&cell));
            writeln!(out, "| {} |", cells.join(" | "))?;
        }
        writeln!(out)?;
    }
    for line in remarks(comparison, markdown::code, markdown::escape) {
        writeln!(out, "- {line}")?;
    }
    if !comparison.explained.is_empty() {
        writeln!(out)?;
        sites::markdown(comparison.explained, out)?;
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

/// The figures that grew, one of each scenario, the worst first: `allocs`, or else the first
/// metric of which a call stack can tell something.
#[must_use]
pub fn to_explain(delta: &Delta) -> Vec<ToExplain> {
    let scenarios = delta.scenarios().into_iter();
    let worst = scenarios.filter_map(|changes| {
        let grown = changes.into_iter().filter_map(|change| {
            let metric = change.metric.counted()?;
            let grows = change.head? > change.base?;
            let has_stacks = metric.part() != ReadingPart::Native;
            (grows && has_stacks).then_some((metric, change))
        });
        let rank = |metric: Metric| (metric != Metric::Allocs, metric);
        let (metric, change) =
            grown.min_by_key(|(metric, change)| (rank(*metric), change.statistic))?;
        Some(ToExplain {
            bench: change.bench.clone(),
            scenario: change.scenario.clone(),
            label: change.label(),
            metric,
            statistic: change.statistic,
            measured: change.head,
        })
    });
    worst.collect()
}

/// The comparison in words, for the last line of a run.
#[must_use]
pub fn line(delta: &Delta) -> String {
    let changed = delta.scenarios().len();
    let parts = [
        (Some(changed), "changed"),
        (Some(delta.compared - changed), "unchanged"),
        (nonzero(delta.added.len()), "new"),
        (nonzero(delta.removed.len()), "removed"),
    ];
    let parts = parts.into_iter();
    let parts: Vec<String> = parts
        .filter_map(|(number, word)| Some(format!("{} {word}", number?)))
        .collect();
    format!(
        "alloc-gate: compared {}: {} (without --gate, no gates are checked)",
        counted(delta.compared, "scenario"),
        parts.join(", ")
    )
}

fn nonzero(number: usize) -> Option<usize> {
    (number > 0).then_some(number)
}

impl Sides {
    fn base_words(&self) -> String {
        let commit = short(&self.base);
        let lock = match self.lock {
            BaseLock::Own => "",
            BaseLock::OfWorkingTree => ", which has no Cargo.lock, with that of the working tree",
            BaseLock::New => ", without a Cargo.lock, with new versions of its dependencies",
        };
        if self.base.starts_with(&self.reference) {
            format!("{commit}{lock}")
        } else {
            format!("{} ({commit}){lock}", self.reference)
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

/// A scenario that changed.
struct Row {
    /// The name, with the mark ` *` if the iterations differ.
    scenario: String,
    /// The changes, such as `allocs 1 -> 101 (+100)`, in the order of the metrics.
    changes: Vec<String>,
}

/// The scenarios that changed, worst first.
fn rows(delta: &Delta) -> Vec<Row> {
    let scenarios = delta.scenarios().into_iter();
    scenarios
        .map(|mut changes| {
            changes.sort_by_key(|change| (&change.metric, change.statistic));
            let is_marked = changes.iter().any(|change| !change.deterministic);
            let mark = if is_marked { " *" } else { "" };
            let label = changes
                .first()
                .map_or_else(String::new, |change| change.label());
            let metrics: Vec<Metric> = changes.iter().filter_map(|c| c.metric.counted()).collect();
            let shown = changes.iter().filter(|change| {
                let metric = change.metric.counted();
                !metric.is_some_and(|metric| is_implied(metric, &metrics))
            });
            Row {
                scenario: format!("{label}{mark}"),
                changes: shown.map(|change| words(change)).collect(),
            }
        })
        .collect()
}

/// `allocs 1 -> 101 (+100)`, `bytes max 44 -> 88 (2.00x)`.
fn words(of: &Change) -> String {
    let metric = &of.metric;
    let statistic = if of.statistic == Statistic::Mean {
        String::new()
    } else {
        format!(" {}", of.statistic)
    };
    format!(
        "{metric}{statistic} {}",
        change(metric.unit(), of.base, of.head)
    )
}

/// The rows for a terminal, in columns.
fn columns(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    for Row { scenario, changes } in rows {
        let cells = iter::once(scenario).chain(changes);
        table.add_row(cells.map(|cell| one_line(cell)));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.trim_fmt()
}

/// The lines below the rows.
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
    let unchanged = delta.compared - delta.scenarios().len();
    if delta.compared == 0 {
        lines.push(String::from("no scenario is on both sides"));
    } else if unchanged > 0 {
        lines.push(format!("{} unchanged", counted(unchanged, "scenario")));
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
