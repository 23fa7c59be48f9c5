//! [`shared`]: the failures that the same lines explain, so that these lines are shown once.

use std::collections::BTreeSet;

use alloc_results::{Metric, Ratio, Unit};
use indexmap::IndexSet;

use crate::figure::counted;
use crate::report::change::plain_figure;
use crate::report::document::{self, Excerpts, Label, place, words};
use crate::report::explain::words::{amount_words, notes, place_words};
use crate::report::explain::{
    ALLOCATES_MORE, Entry, Lines, MOST_LINES, Pairs, Row, SitesText, together, with_change,
};
use crate::results::grouped;
use crate::sites::{Explained, SiteChange, SitePlace};

/// Why a failure is put down to some of its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Basis {
    /// The base has less there, or more.
    Changed,
    /// They were edited.
    Edited,
    /// They differ, or are the largest, where another line was edited.
    Elsewhere,
    /// Each alone has exactly what the figure has more than the baseline.
    Increase,
    /// They have the largest parts of the figure.
    Large,
}

/// A line, and what it calls.
pub(super) type Call<'e> = (&'e SitePlace, &'e str);

/// A failure with the lines that explain it.
struct Member<'e> {
    lines: Lines<'e>,
    basis: Basis,
    calls: BTreeSet<Call<'e>>,
    /// The place of the edit, if it is elsewhere.
    reason: Option<String>,
}

/// Groups figures by the lines that explain them. The groups are in the order of their first figures, each with the lines of the first
/// one; a figure that shares its lines with no other, or has none, is in no group.
pub(in crate::report) fn shared<'e>(
    all: impl Iterator<Item = &'e Explained>,
) -> Vec<(Vec<&'e Explained>, SitesText)> {
    let members = all.filter_map(member);
    let mut members: Vec<(usize, Member<'e>)> = members.enumerate().collect();
    // A figure of which two lines could be the increase joins one of which it is only one.
    members.sort_by_key(|(number, member)| (member.calls.len(), *number));
    let mut groups = grouped(members, |group, (_, member)| group[0].1.explains(member));
    groups.retain(|group| group.len() > 1);
    groups.sort_by_key(|group| group.iter().map(|(number, _)| *number).min());
    let groups = groups.into_iter().map(|group| {
        let group: Vec<Member<'e>> = group.into_iter().map(|(_, member)| member).collect();
        let explained = group.iter().map(|member| member.lines.explained);
        (explained.collect(), text(&group))
    });
    groups.collect()
}

/// The lines that explain a figure: those that changed, or without a base those that have just
/// the increase, or else the largest parts.
fn member(explained: &Explained) -> Option<Member<'_>> {
    let lines = Lines::new(explained).ok()?;
    let is_compared = lines.base().is_some();
    let calls = |is_one: &dyn Fn(&Entry<'_>) -> bool| -> BTreeSet<Call<'_>> {
        let chosen = lines.entries.iter().filter(|entry| is_one(entry));
        chosen.map(Entry::call).collect()
    };
    let mut basis = Basis::Changed;
    let mut chosen = calls(&|entry| {
        let mut figures = entry.figures.iter();
        is_compared && figures.any(|(base, head)| base != head)
    });
    if chosen.is_empty() && !is_compared {
        basis = Basis::Edited;
        chosen = calls(&|entry| entry.is_edited());
    }
    if chosen.is_empty() && !is_compared {
        let totals = lines.metrics.iter().zip(&lines.totals);
        let increases =
            totals.map(|(&metric, &(_, total))| total.checked_sub(explained.accepted(metric)?));
        let increases: Option<Vec<Ratio>> = increases.collect();
        basis = Basis::Increase;
        chosen = calls(&|entry| {
            let heads = entry.figures.iter().map(|(_, head)| *head);
            entry.figures[0].1 > Ratio::whole(0) && Some(heads.collect()) == increases
        });
    }
    if chosen.is_empty() {
        basis = Basis::Large;
        chosen = calls(&|entry| lines.is_large_part(entry));
    }
    let reason = lines.place_of_reason();
    if reason.is_some() {
        basis = Basis::Elsewhere;
    }
    (!chosen.is_empty()).then_some(Member {
        calls: chosen,
        lines,
        basis,
        reason,
    })
}

impl<'e> Entry<'e> {
    pub(super) fn call(&self) -> Call<'e> {
        (&self.site.place, &self.site.how)
    }
}

impl<'e> Member<'e> {
    /// Whether the lines of this figure explain another one, too.
    fn explains(&self, other: &Self) -> bool {
        let [ours, theirs] = [self, other].map(|one| BTreeSet::from_iter(&one.lines.metrics));
        let is_explained = match self.basis {
            Basis::Increase => self.calls.is_subset(&other.calls),
            Basis::Changed | Basis::Edited | Basis::Large => self.calls == other.calls,
            Basis::Elsewhere => self.reason == other.reason,
        };
        ours == theirs
            && self.basis == other.basis
            && is_explained
            && self.lines.base() == other.lines.base()
    }
}

/// The lines once, with the range of their figures.
fn text(members: &[Member<'_>]) -> SitesText {
    let Member {
        lines: ref first,
        basis,
        ref calls,
        ..
    } = members[0];
    // The figures of all scenarios are about the same metrics.
    let metrics = &first.metrics;
    let scenarios = members.iter().map(|member| member.lines.explained);
    let scenarios = scenarios.filter_map(|one| Lines::of(one, metrics.clone()).ok());
    let scenarios: Vec<Vec<Entry<'_>>> = scenarios.map(|lines| lines.entries).collect();
    let lines = first.entries.iter();
    let lines = lines.filter(|entry| calls.contains(&entry.call()));
    let lines: Vec<Line<'_, '_>> = lines.map(|entry| Line::new(entry, &scenarios)).collect();
    // Of lines that changed, the code is shown of those that have more than before.
    let shown = lines.iter().filter(|line| {
        let mut figures = line.entry.figures.iter();
        first.base().is_none() || figures.any(|(base, head)| head > base)
    });
    let chosen = shown.map(|line| (line.entry, line.label(metrics)));
    let mut excerpts = first.excerpts(chosen.collect());
    // Their numbers are those of one scenario.
    for excerpt in &mut excerpts {
        excerpt.made_by = None;
    }
    if let (Basis::Elsewhere, Some(since), [reason, ..]) =
        (basis, first.found.since(), &mut excerpts[..])
    {
        let near = first.found.sites().nearby.as_ref();
        let near = near.filter(|near| near.line.line == reason.line);
        let what = near.map_or("edited", |near| near.what());
        reason.label = words!("{} since {}", what, since);
    }
    let rows = if excerpts.len() == lines.len() && basis != Basis::Elsewhere {
        Vec::new()
    } else {
        lines.iter().take(MOST_LINES).map(Line::row).collect()
    };
    let mut all: IndexSet<document::Line> = IndexSet::new();
    if lines.len() > MOST_LINES && !rows.is_empty() {
        let more = counted(lines.len() - MOST_LINES, "more line");
        all.insert(words!("and {}", more));
    }
    all.extend(rest(&members[0], &scenarios));
    let all_lines = members.iter().map(|member| &member.lines);
    all.extend(all_lines.flat_map(|lines| notes(lines.explained, lines.found)));
    let is_compared = matches!(basis, Basis::Changed | Basis::Elsewhere);
    let code = if is_compared && first.base().is_some() {
        ALLOCATES_MORE
    } else {
        "allocates"
    };
    SitesText {
        excerpts: Excerpts {
            label: Some(Label::error(code)),
            title: title(members, lines.len()),
            list: excerpts,
            notes: all.into_iter().collect(),
        },
        metrics: metrics.clone(),
        rows,
        ..SitesText::default()
    }
}

/// `6 scenarios allocate more than at main (4f8762a1c0), in the same line`.
fn title(members: &[Member<'_>], lines: usize) -> document::Line {
    let scenarios = counted(members.len(), "scenario");
    let the_same = match lines {
        1 => String::from("the same line"),
        lines => format!("the same {}", counted(lines, "line")),
    };
    let the_same_edited = the_same.replace("the same ", "the same edited ");
    match (members[0].basis, members[0].lines.base()) {
        (Basis::Changed, Some(base)) => {
            words!("{} differ from {} in {}", scenarios, base, the_same)
        }
        (Basis::Increase, _) => {
            words!(
                "{} allocate their increase over the baseline in {}",
                scenarios,
                the_same
            )
        }
        (Basis::Elsewhere, Some(base)) => {
            words!("{} differ from {} after the same edit", scenarios, base)
        }
        (Basis::Elsewhere, None) => words!("{} allocate after the same edit", scenarios),
        (Basis::Edited, _) => words!("{} allocate in {}", scenarios, the_same_edited),
        (Basis::Changed | Basis::Large, _) => {
            words!("{} allocate most in {}", scenarios, the_same)
        }
    }
}

/// What the lines have that don't explain the first figure, in a sentence.
fn rest(first: &Member<'_>, scenarios: &[Vec<Entry<'_>>]) -> Option<document::Line> {
    let is_other = |entry: &&Entry<'_>| !first.calls.contains(&entry.call());
    let others = scenarios.iter().flatten().filter(is_other);
    let places: BTreeSet<String> = others.map(|entry| place_words(entry.site).0).collect();
    let places = match places.len() {
        0 => return None,
        1..=2 => document::Line::joined(places.into_iter().map(place), " and "),
        count => words!("{} other lines", count),
    };
    // The third metric is a part of the first or the second.
    let amounts = first
        .lines
        .metrics
        .iter()
        .enumerate()
        .take(2)
        .map(|(at, &metric)| {
            let sums = scenarios.iter().map(|entries| {
                let others = entries.iter().filter(is_other);
                others.fold(Ratio::whole(0), |sum, entry| {
                    together(sum, entry.figures[at].1)
                })
            });
            range_words(metric, sums)
        });
    let amounts = amounts.collect::<Vec<_>>().join(" and ");
    let unchanged = match first.basis {
        Basis::Changed => " unchanged",
        Basis::Edited | Basis::Elsewhere | Basis::Increase | Basis::Large => "",
    };
    Some(words!(
        "the rest is{}: {}, in {}",
        unchanged,
        amounts,
        places
    ))
}

/// A line, with its figures of each scenario.
struct Line<'l, 'e> {
    entry: &'l Entry<'e>,
    figures: Vec<&'l Pairs>,
    /// What happened to it, if that is the same in each scenario.
    change: Option<SiteChange>,
}

impl<'l, 'e> Line<'l, 'e> {
    fn new(entry: &'l Entry<'e>, scenarios: &'l [Vec<Entry<'e>>]) -> Self {
        let same = scenarios
            .iter()
            .flatten()
            .filter(|one| one.call() == entry.call());
        let changes: IndexSet<Option<SiteChange>> = same.clone().map(|one| one.change).collect();
        Self {
            entry,
            figures: same.map(|one| &one.figures).collect(),
            change: entry.change.filter(|_| changes.len() == 1),
        }
    }

    /// `added: 1 allocation, 12 to 40 bytes`.
    fn label(&self, metrics: &[Metric]) -> String {
        let words = metrics.iter().enumerate().filter_map(|(at, &metric)| {
            let heads = || self.figures.iter().map(move |pairs| pairs[at].1);
            let is_other = |pairs: &&Pairs| pairs[at].0 != Ratio::whole(0);
            if self.entry.change.is_some() && self.figures.iter().any(is_other) {
                let increases = self.figures.iter().map(|pairs| {
                    let (base, head) = pairs[at];
                    (head > base).then(|| head.checked_sub(base))?
                });
                let increases: Option<Vec<Ratio>> = increases.collect();
                Some(format!(
                    "{} more",
                    range_words(metric, increases?.into_iter())
                ))
            } else {
                heads()
                    .any(|head| head != Ratio::whole(0))
                    .then(|| range_words(metric, heads()))
            }
        });
        with_change(self.change, words)
    }

    fn row(&self) -> Row {
        let figures = (0..self.entry.figures.len()).map(|at| {
            let now = range(&self.figures.iter().map(|pairs| pairs[at].1).collect());
            (now, String::new())
        });
        Row::new(self.entry.site, self.change, figures.collect())
    }
}

/// `8`, or `8 to 100`.
fn range(figures: &BTreeSet<Ratio>) -> String {
    let plain = |figure: Option<&Ratio>| {
        figure.map_or_else(String::new, |&figure| plain_figure(Unit::Count, figure))
    };
    match figures.len() {
        0 | 1 => plain(figures.first()),
        _ => format!("{} to {}", plain(figures.first()), plain(figures.last())),
    }
}

/// `1 allocation`, `8 to 100 bytes`.
fn range_words(metric: Metric, figures: impl Iterator<Item = Ratio>) -> String {
    let figures: BTreeSet<Ratio> = figures.collect();
    match (figures.len(), figures.first()) {
        (1, Some(&only)) => amount_words(metric, only),
        _ => format!("{} {}", range(&figures), metric.noun().many),
    }
}
