//! The lines of which a report shows the code: what was edited first, or the edit elsewhere that
//! can be the reason.

use std::cmp::{Ordering, Reverse};

use alloc_results::{Metric, Ratio, Unit};
use indexmap::IndexMap;

use crate::figure::counted;
use crate::report::explain::{Entry, Lines, MOST_EXCERPTS, ZERO, change_words, together};
use crate::report::text::{Excerpt, Line, Style, figure, line, place, styled};
use crate::sites::{Amounts, Found, Nearby, Site, SiteChange, SiteDiff, SitePlace, Sites};

/// The functions behind a line at most.
const MOST_FUNCTIONS: usize = 3;

/// The metrics of a cause, whatever the figure is that failed.
const CAUSES: [Metric; 2] = [Metric::Allocs, Metric::Bytes];

impl Entry<'_> {
    /// Whether the line was edited, and has something of the figure.
    fn is_edited(&self) -> bool {
        self.site.is_edited && self.figures[0].1 > ZERO
    }

    /// The line with its code, below which the `label` stands. `sites` are those of the run, if the
    /// line is there, and `has_diff` says whether it is known which lines were edited.
    fn excerpt(&self, label: String, has_diff: bool, sites: &Sites) -> Option<Excerpt> {
        let line = self.site.place.line()?;
        let code = line.text.as_ref()?;
        let is_edited = self.change == Some(SiteChange::Edited);
        let before = self.before.filter(|_| is_edited);
        let before = before.and_then(|site| site.place.line()?.text.as_deref());
        let column = line.column.map(|column| match &*self.site.how {
            "?" => column_of_operator(code, column),
            _ => column,
        });
        Some(Excerpt {
            file: line.file.clone(),
            line: line.line,
            column,
            code: code.clone(),
            label,
            is_old: has_diff && !self.is_edited(),
            notes: notes([
                (
                    "before",
                    before.map(|text| styled(Style::Code, text.trim())),
                ),
                ("allocates in", with_others(&self.site.allocates_in)),
                ("called by", with_others(&self.site.called_by)),
                ("made by", made_by(self.site, sites)),
            ]),
        })
    }
}

fn notes<const N: usize>(notes: [(&'static str, Option<Line>); N]) -> Vec<(&'static str, Line)> {
    let notes = notes.into_iter();
    let notes = notes.filter_map(|(name, note)| Some((name, note?)));
    notes.collect()
}

/// An entry with the words below its line.
type Labelled<'e, 's> = (&'e Entry<'s>, String);

impl<'e> Lines<'e> {
    /// The excerpts of lines that are chosen. Where it is known which lines were edited, old ones
    /// are left out if there are edited ones; if not, an edit that can be the reason comes first.
    pub(super) fn excerpts(&self, is_chosen: impl Fn(&Entry<'e>) -> bool) -> Vec<Excerpt> {
        let since = self.found.since();
        let chosen = self.entries.iter().filter(|entry| is_chosen(entry));
        let chosen = chosen.map(|entry| (entry, entry.label(&self.metrics)));
        let (mut edited, others): (Vec<_>, Vec<_>) =
            chosen.partition(|(entry, _)| since.is_some() && entry.is_edited());
        if let Some(since) = since.filter(|_| self.base().is_none()) {
            edited = self.edited_since(since);
        }
        let reason = since.filter(|_| edited.is_empty());
        let reason = reason.and_then(|since| self.reason_elsewhere(since));
        // Where the reason is shown, one line is enough to see what it led to.
        let most_others = match (edited.is_empty(), &reason) {
            (false, _) => 0,
            (true, Some(_)) => 1,
            (true, None) => usize::MAX,
        };
        let lines = edited
            .into_iter()
            .chain(others.into_iter().take(most_others));
        let sites = self.found.sites();
        let lines = lines.filter_map(|(entry, label)| entry.excerpt(label, since.is_some(), sites));
        // One place is one excerpt: a macro makes several calls there.
        let mut list: Vec<Excerpt> = Vec::new();
        for excerpt in reason.into_iter().chain(lines) {
            let mut before = list.iter_mut();
            match before.find(|one| {
                (&one.file, one.line, one.column) == (&excerpt.file, excerpt.line, excerpt.column)
            }) {
                Some(one) => one.label.push_str(&format!("; {}", excerpt.label)),
                None => list.push(excerpt),
            }
        }
        list.truncate(MOST_EXCERPTS.into());
        list
    }

    /// All edited lines, new calls first. A call that was there before is less likely the reason,
    /// so it is left out unless it has more than each new one.
    fn edited_since(&self, since: &str) -> Vec<Labelled<'_, 'e>> {
        let figure = |entry: &Entry<'_>| entry.figures[0].1;
        let edited = self.entries.iter().filter(|entry| entry.is_edited());
        let mut edited: Vec<_> = edited
            .map(|entry| (entry, entry.label(&self.metrics)))
            .collect();
        edited.sort_by_key(|(entry, _)| !entry.site.is_added);
        let added = edited.iter().filter(|(entry, _)| entry.site.is_added);
        if let Some(most) = added.map(|(entry, _)| figure(entry)).max() {
            edited.retain(|(entry, _)| entry.site.is_added || figure(entry) > most);
        }
        // The line can have no more of the rise than it allocates.
        let (all, accepted) = (self.totals[0].1, self.explained.accepted(self.metrics[0]));
        if let [(entry, label)] = &mut edited[..]
            && !entry.site.is_added
            && accepted.is_some_and(|accepted| together(accepted, figure(entry)) >= all)
            && let Some(rise) = self.rise()
        {
            *label = rise;
        }
        for (entry, label) in &mut edited {
            *label = format!(
                "{} since {since}: {label}",
                entry.change().unwrap_or_default()
            );
        }
        edited
    }

    /// An edited line that has less than before, which the others make up for, or an edit in a
    /// function that calls them.
    fn reason_elsewhere(&self, since: &str) -> Option<Excerpt> {
        let diff = match self.found {
            Found::Sites { .. } => None,
            Found::Compared { diff, .. } => Some(diff),
        };
        if let Some(cause) = diff.and_then(|diff| cause(diff)) {
            return Some(cause);
        }
        let near = self.found.sites().nearby.as_ref()?;
        let vanished = diff.and_then(|diff| vanished(diff, near));
        let removed = near.removed.as_ref();
        let removed = removed.map(|text| styled(Style::Code, text));
        Some(Excerpt {
            file: near.line.file.clone(),
            line: near.line.line,
            code: near.line.text.clone()?,
            label: vanished.unwrap_or_else(|| self.passing(near, since)),
            notes: notes([("before", removed)]),
            ..Excerpt::default()
        })
    }

    /// `1 allocation more`: what the figure has more than at the base, or than in the baseline.
    fn rise(&self) -> Option<String> {
        let figures = self.metrics.iter().zip(&self.totals);
        let words = figures.filter_map(|(&metric, &(base, head))| {
            let before = match self.base() {
                Some(_) => base,
                None => self.explained.accepted(metric)?,
            };
            change_words(metric, before, head).filter(|_| head > before)
        });
        let words = words.collect::<Vec<_>>().join(", ");
        let of = self.base().map_or(" than in the baseline", |_| "");
        (!words.is_empty()).then(|| words + of)
    }

    /// `edited since main (4f8762a1c0): 1 allocation more`; `trim has 6 allocations` where nothing is
    /// known to compare with.
    fn passing(&self, near: &Nearby, since: &str) -> String {
        let begin = format!("{} since {since}", what(near));
        if let Some(rise) = self.rise() {
            return format!("{begin}: {rise}");
        }
        // A call to what allocates can have no line; then it is not among the amounts of its
        // function.
        match &*self.words(&near.amounts) {
            "" => begin,
            amounts => format!("{begin}: {} has {amounts}", near.line.function),
        }
    }
}

/// The edited line that has less than at the base, while others have more: a capacity that was
/// lost, for example.
fn cause(diff: &SiteDiff) -> Option<Excerpt> {
    let fewer = diff.deltas.iter().filter_map(|&delta| {
        let (before, site) = diff.sites(delta);
        let figures = CAUSES.map(|metric| diff.figures(delta, metric));
        let entry = Entry {
            change: Some(delta.change),
            site: site?,
            before,
            figures: figures.to_vec(),
        };
        let is_cause = delta.change == SiteChange::Edited
            && figures.iter().all(|(base, head)| head <= base)
            && figures.iter().any(|(base, head)| head < base);
        is_cause.then_some(entry)
    });
    let entry = fewer.max_by_key(Entry::rank)?;
    let excerpt = entry.excerpt(entry.label(&CAUSES), true, &diff.head)?;
    Some(Excerpt {
        is_old: false,
        ..excerpt
    })
}

fn what(near: &Nearby) -> &'static str {
    if near.is_removal {
        "lines after this one were removed"
    } else {
        "edited"
    }
}

/// `edited: 1 allocation fewer`: what a line of the base had that is not there any more.
fn vanished(diff: &SiteDiff, near: &Nearby) -> Option<String> {
    let gone = diff.deltas.iter().filter(|delta| {
        let line = delta.base.and_then(|at| diff.base.list[at].place.line());
        let is_here = line.is_some_and(|line| {
            let text = line.text.as_deref().map(str::trim);
            line.function.ends_with(&near.line.function) && text == near.removed.as_deref()
        });
        delta.change == SiteChange::Removed && is_here
    });
    let words = gone.flat_map(|&delta| {
        CAUSES.map(|metric| {
            let (base, head) = diff.figures(delta, metric);
            change_words(metric, base, head)
        })
    });
    let words = words.flatten().collect::<Vec<_>>().join(", ");
    (!words.is_empty()).then(|| format!("{}: {words}", what(near)))
}

/// The column of the `?` behind an expression that begins at a column.
fn column_of_operator(code: &str, column: u32) -> u32 {
    let begin = usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX);
    let found = code.get(begin..).and_then(|rest| rest.find('?'));
    let behind = found.and_then(|at| u32::try_from(at).ok());
    behind.map_or(column, |behind| column + behind)
}

/// The first of some places, and how many others there are: `encode, src/text.rs:40:9, and 2
/// other lines`.
fn with_others(places: &IndexMap<SitePlace, i128>) -> Option<Line> {
    let (first, _) = places.first()?;
    let mut line = line![first.function().unwrap_or_default()];
    if let Some(at) = first.line() {
        line.push(line![", ", place(at.location())]);
    }
    if let more @ 1.. = places.len() - 1 {
        line.push(format!(", and {}", counted(more, "other line")));
    }
    Some(line)
}

/// `100 x to_owned, 11 B each; 6 x Vec::from_iter, 96 to 3,072 B`: the calls and the sizes of each
/// function behind a line of the run, if there are several.
fn made_by(site: &Site, sites: &Sites) -> Option<Line> {
    if !sites.list.iter().any(|one| std::ptr::eq(one, site)) {
        return None;
    }
    let calls = |amounts: &Amounts| sites.figure_of(amounts, Metric::Allocs);
    let all = site.made_by.iter();
    let all = all.filter(|(_, amounts)| amounts.largest > 0);
    let mut all: Vec<(&str, Amounts)> = all.map(|(name, it)| (&**name, *it)).collect();
    if all.len() < 2 {
        return None;
    }
    all.sort_by_cached_key(|&(name, amounts)| (Reverse(calls(&amounts)), name));
    let rest = all.split_off(all.len().min(MOST_FUNCTIONS));
    if !rest.is_empty() {
        all.push(("others", rest.iter().map(|(_, amounts)| *amounts).sum()));
    }
    let count = |value: Ratio| figure(Unit::Count, value);
    let parts = all.into_iter().map(|(name, amounts)| {
        let calls = calls(&amounts);
        let [least, most] =
            [amounts.smallest, amounts.largest].map(|size| count(Ratio::whole(size.into())));
        let sizes = match (least.cmp(&most), calls == Ratio::whole(1)) {
            (Ordering::Equal, true) => format!("{most} B"),
            (Ordering::Equal, false) => format!("{most} B each"),
            _ => format!("{least} to {most} B"),
        };
        format!("{} x {name}, {sizes}", count(calls))
    });
    Some(parts.collect::<Vec<_>>().join("; ").into())
}
