//! The lines behind a figure, in reports: an excerpt of the code for those that matter most,
//! and a table of all. Below a scenario that fails, and as a report of their own.

use std::cmp::{Ordering, Reverse};

use alloc_results::{Metric, Ratio, Unit};

use crate::diagnostic::Level;
use crate::figure::counted;
use crate::report::change::{difference, plain_figure};
use crate::report::document::{Block, Document, Excerpts, Foreign, Label, Line, place, words};
use crate::report::format::Contents;
use crate::report::json;
use crate::report::json::object::Object;
use crate::requirement::figure_words;
use crate::sites::{Explained, Found, Site, SiteChange, SiteDelta, Unexplained};
pub use folded::{Folded, folded};
use words::{
    STACKS, amount_words, change_words, notes, place_words, size_of_change, unexplained_words,
};

mod excerpts;
mod folded;
pub(super) mod shared;
mod stacks;
mod table;
mod words;

impl Contents for &[Explained] {
    /// The figures, each below the scenario that it is of.
    fn document(self, _is_page: bool) -> Document {
        let mut blocks = vec![Block::Page(vec![Block::Heading(
            2,
            words!("Lines that allocate"),
        )])];
        for (number, one) in self.iter().enumerate() {
            if number > 0 {
                blocks.push(Block::Space);
            }
            let figure = figure_words(&one.metric.into(), one.statistic);
            blocks.push(Block::Heading(3, words!("{}: {}", &one.label, figure)));
            blocks.extend(SitesText::new(one).blocks());
        }
        blocks
    }

    fn json(self) -> Object {
        json::explain::report(self)
    }
}

/// The lines of a table at most.
const MOST_LINES: usize = 10;

/// The lines of a table at least, with others than those that differ or were edited.
const FEW_LINES: usize = 3;

/// The excerpts at most. Without a base, a line has one if it has this part of the figure.
const MOST_EXCERPTS: u8 = 3;

/// The code of a failure with more than at the base.
const ALLOCATES_MORE: &str = "allocates-more";

/// What a report shows of one figure.
#[derive(Default)]
pub(super) struct SitesText {
    /// The title, such as `1 allocation and 12 bytes per iteration more than at main
    /// (4f8762a1c0)`, with a label if the figure breaks a limit.
    pub(super) excerpts: Excerpts,
    /// `words/n=100: `, the point of a sweep that the figures are of; empty if there is no other.
    pub(super) point: Line,
    /// The metrics of the table.
    pub(super) metrics: Vec<Metric>,
    pub(super) rows: Vec<Row>,
    /// The call stacks below the lines; empty unless they are asked for.
    pub(super) stacks: Vec<String>,
}

/// A row of the table.
#[derive(Default)]
pub(super) struct Row {
    /// For each metric, the figure and its difference.
    pub(super) figures: Vec<(String, String)>,
    /// What happened to the line; empty without a base.
    pub(super) change: &'static str,
    /// `src/text.rs:53:21`, or what the row is about.
    pub(super) place: Line,
    /// `Vec::with_capacity in little_endian`.
    pub(super) what: Line,
}

/// The lines behind a figure, with their figures of some metrics.
struct Lines<'e> {
    explained: &'e Explained,
    found: &'e Found,
    /// The one that the figure is of comes first.
    metrics: Vec<Metric>,
    /// The figures of all lines together.
    totals: Pairs,
    /// Those that have something of the metrics, in the order of the table.
    entries: Vec<Entry<'e>>,
}

/// A site with its figures: of the base, if there is one, and of the run.
struct Entry<'s> {
    change: Option<SiteChange>,
    site: &'s Site,
    before: Option<&'s Site>,
    figures: Pairs,
}

/// For each metric, the figure of the base and that of the run.
type Pairs = Vec<(Ratio, Ratio)>;

/// Whether there is a table of lines.
pub(super) fn has_lines(explained: &Explained) -> bool {
    Lines::new(explained).is_ok_and(|lines| !lines.entries.is_empty())
}

impl SitesText {
    pub(super) fn new(explained: &Explained) -> Self {
        let lines = match Lines::new(explained) {
            Ok(lines) => lines,
            Err(reason) => return Self::without_lines(reason),
        };
        let (base, head) = lines.totals[0];
        let grows = lines.base().is_some() && head > base;
        let code = if grows { ALLOCATES_MORE } else { "allocates" };
        let is_excerpt = |entry: &&Entry<'_>| {
            if grows {
                entry.growth() == Ordering::Greater
            } else {
                lines.is_large_part(entry)
            }
        };
        let chosen = lines.entries.iter().filter(is_excerpt);
        let chosen = chosen.map(|entry| (entry, entry.label(&lines.metrics)));
        Self {
            excerpts: Excerpts {
                label: explained.is_failure.then(|| Label::error(code)),
                title: lines.title(),
                list: lines.excerpts(chosen.collect()),
                notes: notes(explained, lines.found),
            },
            rows: lines.rows().into_iter().chain(lines.owner_rows()).collect(),
            stacks: lines.stacks(),
            metrics: lines.metrics,
            point: Line::default(),
        }
    }

    /// These lines of a scenario below a title. A sweep has the lines of one point.
    pub(super) fn below(mut self, title: &str, scenario: &str) -> Self {
        if title != scenario && !self.excerpts.list.is_empty() {
            self.point = words!("{}: ", scenario);
            self.excerpts.title = words!("{}{}", self.point.clone(), self.excerpts.title);
        }
        self
    }

    /// Whether the lines have more than at the base.
    pub(super) fn grows(&self) -> bool {
        self.excerpts.label == Some(Label::error(ALLOCATES_MORE))
    }

    /// The sentence for a figure whose lines are not known.
    fn without_lines(reason: &Unexplained) -> Self {
        let is_inexact = *reason == Unexplained::Inexact;
        let excerpts = Excerpts {
            label: is_inexact.then_some(Label {
                level: Level::Warn,
                code: Some("sites-inexact"),
            }),
            title: unexplained_words(reason),
            ..Excerpts::default()
        };
        Self {
            excerpts,
            ..Self::default()
        }
    }

    /// The title with the excerpts, the table, the call stacks and the notes.
    pub(super) fn blocks(&self) -> Document {
        let notes = self.excerpts.notes.iter();
        let notes = notes.map(|note| Block::Line(words!("note: {}", note.clone())));
        let mut blocks = vec![Block::Space, Block::Excerpts(self.excerpts.clone())];
        blocks.extend(table::table(&self.metrics, &self.rows));
        if !self.stacks.is_empty() {
            let title = words!("   {}:", STACKS);
            blocks.push(Block::Log(vec![Block::Space, title.into()]));
            let stacks = self.stacks.iter().map(Foreign::from);
            blocks.push(Block::Fold {
                title: STACKS.into(),
                is_open: false,
                blocks: vec![Block::Preformatted("text", stacks.collect())],
            });
        }
        blocks.extend([Block::Space, Block::Page(notes.collect())]);
        blocks
    }
}

impl Entry<'_> {
    /// How the figure differs from that of the base.
    fn growth(&self) -> Ordering {
        let (base, head) = self.figures[0];
        head.cmp(&base)
    }

    /// Whether the line differs from the base, or was edited.
    fn tells(&self) -> bool {
        let mut figures = self.figures.iter();
        let differs = figures.any(|(base, head)| base != head);
        self.change.map_or(self.site.is_edited, |_| differs)
    }

    /// The order in a table: what changed, by the size of the change, and then the others by
    /// their figures.
    fn rank(&self) -> [Ratio; 4] {
        let both = [
            &self.figures[0],
            self.figures.get(1).unwrap_or(&self.figures[0]),
        ];
        let change = |&(base, head): &(Ratio, Ratio)| match self.change {
            Some(_) => size_of_change(base, head).unwrap_or(head),
            None => Ratio::ZERO,
        };
        [change(both[0]), change(both[1]), both[0].1, both[1].1]
    }

    /// `added: 1 allocation, 12 bytes`, `edited: 1 allocation more`, `1 allocation, 52 bytes`.
    fn label(&self, metrics: &[Metric]) -> String {
        let each = metrics.iter().zip(&self.figures);
        let words = each.filter_map(|(&metric, &(base, head))| match self.change {
            None | Some(SiteChange::Added) => {
                (head != Ratio::whole(0)).then(|| amount_words(metric, head))
            }
            Some(_) => change_words(metric, base, head),
        });
        with_change(self.change, words)
    }
}

impl Row {
    fn new(site: &Site, change: Option<SiteChange>, figures: Vec<(String, String)>) -> Self {
        let (at, what) = place_words(site);
        Self {
            figures,
            change: match change {
                Some(change) => change.name(),
                None if site.is_added => SiteChange::Added.name(),
                None if site.is_edited => SiteChange::Edited.name(),
                None => "",
            },
            place: place(at).into(),
            what: what.into(),
        }
    }
}

/// The words behind what happened to a line, where they don't say it themselves.
fn with_change(change: Option<SiteChange>, words: impl Iterator<Item = String>) -> String {
    let words = words.collect::<Vec<_>>().join(", ");
    match change {
        Some(change) if words.is_empty() => change.to_string(),
        Some(change @ (SiteChange::Added | SiteChange::Edited | SiteChange::Moved)) => {
            format!("{change}: {words}")
        }
        Some(SiteChange::Same | SiteChange::Removed) | None => words,
    }
}

/// The metric, and the one that goes with it; and the `reallocs` among `allocs`.
pub(super) fn shown_metrics(metric: Metric) -> Vec<Metric> {
    let mut shown: Vec<Metric> = [metric].into_iter().chain(metric.companion()).collect();
    if shown.contains(&Metric::Allocs) {
        shown.push(Metric::Reallocs);
    }
    shown
}

impl<'e> Lines<'e> {
    fn new(explained: &'e Explained) -> Result<Self, &'e Unexplained> {
        Self::of(explained, shown_metrics(explained.metric))
    }

    fn of(explained: &'e Explained, metrics: Vec<Metric>) -> Result<Self, &'e Unexplained> {
        let found = explained.found.as_ref()?;
        let nothing = Ratio::whole(0);
        let (totals, mut entries): (Pairs, Vec<Entry<'e>>) = match found {
            Found::Sites { sites, .. } => {
                let entry = |site| Entry {
                    change: None,
                    site,
                    before: None,
                    figures: pairs(&metrics, |metric| (nothing, sites.figure(site, metric))),
                };
                let totals = pairs(&metrics, |metric| (nothing, sites.total(metric)));
                (totals, sites.list.iter().map(entry).collect())
            }
            Found::Compared { diff, .. } => {
                let entry = |&delta: &SiteDelta| {
                    let (before, now) = diff.sites(delta);
                    Some(Entry {
                        change: Some(delta.change),
                        site: now.or(before)?,
                        before,
                        figures: pairs(&metrics, |metric| diff.figures(delta, metric)),
                    })
                };
                let total = |metric| (diff.base.total(metric), diff.head.total(metric));
                (
                    pairs(&metrics, total),
                    diff.deltas.iter().filter_map(entry).collect(),
                )
            }
        };
        entries.retain(|entry| entry.figures.iter().any(|pair| *pair != (nothing, nothing)));
        // By rank; sites with the same one stay in the order of their places.
        entries.sort_by_cached_key(|entry| {
            let (site, is_alone) = (entry.site, entry.change.is_none());
            let edits = (is_alone && site.is_added, is_alone && site.is_edited);
            (Reverse(edits), entry.rank().map(Reverse))
        });
        Ok(Self {
            explained,
            found,
            metrics,
            totals,
            entries,
        })
    }

    /// The name of the base, if the lines are compared with one.
    fn base(&self) -> Option<&'e str> {
        match self.found {
            Found::Compared { base, .. } => Some(base),
            Found::Sites { .. } => None,
        }
    }

    /// Whether a line has a third of the figure or more. Others have a row
    /// in the table alone.
    fn is_large_part(&self, entry: &Entry<'_>) -> bool {
        let (figure, total) = (entry.figures[0].1, self.totals[0].1);
        let times = figure.checked_mul(Ratio::whole(MOST_EXCERPTS.into()));
        figure > Ratio::ZERO && times.is_none_or(|times| times >= total)
    }

    /// The rows of the table: the lines, what is left out, and the sum.
    fn rows(&self) -> Vec<Row> {
        if self.entries.is_empty() {
            return Vec::new();
        }
        let (shown, rest) = self.shown();
        let row = |pairs: &[(Ratio, Ratio)], words: Line| Row {
            figures: self.cells(pairs),
            place: words,
            ..Row::default()
        };
        let mut rows: Vec<Row> = shown
            .iter()
            .map(|entry| Row::new(entry.site, entry.change, self.cells(&entry.figures)))
            .collect();
        if !rest.is_empty() {
            let sum = |at: usize| {
                let pairs = rest.iter().map(|entry| entry.figures[at]);
                pairs.reduce(|one, other| {
                    let [base, head] = [(one.0, other.0), (one.1, other.1)]
                        .map(|(one, other)| together(one, other));
                    (base, head)
                })
            };
            let sums: Pairs = (0..self.metrics.len()).filter_map(sum).collect();
            rows.push(row(&sums, counted(rest.len(), "more line").into()));
        }
        rows.push(row(&self.totals, "sum".into()));
        rows
    }

    /// Figures, and their differences in brackets.
    fn cells(&self, pairs: &[(Ratio, Ratio)]) -> Vec<(String, String)> {
        let cell = |&(base, head): &(Ratio, Ratio)| {
            let differs = self.base().is_some() && base != head;
            let difference = differs.then(|| format!("({})", difference(Unit::Count, base, head)));
            let now = plain_figure(Unit::Count, head);
            (now, difference.unwrap_or_default())
        };
        pairs.iter().map(cell).collect()
    }

    /// The sites that the table shows, and the others.
    fn shown(&self) -> (&[Entry<'e>], &[Entry<'e>]) {
        let told = self.entries.iter().filter(|entry| entry.tells()).count();
        let most = match told {
            0 if self.found.sites().nearby.is_none() => MOST_LINES,
            told => told.clamp(FEW_LINES, MOST_LINES),
        };
        self.entries.split_at(match self.entries.len() {
            // A row that says `1 more line` would not be shorter.
            all if all <= most + 1 => all,
            _ => most,
        })
    }
}

/// The figures of each metric.
fn pairs(metrics: &[Metric], pair: impl Fn(Metric) -> (Ratio, Ratio)) -> Pairs {
    metrics.iter().map(|&metric| pair(metric)).collect()
}

/// The figure of two sites.
fn together(one: Ratio, other: Ratio) -> Ratio {
    one.checked_add(other).unwrap_or(one)
}

#[cfg(test)]
mod tests;
