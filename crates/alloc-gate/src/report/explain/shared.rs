//! [`Shared`]: the failures that the same lines explain, so that these lines are shown once.

use std::collections::BTreeSet;

use alloc_results::{Metric, Ratio, Unit};
use indexmap::IndexSet;

use crate::figure::{Exact, counted};
use crate::report::change::plain_figure;
use crate::report::document::{self, Label, place, words};
use crate::report::explain::words::{amount_words, notes, place_words};
use crate::report::explain::{
    ALLOCATES_MORE, Entry, MOST_EXCERPTS, MOST_LINES, Row, SitesText, entries, plus, shown_metrics,
    totals,
};
use crate::sites::{Explained, Found, SiteChange, SitePlace};

/// Why a failure is put down to some of its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Basis {
    /// The base has less there, or more.
    Changed,
    /// Each alone has exactly what the figure has more than the baseline.
    Increase,
    /// They have the largest parts of the figure.
    Large,
}

/// A line, and what it calls.
type Call<'e> = (&'e SitePlace, &'e str);

/// A failure with the lines that explain it.
struct Member<'e> {
    explained: &'e Explained,
    basis: Basis,
    calls: BTreeSet<Call<'e>>,
}

/// Failures that the same lines explain.
pub(in crate::report) struct Shared<'e> {
    metrics: Vec<Metric>,
    basis: Basis,
    calls: BTreeSet<Call<'e>>,
    members: Vec<Member<'e>>,
}

/// The figure and its part of the base, of one line or of several.
type Pairs = Vec<(Ratio, Ratio)>;

/// Groups figures by the lines that explain them. `accepted` finds the figure of the
/// baseline. The groups are in the order of their first figures;
/// figures without lines are in none.
pub(in crate::report) fn shared<'e>(
    all: impl Iterator<Item = &'e Explained>,
    accepted: impl Fn(&Explained, Metric) -> Option<Ratio>,
) -> Vec<Shared<'e>> {
    let members = all.filter_map(|explained| member(explained, &accepted));
    let mut members: Vec<(usize, Member<'e>)> = members.enumerate().collect();
    // A figure of which two lines could be the increase joins one of which it is only one.
    members.sort_by_key(|(number, member)| (member.calls.len(), *number));
    let mut groups: Vec<(usize, Shared<'e>)> = Vec::new();
    for (number, member) in members {
        let group = groups.iter_mut().find(|(_, group)| group.explains(&member));
        match group {
            Some((first, group)) => {
                *first = number.min(*first);
                group.members.push(member);
            }
            None => groups.push((
                number,
                Shared {
                    metrics: shown_metrics(member.explained.metric),
                    basis: member.basis,
                    calls: member.calls.clone(),
                    members: vec![member],
                },
            )),
        }
    }
    groups.sort_by_key(|(first, _)| *first);
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The lines that explain a figure: those that changed, or without a base those that have just
/// the increase, or else the largest parts.
fn member<'e>(
    explained: &'e Explained,
    accepted: impl Fn(&Explained, Metric) -> Option<Ratio>,
) -> Option<Member<'e>> {
    let metrics = shown_metrics(explained.metric);
    let entries = entries(explained, &metrics);
    let found = explained.found.as_ref().ok()?;
    let calls = |is_one: &dyn Fn(&Entry<'_>) -> bool| -> BTreeSet<Call<'e>> {
        let chosen = entries.iter().filter(|entry| is_one(entry));
        chosen.map(Entry::call).collect()
    };
    let mut basis = Basis::Changed;
    let mut chosen = calls(&|entry| {
        let mut figures = entry.figures.iter();
        entry.change.is_some() && figures.any(|(base, head)| base != head)
    });
    if chosen.is_empty() && matches!(found, Found::Sites { .. }) {
        let increases = metrics.iter().map(|&metric| {
            let accepted = accepted(explained, metric)?;
            Some(&Exact::from(totals(found, metric).1) - &accepted.into())
        });
        let increases: Vec<Option<Exact>> = increases.collect();
        basis = Basis::Increase;
        chosen = calls(&|entry| {
            let mut parts = entry.figures.iter().zip(&increases);
            increases.iter().all(Option::is_some)
                && entry.figures[0].1 > Ratio::whole(0)
                && parts.all(|((_, head), more)| Some(Exact::from(*head)) == *more)
        });
    }
    if chosen.is_empty() {
        let total = totals(found, metrics[0]).1;
        basis = Basis::Large;
        chosen = calls(&|entry| entry.is_large_part(total));
    }
    (!chosen.is_empty()).then_some(Member {
        explained,
        basis,
        calls: chosen,
    })
}

impl<'e> Entry<'e> {
    fn call(&self) -> Call<'e> {
        (&self.site.place, &self.site.how)
    }
}

impl<'e> Shared<'e> {
    /// The bench and the name of each scenario.
    pub(in crate::report) fn explained(&self) -> impl Iterator<Item = &'e Explained> {
        self.members.iter().map(|member| member.explained)
    }

    /// Whether these lines explain the figure, too.
    fn explains(&self, member: &Member<'_>) -> bool {
        let same_metrics = shown_metrics(member.explained.metric);
        let is_alike = same_metrics.len() == self.metrics.len()
            && same_metrics
                .iter()
                .all(|metric| self.metrics.contains(metric));
        let is_explained = match self.basis {
            Basis::Increase => self.calls.is_subset(&member.calls),
            Basis::Changed | Basis::Large => self.calls == member.calls,
        };
        is_alike && member.basis == self.basis && is_explained && self.base() == member.base()
    }

    fn base(&self) -> Option<&'e str> {
        self.members.first().and_then(Member::base)
    }

    /// The lines once, with the range of their figures.
    pub(in crate::report) fn text(&self) -> SitesText {
        // The figures of all scenarios are about the same metrics.
        let scenarios: Vec<Vec<Entry<'e>>> = self
            .explained()
            .map(|one| entries(one, &self.metrics))
            .collect();
        let first = scenarios.first().map_or(&[][..], Vec::as_slice);
        let lines = first
            .iter()
            .filter(|entry| self.calls.contains(&entry.call()));
        let lines: Vec<Line<'_, 'e>> = lines.map(|entry| Line::new(entry, &scenarios)).collect();
        let excerpts = lines.iter().filter(|line| self.is_excerpt(line.entry));
        let excerpts = excerpts.filter_map(|line| {
            let mut excerpt = line.entry.excerpt(&self.metrics)?;
            excerpt.label = line.label(&self.metrics).into();
            Some(excerpt)
        });
        let excerpts: Vec<_> = excerpts.take(MOST_EXCERPTS.into()).collect();
        let rows = if excerpts.len() == lines.len() {
            Vec::new()
        } else {
            lines.iter().take(MOST_LINES).map(Line::row).collect()
        };
        let mut all: IndexSet<document::Line> = IndexSet::new();
        if lines.len() > MOST_LINES && !rows.is_empty() {
            let more = counted(lines.len() - MOST_LINES, "more line");
            all.insert(words!("and {}", more));
        }
        all.extend(self.rest(&scenarios));
        all.extend(self.members.iter().flat_map(|member| {
            let found = member.explained.found.as_ref().ok();
            found.map_or_else(Vec::new, |found| notes(member.explained, found))
        }));
        SitesText {
            label: Some(Label::error(self.code())),
            title: self.title(lines.len()),
            excerpts,
            metrics: self.metrics.clone(),
            rows,
            stacks: Vec::new(),
            notes: all.into_iter().collect(),
        }
    }

    /// Whether the code of a line is shown: of those that changed, what has more than before.
    fn is_excerpt(&self, entry: &Entry<'_>) -> bool {
        self.basis != Basis::Changed || entry.figures.iter().any(|(base, head)| head > base)
    }

    fn code(&self) -> &'static str {
        match self.basis {
            Basis::Changed => ALLOCATES_MORE,
            Basis::Increase | Basis::Large => "allocates",
        }
    }

    /// `6 scenarios allocate more than at main (4f8762a1c0), in the same line`.
    fn title(&self, lines: usize) -> document::Line {
        let scenarios = counted(self.members.len(), "scenario");
        let the_same = match lines {
            1 => String::from("the same line"),
            lines => format!("the same {}", counted(lines, "line")),
        };
        match (self.basis, self.base()) {
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
            (Basis::Changed | Basis::Large, _) => {
                words!("{} allocate most in {}", scenarios, the_same)
            }
        }
    }

    /// What the other lines have, in a sentence.
    fn rest(&self, scenarios: &[Vec<Entry<'e>>]) -> Option<document::Line> {
        let others = |entries: &Vec<Entry<'e>>| {
            let is_other = |entry: &&Entry<'e>| !self.calls.contains(&entry.call());
            let others = entries.iter().filter(is_other);
            others
                .map(|entry| (entry.call(), entry.figures.clone()))
                .collect::<Vec<_>>()
        };
        let others: Vec<Vec<(Call<'e>, Pairs)>> = scenarios.iter().map(others).collect();
        let calls: BTreeSet<Call<'e>> = others.iter().flatten().map(|(call, _)| *call).collect();
        let places: BTreeSet<String> = scenarios
            .iter()
            .flatten()
            .filter(|entry| calls.contains(&entry.call()))
            .map(|entry| place_words(entry.site).0)
            .collect();
        let places = match places.len() {
            0 => return None,
            1..=2 => document::Line::joined(places.into_iter().map(place), " and "),
            count => words!("{} other lines", count),
        };
        let amounts = self.metrics.iter().enumerate().map(|(at, &metric)| {
            let sums = others.iter().map(|entries| {
                let zero = Ratio::whole(0);
                entries
                    .iter()
                    .fold(zero, |sum, (_, figures)| plus(sum, figures[at].1))
            });
            range_words(metric, sums)
        });
        let amounts = amounts.collect::<Vec<_>>().join(" and ");
        let unchanged = match self.basis {
            Basis::Changed => " unchanged",
            Basis::Increase | Basis::Large => "",
        };
        Some(words!(
            "the rest is{}: {}, in {}",
            unchanged,
            amounts,
            places
        ))
    }
}

impl<'e> Member<'e> {
    fn base(&self) -> Option<&'e str> {
        match &self.explained.found {
            Ok(Found::Compared { base, .. }) => Some(base),
            Ok(Found::Sites { .. }) | Err(_) => None,
        }
    }
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
                    (head > base).then(|| (&Exact::from(head) - &base.into()).rounded())?
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
        let words = words.collect::<Vec<_>>().join(", ");
        match self.change {
            Some(change @ (SiteChange::Added | SiteChange::Edited | SiteChange::Moved)) => {
                format!("{change}: {words}")
            }
            Some(SiteChange::Same | SiteChange::Removed) | None => words,
        }
    }

    fn row(&self) -> Row {
        let (at, what) = place_words(self.entry.site);
        let figures = (0..self.entry.figures.len()).map(|at| {
            let now = range(self.figures.iter().map(|pairs| pairs[at].1));
            (now, String::new())
        });
        Row {
            figures: figures.collect(),
            change: self.change.map_or("", SiteChange::name),
            place: place(at).into(),
            what: what.into(),
        }
    }
}

/// `8`, or `8 to 100`.
fn range(figures: impl Iterator<Item = Ratio>) -> String {
    let figures: BTreeSet<Ratio> = figures.collect();
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
        _ => format!("{} {}", range(figures.into_iter()), metric.noun().many),
    }
}
