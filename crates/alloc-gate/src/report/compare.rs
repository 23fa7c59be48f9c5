//! Reports of a [`Delta`]: a row for each scenario that changed, and the verdicts below them.

use std::io::{self, ErrorKind, Write};
use std::{iter, slice};

use alloc_results::{BenchId, Metric};

use crate::compare::{Change, Delta};
use crate::evaluation::Evaluation;
use crate::figure::{Statistic, counted};
use crate::named::named;
use crate::report::change::{change, is_implied};
use crate::report::document::{Block, Column, Document, Line, left, name, words};
use crate::report::format::Contents;
use crate::report::json;
use crate::report::json::object::Object;
use crate::report::view::{Detail, TableRows, View};
use crate::report::words::short;
use crate::report::{Repository, check, junit};
use crate::sites::Explained;

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
    /// Where the sources are in a repository.
    pub repository: Option<Repository<'c>>,
    /// The address of a line of the sources, as of a [`View`].
    pub source: Option<&'c str>,
}

impl Contents for Comparison<'_> {
    fn source(self) -> Option<String> {
        Repository::address(self.repository, self.source?, Some(&self.sides.head))
    }

    fn document(self, is_page: bool) -> Document {
        let Comparison { sides, delta, .. } = self;
        let mut blocks = Vec::new();
        if is_page || self.detail != Detail::Quiet {
            let title = words!("Allocations compared");
            blocks.push(Block::Page(vec![Block::Heading(2, title)]));
            let sides = [("base", sides.base_words()), ("head", sides.head_words())];
            let sides = sides.map(|(side, words)| words!("{}: {}", side, words));
            blocks.extend([Block::List(sides.into()), Block::Space]);
            blocks.extend(changes(delta));
            let remarks = remarks(self);
            let has_both = !self.explained.is_empty() && !remarks.is_empty();
            blocks.push(Block::List(remarks));
            if has_both {
                blocks.push(Block::Space);
            }
            if !self.explained.is_empty() {
                blocks.extend(self.explained.document(is_page));
            }
        }
        if let Some(evaluation) = self.evaluation {
            let view = View {
                rows: Some(TableRows::None),
                detail: self.detail,
                ..View::default()
            };
            blocks.extend((view.detail != Detail::Quiet).then_some(Block::Space));
            blocks.extend(if is_page {
                check::page(evaluation)
            } else {
                check::log(evaluation, view)
            });
        }
        blocks
    }

    fn json(self) -> Object {
        json::compare::report(self)
    }

    fn junit(self, out: &mut dyn Write) -> io::Result<()> {
        let Some(evaluation) = self.evaluation else {
            return Err(ErrorKind::Unsupported.into());
        };
        junit::junit(slice::from_ref(evaluation), self.repository, out)
    }
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
    /// The benches that only the base names.
    pub removed: Vec<BenchId>,
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

impl Sides {
    fn base_words(&self) -> Line {
        let commit = short(&self.base);
        let lock = match self.lock {
            BaseLock::Own => "",
            BaseLock::OfWorkingTree => ", which has no Cargo.lock, with that of the working tree",
            BaseLock::New => ", without a Cargo.lock, with new versions of its dependencies",
        };
        if self.base.starts_with(&self.reference) {
            words!("{}{}", commit, lock)
        } else {
            words!("{} ({}){}", &self.reference, commit, lock)
        }
    }

    fn head_words(&self) -> Line {
        let changes = match self.uncommitted {
            0 => String::from("no uncommitted changes"),
            count => format!("{} with uncommitted changes", counted(count, "file")),
        };
        words!("the working tree at {}, {}", short(&self.head), changes)
    }
}

/// A row for each scenario that changed, the worst first; nothing if none did.
fn changes(delta: &Delta) -> Vec<Block> {
    let scenarios = delta.scenarios().into_iter();
    let rows: Vec<(Line, Vec<Line>)> = scenarios.map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let columns = rows.iter().map(|(_, changes)| changes.len() + 1).max();
    let in_columns = rows.iter().map(|(scenario, changes)| {
        let cells = iter::once(scenario).chain(changes).cloned();
        cells.collect()
    });
    let columns = vec![Column::new("  "); columns.unwrap_or_default()];
    let columns = Block::columns(columns, in_columns);
    let rows = rows.into_iter();
    let rows = rows.map(|(scenario, changes)| vec![scenario, Line::joined(changes, ", ")]);
    let table = Block::table(["scenario", "changes"].map(left), rows);
    vec![
        Block::Log(vec![columns, Block::Space]),
        Block::Page(vec![table]),
    ]
}

/// The scenario, with the mark ` *` if the iterations differ, and its changes in the order of
/// the metrics.
fn row(mut changes: Vec<&Change>) -> (Line, Vec<Line>) {
    changes.sort_by_key(|change| (&change.metric, change.statistic));
    let is_marked = changes.iter().any(|change| !change.deterministic);
    let label = changes.first().map(|change| change.label());
    let metrics: Vec<Metric> = changes.iter().filter_map(|c| c.metric.counted()).collect();
    let shown = changes.iter().filter(|change| {
        let metric = change.metric.counted();
        !metric.is_some_and(|metric| is_implied(metric, &metrics))
    });
    let mark = if is_marked { " *" } else { "" };
    (
        words!("{}{}", label, mark),
        shown.map(|change| words(change).into()).collect(),
    )
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

/// The lines below the rows.
fn remarks(
    Comparison {
        sides,
        delta,
        approved,
        ..
    }: Comparison<'_>,
) -> Vec<Line> {
    let mut lines = Vec::new();
    if delta.changes.iter().any(|change| !change.deterministic) {
        lines.push(MARK.into());
    }
    let benches: Vec<String> = sides.removed.iter().map(ToString::to_string).collect();
    let approved = ("approved by the committed baseline", approved);
    for (word, names) in [
        ("new", &*delta.added),
        ("removed", &*delta.removed),
        ("removed benches", &*benches),
        approved,
    ] {
        if !names.is_empty() {
            let names = Line::joined(names.iter().map(name), ", ");
            lines.push(words!("{}: {}", word, names));
        }
    }
    let unchanged = delta.compared - delta.scenarios().len();
    if delta.compared == 0 {
        lines.push(words!("no scenario is on both sides"));
    } else if unchanged > 0 {
        lines.push(words!("{} unchanged", counted(unchanged, "scenario")));
    }
    for difference in &delta.dissimilarities {
        lines.push(words!("measured differently: {}", difference));
    }
    lines
}

#[cfg(test)]
mod tests;
