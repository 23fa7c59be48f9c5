//! The lines behind a figure, in reports: an excerpt of the code for those that matter most,
//! and a table of all. Below a scenario that fails, and as a report of their own.

use std::cmp::Ordering;
use std::io::{self, Write};

use alloc_results::{Metric, Ratio, Unit};

use crate::evaluation::Level;
use crate::figure::{Exact, counted};
use crate::report::change::{difference, plain_figure};
use crate::report::format::formats;
use crate::sites::{Explained, Found, Line, Site, SiteChange, Unexplained};
use words::{amount_words, change_words, notes, place_words, title, unexplained_words};

pub(super) mod json;
mod markdown;
pub(super) mod shared;
mod stacks;
mod terminal;
mod words;

formats! {
    /// The formats of [`Explained`] figures.
    SitesFormat for<'d> &'d [Explained]:
    Terminal("terminal", "For people at a terminal and for logs") = terminal,
    Markdown("markdown", "For step summaries and comments") = markdown,
    Json("json", "For programs") = json::write,
}

/// The lines of a table at most.
const MOST_LINES: usize = 10;

/// The excerpts at most. Without a base, a line has one if it has this part of the figure.
const MOST_EXCERPTS: u8 = 3;

/// The code of a failure with more than at the base.
const ALLOCATES_MORE: &str = "allocates-more";

/// What a report shows of one figure.
pub(super) struct SitesText {
    /// The level and the code of the title; none for a figure that breaks no limit.
    pub(super) level: Option<(Level, &'static str)>,
    /// `1 allocation and 12 bytes per iteration more than at main (4f8762a1c0)`.
    pub(super) title: String,
    pub(super) excerpts: Vec<Excerpt>,
    /// The metrics of the table.
    pub(super) metrics: Vec<Metric>,
    pub(super) rows: Vec<Row>,
    /// The call stacks below the lines, as printable lines; empty unless they are asked for.
    pub(super) stacks: Vec<String>,
    /// What else a reader has to know.
    pub(super) notes: Vec<String>,
}

/// A line of code, to be shown with its text.
pub(super) struct Excerpt {
    pub(super) line: Line,
    /// `added: 1 allocation, 12 bytes`.
    pub(super) label: String,
    /// The text before an edit.
    pub(super) before: Option<String>,
    /// `encode_into, src/write_message.rs:98:16`.
    pub(super) called_by: Option<String>,
}

/// A row of the table.
pub(super) struct Row {
    /// For each metric, the figure and its difference.
    pub(super) figures: Vec<(String, String)>,
    /// What happened to the line; empty without a base.
    pub(super) change: &'static str,
    /// `src/text.rs:53:21`.
    pub(super) place: String,
    /// `Vec::with_capacity in little_endian`.
    pub(super) what: String,
}

/// A site with its figures: of the base, if there is one, and of the run.
struct Entry<'s> {
    change: Option<SiteChange>,
    site: &'s Site,
    before: Option<&'s Site>,
    figures: Vec<(Ratio, Ratio)>,
}

/// Writes the figures for a terminal or a log.
///
/// # Errors
///
/// When `out` can't be written.
pub fn terminal(explained: &[Explained], out: &mut dyn Write) -> io::Result<()> {
    for (number, one) in explained.iter().enumerate() {
        let space = if number == 0 { "" } else { "\n" };
        terminal::heading(space, one, out)?;
        SitesText::new(one).terminal(out)?;
    }
    Ok(())
}

/// Writes the figures as markdown.
///
/// # Errors
///
/// When `out` can't be written.
pub fn markdown(explained: &[Explained], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## Lines that allocate")?;
    for one in explained {
        markdown::heading(one, out)?;
        SitesText::new(one).markdown(out)?;
    }
    Ok(())
}

/// Whether there is a table of lines.
pub(super) fn has_lines(explained: &Explained) -> bool {
    !entries(explained, &shown_metrics(explained.metric)).is_empty()
}

impl SitesText {
    pub(super) fn new(explained: &Explained) -> Self {
        let metrics = shown_metrics(explained.metric);
        let found = match &explained.found {
            Ok(found) => found,
            Err(reason) => return Self::without_lines(reason),
        };
        let entries = entries(explained, &metrics);
        let totals: Vec<(Ratio, Ratio)> = metrics
            .iter()
            .map(|&metric| totals(found, metric))
            .collect();
        let grows = matches!(found, Found::Compared { .. }) && totals[0].1 > totals[0].0;
        let level = match (explained.is_failure, grows) {
            (false, _) => None,
            (true, true) => Some((Level::Deny, ALLOCATES_MORE)),
            (true, false) => Some((Level::Deny, "allocates")),
        };
        let is_excerpt = |entry: &&Entry<'_>| match grows {
            true => entry.growth() == Ordering::Greater,
            false => entry.is_large_part(totals[0].1),
        };
        let excerpts = entries.iter().filter(is_excerpt);
        let excerpts = excerpts.filter_map(|entry| entry.excerpt(&metrics));
        let excerpts = excerpts.take(MOST_EXCERPTS.into()).collect();
        Self {
            level,
            title: title(explained, found, &metrics, &totals),
            excerpts,
            rows: rows(&entries, &totals),
            stacks: stacks::lines(explained, &entries, &metrics),
            metrics,
            notes: notes(explained, found),
        }
    }

    /// Whether the lines have more than at the base.
    pub(super) fn grows(&self) -> bool {
        matches!(self.level, Some((_, ALLOCATES_MORE)))
    }

    /// The sentence for a figure whose lines are not known.
    fn without_lines(reason: &Unexplained) -> Self {
        let (level, title) = unexplained_words(reason);
        Self {
            level,
            title,
            excerpts: Vec::new(),
            metrics: Vec::new(),
            rows: Vec::new(),
            stacks: Vec::new(),
            notes: Vec::new(),
        }
    }
}

impl Entry<'_> {
    /// How the figure differs from that of the base.
    fn growth(&self) -> Ordering {
        let (base, head) = self.figures[0];
        head.cmp(&base)
    }

    /// Whether the line has a third of the figure or more. Others have a row in the table alone.
    fn is_large_part(&self, total: Ratio) -> bool {
        let figure = Exact::from(self.figures[0].1);
        let most = Exact::from(Ratio::whole(MOST_EXCERPTS.into()));
        self.figures[0].1 > Ratio::whole(0) && &figure * &most >= total.into()
    }

    fn is_shown(&self) -> bool {
        let zero = Ratio::whole(0);
        self.figures.iter().any(|pair| *pair != (zero, zero))
    }

    /// The order in a table: what changed, by the size of the change, and then the others by
    /// their figures.
    fn rank(&self) -> [Exact; 4] {
        let both = self.figures.iter().chain(&self.figures[..1]).take(2);
        let both: Vec<(Exact, Exact)> = both
            .map(|&(base, head)| (base.into(), head.into()))
            .collect();
        let change = |at: usize| match self.change {
            Some(_) => (&both[at].1 - &both[at].0).abs(),
            None => Ratio::whole(0).into(),
        };
        [change(0), change(1), both[0].1.clone(), both[1].1.clone()]
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
        let words = words.collect::<Vec<_>>().join(", ");
        match self.change {
            Some(change @ (SiteChange::Added | SiteChange::Edited | SiteChange::Moved)) => {
                format!("{change}: {words}")
            }
            Some(SiteChange::Same | SiteChange::Removed) | None => words,
        }
    }

    fn excerpt(&self, metrics: &[Metric]) -> Option<Excerpt> {
        let line = self.site.place.line()?;
        line.text.as_ref()?;
        let is_edited = self.change == Some(SiteChange::Edited);
        let before = self.before.filter(|_| is_edited);
        let before = before.and_then(|site| site.place.line()?.text.as_deref());
        let before = before.map(|text| text.trim().to_owned());
        let called_by = self.site.called_by.first().map(|caller| {
            let line = caller.line();
            let location = line.map_or(String::new(), |line| format!(", {}", line.location()));
            let others = match self.site.called_by.len() - 1 {
                0 => String::new(),
                others => format!(", and {}", counted(others, "other line")),
            };
            format!(
                "{}{location}{others}",
                caller.function().unwrap_or_default()
            )
        });
        Some(Excerpt {
            line: line.clone(),
            label: self.label(metrics),
            before,
            called_by,
        })
    }

    fn row(&self) -> Row {
        let figures = self.figures.iter();
        let (place, what) = place_words(self.site);
        Row {
            figures: figures
                .map(|&pair| cell(pair, self.change.is_some()))
                .collect(),
            change: self.change.map_or("", SiteChange::name),
            place,
            what,
        }
    }
}

/// The metric, and the one that goes with it.
fn shown_metrics(metric: Metric) -> Vec<Metric> {
    [metric].into_iter().chain(metric.companion()).collect()
}

/// The sites that have something of the metrics, in the order of the table.
fn entries<'e>(explained: &'e Explained, metrics: &[Metric]) -> Vec<Entry<'e>> {
    let mut entries: Vec<Entry<'_>> = match &explained.found {
        Err(_) => Vec::new(),
        Ok(Found::Sites { sites, .. }) => {
            let figures = |site: &Site| {
                let figures = metrics.iter().map(|&metric| sites.figure(site, metric));
                figures.map(|figure| (Ratio::whole(0), figure)).collect()
            };
            let list = sites.list.iter().map(|site| Entry {
                change: None,
                site,
                before: None,
                figures: figures(site),
            });
            list.collect()
        }
        Ok(Found::Compared { diff, .. }) => {
            let deltas = diff.deltas.iter().filter_map(|&delta| {
                let (base, head) = diff.sites(delta);
                let figures = metrics.iter().map(|&metric| diff.figures(delta, metric));
                Some(Entry {
                    change: Some(delta.change),
                    site: head.or(base)?,
                    before: base,
                    figures: figures.collect(),
                })
            });
            deltas.collect()
        }
    };
    entries.retain(Entry::is_shown);
    // By rank; sites with the same one stay in the order of their places.
    entries.sort_by_cached_key(|entry| entry.rank().map(|exact| -&exact));
    entries
}

/// The rows of the table: those of the lines, of what is left out, and of the sum.
fn rows(entries: &[Entry<'_>], totals: &[(Ratio, Ratio)]) -> Vec<Row> {
    if entries.is_empty() {
        return Vec::new();
    }
    let is_compared = entries.iter().any(|entry| entry.change.is_some());
    let (shown, rest) = shown(entries);
    let row = |pairs: &[(Ratio, Ratio)], place: String| Row {
        figures: pairs.iter().map(|&pair| cell(pair, is_compared)).collect(),
        change: "",
        place,
        what: String::new(),
    };
    let mut rows: Vec<Row> = shown.iter().map(Entry::row).collect();
    if !rest.is_empty() {
        let sum = |at: usize| {
            let pairs = rest.iter().map(|entry| entry.figures[at]);
            pairs.reduce(|one, other| (plus(one.0, other.0), plus(one.1, other.1)))
        };
        let sums: Vec<_> = (0..totals.len()).filter_map(sum).collect();
        rows.push(row(&sums, counted(rest.len(), "more line")));
    }
    rows.push(row(totals, String::from("sum")));
    rows
}

/// The sites that the table shows, and the others.
fn shown<'e, 's>(entries: &'e [Entry<'s>]) -> (&'e [Entry<'s>], &'e [Entry<'s>]) {
    entries.split_at(match entries.len() {
        // A row that says `1 more line` would not be shorter.
        all if all <= MOST_LINES + 1 => all,
        _ => MOST_LINES,
    })
}

fn plus(one: Ratio, other: Ratio) -> Ratio {
    let sum = &Exact::from(one) + &other.into();
    sum.rounded().unwrap_or(one)
}

/// A figure, and its difference in brackets.
fn cell((base, head): (Ratio, Ratio), is_compared: bool) -> (String, String) {
    let difference = match is_compared && base != head {
        true => format!("({})", difference(Unit::Count, base, head)),
        false => String::new(),
    };
    (plain_figure(Unit::Count, head), difference)
}

/// The figures of the base and of the run.
fn totals(found: &Found, metric: Metric) -> (Ratio, Ratio) {
    match found {
        Found::Sites { sites, .. } => (Ratio::whole(0), sites.total(metric)),
        Found::Compared { diff, .. } => (diff.base.total(metric), diff.head.total(metric)),
    }
}

#[cfg(test)]
mod tests;
