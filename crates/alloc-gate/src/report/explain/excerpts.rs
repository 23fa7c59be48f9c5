//! The lines of which a report shows the code.

use std::cmp::{Ordering, Reverse};

use alloc_results::{Metric, Ratio, Unit};
use indexmap::IndexMap;

use crate::figure::counted;
use crate::report::change::plain_figure;
use crate::report::document::{Excerpt, Foreign, Line, place, words};
use crate::report::explain::words::{amount_words, change_words};
use crate::report::explain::{Entry, Lines, MOST_EXCERPTS, together};
use crate::sites::{
    Amounts, Explained, Found, Nearby, Site, SiteChange, SiteDiff, SitePlace, Sites,
};

/// The functions behind a line at most.
const MOST_FUNCTIONS: usize = 3;

/// The metrics of a cause, whatever the figure is that failed.
const CAUSES: [Metric; 2] = [Metric::Allocs, Metric::Bytes];

impl Entry<'_> {
    /// Whether the line was edited, and has something of the figure.
    pub(super) fn is_edited(&self) -> bool {
        self.site.is_edited && self.figures[0].1 > Ratio::whole(0)
    }

    /// The line with its code, below which the `label` stands. `has_diff` says whether it is known
    /// which lines were edited.
    fn excerpt(&self, label: String, has_diff: bool, explained: &Explained) -> Option<Excerpt> {
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
            file: line.file.clone().into(),
            line: line.line,
            column,
            code: code.clone().into(),
            label: label.into(),
            is_old: has_diff && !self.is_edited(),
            before: before.map(|text| text.trim().into()),
            allocates_in: with_others(&self.site.allocates_in),
            called_by: with_others(&self.site.called_by),
            made_by: made_by(self.site, explained),
        })
    }
}

/// An entry with the words below its line.
type Labelled<'e, 's> = (&'e Entry<'s>, String);

impl<'e> Lines<'e> {
    /// The excerpts of lines that were chosen. Where it is known which lines were edited, old ones
    /// are left out if there are edited ones; if not, an edit that can be the reason comes first.
    pub(super) fn excerpts(&self, chosen: Vec<Labelled<'_, 'e>>) -> Vec<Excerpt> {
        let since = self.found.since();
        let (edited, others): (Vec<_>, Vec<_>) = chosen
            .into_iter()
            .partition(|(entry, _)| since.is_some() && entry.is_edited());
        let edited = match since.filter(|_| self.base().is_none()) {
            Some(since) => self.edited_since(since, edited),
            None => edited,
        };
        let reason = since.filter(|_| edited.is_empty());
        let reason = reason.and_then(|since| self.reason_elsewhere(since));
        // Where the reason is shown, one line is enough to see what it led to.
        let most_others = match (edited.is_empty(), &reason) {
            (false, _) => 0,
            (true, Some(_)) => 1,
            (true, None) => usize::MAX,
        };
        let others = others.into_iter().take(most_others);
        let lines = edited.into_iter().chain(others);
        let lines = lines
            .filter_map(|(entry, label)| entry.excerpt(label, since.is_some(), self.explained));
        let mut list = of_places(reason.into_iter().chain(lines));
        list.truncate(MOST_EXCERPTS.into());
        list
    }

    /// All edited lines, new calls first. A call that was there before is less likely the reason,
    /// so it is left out unless it has more than each new one.
    fn edited_since<'l>(
        &'l self,
        since: &str,
        mut edited: Vec<Labelled<'l, 'e>>,
    ) -> Vec<Labelled<'l, 'e>> {
        let is_chosen =
            |entry: &Entry<'_>| edited.iter().any(|(one, _)| one.call() == entry.call());
        let others = self.entries.iter();
        let others = others.filter(|entry| entry.is_edited() && !is_chosen(entry));
        let others: Vec<_> = others
            .map(|entry| (entry, entry.label(&self.metrics)))
            .collect();
        edited.extend(others);
        edited.sort_by_key(|(entry, _)| !entry.site.is_added);
        let figure = |entry: &Entry<'_>| entry.figures[0].1;
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
            let what = if entry.site.is_added {
                "added"
            } else {
                "edited"
            };
            *label = format!("{what} since {since}: {label}");
        }
        edited
    }

    /// The place of an edit that can be the reason, if no edited line has more.
    pub(super) fn place_of_reason(&self) -> Option<String> {
        let since = self.found.since()?;
        let has_more = |entry: &Entry<'_>| {
            entry.is_edited() && (self.base().is_none() || entry.growth() == Ordering::Greater)
        };
        if self.entries.iter().any(has_more) {
            return None;
        }
        Some(self.reason_elsewhere(since)?.place())
    }

    /// An edited line that has less than before, which the others make up for, or an edit in a
    /// function that calls them.
    fn reason_elsewhere(&self, since: &str) -> Option<Excerpt> {
        let diff = match self.found {
            Found::Sites { .. } => None,
            Found::Compared { diff, .. } => Some(diff),
        };
        if let Some(cause) = diff.and_then(|diff| cause(diff, self.explained)) {
            return Some(cause);
        }
        let near = self.found.sites().nearby.as_ref()?;
        let vanished = diff.and_then(|diff| vanished(diff, near));
        near.excerpt(vanished.unwrap_or_else(|| self.passing(near, since)))
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
        if let Some(rise) = self.rise() {
            return format!("{} since {since}: {rise}", near.what());
        }
        let sites = self.found.sites();
        let amounts = self.metrics.iter().filter_map(|&metric| {
            let figure = sites.figure_of(&near.amounts, metric);
            (figure != Ratio::whole(0)).then(|| amount_words(metric, figure))
        });
        let amounts: Vec<String> = amounts.collect();
        let (what, function) = (near.what(), &near.line.function);
        // A call to what allocates can have no line; then it is not among the amounts of its
        // function.
        let has = (!amounts.is_empty()).then(|| format!(": {function} has {}", amounts.join(", ")));
        format!("{what} since {since}{}", has.unwrap_or_default())
    }
}

/// The excerpts of one place as one: a macro makes several calls there.
fn of_places(list: impl IntoIterator<Item = Excerpt>) -> Vec<Excerpt> {
    let mut places: Vec<Excerpt> = Vec::new();
    for excerpt in list {
        let is_here = |one: &&mut Excerpt| {
            (&one.file, one.line, one.column) == (&excerpt.file, excerpt.line, excerpt.column)
        };
        match places.iter_mut().find(is_here) {
            Some(one) => one.label = words!("{}; {}", one.label.clone(), excerpt.label),
            None => places.push(excerpt),
        }
    }
    places
}

/// The edited line that has less than at the base, while others have more: a capacity that was
/// lost, for example.
fn cause(diff: &SiteDiff, explained: &Explained) -> Option<Excerpt> {
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
    let entry = fewer.max_by_key(|entry| entry.rank())?;
    let mut excerpt = entry.excerpt(entry.label(&CAUSES), true, explained)?;
    excerpt.is_old = false;
    Some(excerpt)
}

impl Nearby {
    fn excerpt(&self, label: String) -> Option<Excerpt> {
        Some(Excerpt {
            file: self.line.file.clone().into(),
            line: self.line.line,
            code: self.line.text.clone()?.into(),
            label: label.into(),
            before: self.removed.clone().map(Foreign::from),
            ..Excerpt::default()
        })
    }

    pub(super) fn what(&self) -> &'static str {
        if self.is_removal {
            "lines after this one were removed"
        } else {
            "edited"
        }
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
    let words: Vec<String> = gone
        .flat_map(|&delta| {
            CAUSES.map(|metric| {
                let (base, head) = diff.figures(delta, metric);
                change_words(metric, base, head)
            })
        })
        .flatten()
        .collect();
    (!words.is_empty()).then(|| format!("{}: {}", near.what(), words.join(", ")))
}

/// The column of the `?` behind an expression that begins at a column.
fn column_of_operator(code: &str, column: u32) -> u32 {
    let begin = usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX);
    let found = code.get(begin..).and_then(|rest| rest.find('?'));
    let behind = found.and_then(|at| u32::try_from(at).ok());
    behind.map_or(column, |behind| column + behind)
}

/// The first of some places, and how many others there are.
fn with_others(places: &IndexMap<SitePlace, i128>) -> Option<Line> {
    let (first, _) = places.first()?;
    let others = match places.len() {
        1 => None,
        all => Some(format!(", and {}", counted(all - 1, "other line"))),
    };
    let line = first.line();
    Some(words!(
        "{}{}{}",
        first.function().unwrap_or_default(),
        line.map(|line| words!(", {}", place(line.location()))),
        others
    ))
}

/// The sites of the run, if this is one of them.
fn sites_of<'e>(site: &Site, explained: &'e Explained) -> Option<&'e Sites> {
    let sites = explained.found.as_ref().ok()?.sites();
    let mut list = sites.list.iter();
    list.any(|one| std::ptr::eq(one, site)).then_some(sites)
}

fn count(figure: Ratio) -> String {
    plain_figure(Unit::Count, figure)
}

/// `100 x to_owned, 11 B each; 6 x Vec::from_iter, 96 to 3,072 B`: the calls and the sizes of each
/// function behind a line, if there are several.
fn made_by(site: &Site, explained: &Explained) -> Option<Line> {
    let sites = sites_of(site, explained)?;
    let calls = |amounts: &Amounts| sites.figure_of(amounts, Metric::Allocs);
    let all = site
        .made_by
        .iter()
        .filter(|(_, amounts)| amounts.largest > 0);
    let mut all: Vec<(&String, &Amounts)> = all.collect();
    if all.len() < 2 {
        return None;
    }
    all.sort_by_cached_key(|&(name, amounts)| (Reverse(calls(amounts)), name));
    let (shown, rest) = all.split_at(all.len().min(MOST_FUNCTIONS));
    let parts = shown
        .iter()
        .map(|(name, amounts)| (name.as_str(), **amounts));
    let mut parts: Vec<(&str, Amounts)> = parts.collect();
    if !rest.is_empty() {
        parts.push(("others", rest.iter().map(|(_, amounts)| **amounts).sum()));
    }
    let parts = parts.into_iter().map(|(name, amounts)| {
        let calls = calls(&amounts);
        format!("{} x {name}, {}", count(calls), sizes(calls, amounts))
    });
    Some(parts.collect::<Vec<_>>().join("; ").into())
}

/// `11 B each`, `64 to 2,048 B`.
fn sizes(
    calls: Ratio,
    Amounts {
        smallest, largest, ..
    }: Amounts,
) -> String {
    let [least, most] = [smallest, largest].map(|size| count(Ratio::whole(size.into())));
    match (smallest == largest, calls == Ratio::whole(1)) {
        (true, true) => format!("{most} B"),
        (true, false) => format!("{most} B each"),
        (false, _) => format!("{least} to {most} B"),
    }
}
