//! The sentences and names of explained figures.

use std::cmp::Ordering;

use alloc_results::{Metric, Ratio, Unit, integer};

use crate::figure::{Measure, Statistic, counted};
use crate::report::change::plain_figure;
use crate::report::document::{Line, place, words};
use crate::report::explain::Lines;
use crate::sites::{Explained, Found, Site, SitePlace, Unexplained};

/// The sentence for a figure whose lines are not known.
pub(super) fn unexplained_words(reason: &Unexplained) -> Line {
    if *reason == Unexplained::Inexact {
        words!("no lines are shown, because {}", reason.to_string())
    } else {
        words!("not explained: {}", reason.to_string())
    }
}

impl Lines<'_> {
    /// `1 allocation and 12 bytes per iteration more than at main (4f8762a1c0)`.
    pub(super) fn title(&self) -> Line {
        let statistic = self.explained.statistic;
        let per = statistic.words();
        let all = |words: Vec<String>| words.join(" and ");
        // The third metric is a part of the first or the second.
        let each = || self.metrics.iter().zip(&self.totals).take(2);
        let now = || {
            let words = each().map(|(&metric, &(_, head))| amount_words(metric, head));
            format!("{} {per}", all(words.collect()))
        };
        let Some(base) = self.base() else {
            return now().into();
        };
        let change = self.totals[0].1.cmp(&self.totals[0].0);
        let word = match change {
            Ordering::Greater => "more than",
            Ordering::Less => "fewer than",
            Ordering::Equal => return words!("{}, as at {}", now(), base),
        };
        // A metric that changed the other way is in the table alone.
        let alike = each().filter(|(_, (base, head))| head.cmp(base) == change);
        let words = alike.filter_map(|(&metric, &(base, head))| {
            Some(amount_words(metric, size_of_change(base, head)?))
        });
        words!("{} {} {} at {}", all(words.collect()), per, word, base)
    }
}

/// How far both are apart; `None` if that has too many digits.
pub(super) fn size_of_change(base: Ratio, head: Ratio) -> Option<Ratio> {
    head.max(base).checked_sub(head.min(base))
}

/// `1 allocation`, `2,048 bytes`.
pub(super) fn amount_words(metric: Metric, amount: Ratio) -> String {
    let noun = metric.noun();
    let noun = if amount == Ratio::whole(1) {
        noun.one
    } else {
        noun.many
    };
    format!("{} {noun}", plain_figure(Unit::Count, amount))
}

/// `1 allocation more`; `None` if nothing changed.
pub(super) fn change_words(metric: Metric, base: Ratio, head: Ratio) -> Option<String> {
    let word = match head.cmp(&base) {
        Ordering::Greater => "more",
        Ordering::Less => "fewer",
        Ordering::Equal => return None,
    };
    let amount = amount_words(metric, size_of_change(base, head)?);
    Some(format!("{amount} {word}"))
}

/// Where a site is, and what it does there.
pub(super) fn place_words(site: &Site) -> (String, String) {
    let how = |function: &str| match &*site.how {
        "" => format!("in {function}"),
        how => format!("{how} in {function}"),
    };
    let name = |function: &str| match function {
        "" => String::from("an unknown function"),
        function => function.to_owned(),
    };
    match &site.place {
        SitePlace::Line(line) => (line.location(), how(&line.function)),
        SitePlace::Function(function) => (String::from("no line"), how(function)),
        SitePlace::Dependency(function) => (
            String::from("in dependencies"),
            format!("called from {}", name(function)),
        ),
        SitePlace::Untraced(function) => (
            String::from("code without unwind tables"),
            format!("at {}", name(function)),
        ),
        SitePlace::FurtherStacks => (
            String::from("further stacks"),
            String::from("more than the counter keeps"),
        ),
        SitePlace::Before => (
            String::from("blocks from before"),
            String::from("freed or resized"),
        ),
    }
}

/// The heading of call stacks.
pub(super) const STACKS: &str = "call stacks, innermost frame first";

/// What else a reader has to know.
pub(super) fn notes(explained: &Explained, found: &Found) -> Vec<Line> {
    let sites = found.sites();
    let mut notes = Vec::new();
    if let Found::Sites {
        no_base: Some(reason),
        ..
    } = found
    {
        notes.push(words!("not compared with the base: {}", reason));
    }
    if let (Some(since), [_, ..]) = (found.since(), &sites.elsewhere[..]) {
        notes.push(elsewhere_words(since, &sites.elsewhere));
    }
    match &sites.measured.problem {
        Some(problem) if sites.without_lines => {
            notes.push(words!("functions without lines: {}", problem));
        }
        Some(problem) => notes.push(words!("lines may be missing: {}", problem)),
        None if sites.without_lines => notes.push(words!(
            "functions without lines: the bench has no line tables"
        )),
        None => {}
    }
    let part = sites.measured.part();
    if let Some((explained, planned)) = part.filter(|_| explained.statistic != Statistic::First) {
        notes.push(words!(
            "the lines are those in {} of {} iterations",
            integer(explained.into()),
            integer(planned.into())
        ));
    }
    let total = sites.total(explained.metric);
    if let Some(judged) = explained.judged.filter(|judged| *judged != total) {
        let metric = Measure::from(explained.metric);
        let [now, judged] = [total, judged].map(|figure| plain_figure(metric.unit(), figure));
        notes.push(words!(
            "the lines are those of a second run, which had {} {} where {} was judged",
            metric.to_string(),
            now,
            judged
        ));
    }
    notes
}

/// The edits that are named at most.
const MOST_EDITS: usize = 4;

/// `no line on these stacks was edited since main (4f8762a1c0); the diff edits src/lib.rs:1`.
fn elsewhere_words(since: &str, edits: &[String]) -> Line {
    let shown = match edits.len() {
        all if all <= MOST_EDITS + 1 => edits,
        _ => &edits[..MOST_EDITS],
    };
    let shown = Line::joined(shown.iter().map(place), ", ");
    let more = match edits.len().saturating_sub(MOST_EDITS) {
        0 | 1 => None,
        more => Some(format!(" and {}", counted(more, "other place"))),
    };
    words!(
        "no line on these stacks was edited since {}; the diff edits {}{}",
        since,
        shown,
        more
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use alloc_results::BenchId;

    use super::*;
    use crate::report::write::plain;
    use crate::sites::{ScenarioSites, Sites};

    #[test]
    fn missing_line_tables_are_a_note() {
        let bench = BenchId {
            package: String::from("app"),
            target: String::from("counts"),
        };
        let explained = Explained {
            is_failure: true,
            ..Explained::new(&bench, "encode", Metric::Allocs, Statistic::Mean)
        };
        for (without_lines, problem, expected) in [
            (false, "", ""),
            (
                true,
                "",
                "functions without lines: the bench has no line tables",
            ),
            (
                true,
                "damaged tables",
                "functions without lines: damaged tables",
            ),
            (
                false,
                "damaged tables",
                "lines may be missing: damaged tables",
            ),
        ] {
            let found = Found::Sites {
                sites: Box::new(Sites {
                    without_lines,
                    measured: Arc::new(ScenarioSites {
                        problem: (!problem.is_empty()).then(|| problem.to_owned()),
                        ..ScenarioSites::default()
                    }),
                    ..Sites::default()
                }),
                since: None,
                no_base: None,
            };
            let notes: String = notes(&explained, &found).iter().map(plain).collect();
            assert_eq!(notes, expected);
        }
    }

    #[test]
    fn places_without_a_line_have_words() {
        let site = |place: SitePlace| Site::new(place, String::from("Vec::push"));
        let text = String::from;
        for (place, expected) in [
            (SitePlace::Function(text("f")), "no line: Vec::push in f"),
            (
                SitePlace::Dependency(text("dep::f")),
                "in dependencies: called from dep::f",
            ),
            (
                SitePlace::Untraced(text("0x1f")),
                "code without unwind tables: at 0x1f",
            ),
            (
                SitePlace::Untraced(String::new()),
                "code without unwind tables: at an unknown function",
            ),
            (
                SitePlace::FurtherStacks,
                "further stacks: more than the counter keeps",
            ),
            (SitePlace::Before, "blocks from before: freed or resized"),
        ] {
            let (place, what) = place_words(&site(place));
            assert_eq!(format!("{place}: {what}"), expected);
        }
    }
}
