//! Reports of a [`Delta`]: a row for each scenario that changed, and the verdicts below them.

use alloc_results::{BenchId, Metric};

use crate::compare::{Change, Delta};
use crate::evaluation::Evaluation;
use crate::measure::{counted, enumerated};
use crate::printable::quoted;
use crate::report::check::short;
use crate::report::explain::SitesText;
use crate::report::text::{Block, Line, Look, change, foreign, is_implied, left};
use crate::report::{Detail, Repository, TableRows, View, check};
use crate::requirement::value_words;
use crate::sites::Explained;

/// The contents of a report.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'c> {
    pub sides: &'c Sides,
    /// The differences.
    pub delta: &'c Delta,
    /// The verdicts, if gates were judged.
    pub evaluation: Option<&'c Evaluation>,
    /// The scenarios whose changes the head's committed baseline approves, sorted.
    pub approved: &'c [String],
    /// The lines behind values, if no gates were judged. Verdicts have their own.
    pub explained: &'c [Explained],
    /// How much the format for a terminal shows.
    pub detail: Detail,
    /// Where the sources are in a repository.
    pub repository: Option<Repository<'c>>,
    /// The address of a line of the sources, as of a [`View`].
    pub source: Option<&'c str>,
}

/// The names of the compared sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The base as the user named it.
    pub reference: String,
    /// The full name of the base's commit.
    pub base: String,
    pub lock: BaseLock,
    /// The full name of the commit that is checked out.
    pub head: String,
    /// The number of files in the working tree that differ from it.
    pub uncommitted: usize,
    /// The benches that only the base names.
    pub removed: Vec<BenchId>,
}

named! {
    /// The Cargo.lock that a base was built with. With another one than its own, the versions
    /// of its dependencies can differ from its own lock file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BaseLock {
        /// The one of its commit.
        Own = "own",
        OfWorkingTree = "working-tree",
        /// A new one: there was none at all.
        New = "new",
    }
}

/// The comparison in words, for the last line of a run.
#[must_use]
pub fn line(delta: &Delta) -> String {
    let changed = delta.scenarios().len();
    let mut parts = vec![
        format!("{changed} changed"),
        format!("{} unchanged", delta.compared - changed),
    ];
    let others = [(&delta.added, "new"), (&delta.removed, "removed")].into_iter();
    let others = others.filter(|(names, _)| !names.is_empty());
    parts.extend(others.map(|(names, word)| format!("{} {word}", names.len())));
    format!(
        "alloc-gate: compared {}: {} (without --gate, no gates are checked)",
        counted(delta.compared, "scenario"),
        parts.join(", ")
    )
}

pub(super) fn document(all: Comparison<'_>, is_page: bool) -> Vec<Block> {
    let Comparison { sides, delta, .. } = all;
    let mut blocks = Vec::new();
    if is_page || all.detail != Detail::Quiet {
        blocks.extend(is_page.then(|| Block::Title(1, "Allocations compared".into())));
        blocks.push(Block::List(vec![sides.base_line(), sides.head_line()]));
        blocks.push(Block::Space);
        // A row for each scenario that changed, the worst first.
        let rows: Vec<Vec<Line>> = delta.scenarios().into_iter().map(row).collect();
        let remarks = remarks(all);
        let has_both = !rows.is_empty() && !remarks.is_empty();
        let columns = ["scenario", "changes"].map(left).into();
        blocks.push(Block::table(Look::Plain(0), columns, rows));
        blocks.extend(has_both.then_some(Block::Space));
        blocks.push(Block::List(remarks));
        if !all.explained.is_empty() {
            blocks.push(Block::Space);
            blocks.extend(is_page.then(|| Block::Title(1, "Lines that allocate".into())));
            blocks.extend(causes(all.explained));
        }
    }
    if let Some(evaluation) = all.evaluation {
        let view = View {
            rows: Some(TableRows::None),
            detail: all.detail,
            ..View::default()
        };
        blocks.extend((view.detail != Detail::Quiet).then_some(Block::Space));
        let evaluations = std::slice::from_ref(evaluation);
        blocks.extend(check::document(evaluations, view, is_page));
    }
    blocks
}

impl Sides {
    fn base_line(&self) -> Line {
        let commit = short(&self.base);
        let lock = match self.lock {
            BaseLock::Own => "",
            BaseLock::OfWorkingTree => "; it has no Cargo.lock, so the working tree's was used",
            BaseLock::New => "; it has no Cargo.lock, so the newest dependencies were used",
        };
        Line::from(if self.base.starts_with(&self.reference) {
            format!("base: {commit}{lock}")
        } else {
            format!("base: {} ({commit}){lock}", self.reference)
        })
    }

    fn head_line(&self) -> Line {
        let changes = match self.uncommitted {
            0 => String::from("no uncommitted changes"),
            count => format!("{} with uncommitted changes", counted(count, "file")),
        };
        format!("head: the working tree at {}, {changes}", short(&self.head)).into()
    }
}

/// The scenario, with the mark ` *` if the iterations differ, and its changes in the order of
/// the metrics: `allocs 1 -> 101 (+100), bytes max 44 -> 88 (2.00x)`.
fn row(mut changes: Vec<&Change>) -> Vec<Line> {
    changes.sort_by_key(|change| (&change.metric, change.statistic));
    let is_marked = changes.iter().any(|change| !change.deterministic);
    let label = changes.first().map(|change| change.label());
    let metrics: Vec<Metric> = changes.iter().filter_map(|c| c.metric.counted()).collect();
    let shown = changes.iter().filter(|change| {
        let metric = change.metric.counted();
        !metric.is_some_and(|metric| is_implied(metric, &metrics))
    });
    let words = shown.map(|of| {
        let change = change(of.metric.unit(), of.base, of.head);
        format!("{} {change}", value_words(&of.metric, of.statistic))
    });
    let words = words.collect::<Vec<_>>().join(", ");
    let mark = if is_marked { " *" } else { "" };
    vec![foreign(label.unwrap_or_default() + mark), words.into()]
}

/// The lines that explain the changes, once for all scenarios that the same lines explain.
fn causes(explained: &[Explained]) -> Vec<Block> {
    let mut groups: Vec<(SitesText, Vec<&Explained>)> = Vec::new();
    for one in explained {
        let lines = SitesText::new(one);
        let cause = lines.cause();
        let mut others = groups.iter_mut().filter(|_| cause.is_some());
        match others.find(|(other, _)| cause == other.cause()) {
            Some((_, group)) => group.push(one),
            None => groups.push((lines, vec![one])),
        }
    }
    let mut blocks = Vec::new();
    for (number, (mut lines, group)) in groups.into_iter().enumerate() {
        blocks.extend((number > 0).then_some(Block::Space));
        let title = if let [one] = group[..] {
            let value = value_words(&one.metric.into(), one.statistic);
            format!("{}: {value}", one.label)
        } else {
            lines.put_below("", &group[0].label);
            let names = enumerated(group.iter().map(|one| one.label.clone()));
            format!("{}: {names}", counted(group.len(), "scenario"))
        };
        blocks.push(Block::Title(2, foreign(title)));
        blocks.extend(lines.blocks());
    }
    blocks
}

/// The lines below the rows.
fn remarks(all: Comparison<'_>) -> Vec<Line> {
    let Comparison { sides, delta, .. } = all;
    let mut lines: Vec<String> = Vec::new();
    if delta.changes.iter().any(|change| !change.deterministic) {
        lines.push("* the iterations differ; compare with care".into());
    }
    let benches: Vec<String> = sides.removed.iter().map(ToString::to_string).collect();
    for (word, names) in [
        ("new", &*delta.added),
        ("removed", &*delta.removed),
        ("removed benches", &*benches),
        ("approved by the committed baseline", all.approved),
    ] {
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            lines.push(format!("{word}: {}", names.join(", ")));
        }
    }
    let unchanged = delta.compared - delta.scenarios().len();
    if delta.compared == 0 {
        lines.push("no scenario is on both sides".into());
    } else if unchanged > 0 {
        lines.push(format!("{} unchanged", counted(unchanged, "scenario")));
    }
    let differences = delta.dissimilarities.iter();
    lines.extend(differences.map(|one| format!("measured differently: {one}")));
    lines.into_iter().map(Line::from).collect()
}

#[cfg(test)]
mod tests;
