//! The sentences of all reports.

use alloc_results::{Counts, Ratio, Unit, integer, mean};
use indexmap::IndexSet;

use crate::evaluation::{
    Absence, ComputedLimit, GateSummary, Judgement, LeftOut, Skip, VaryingMetric, Verdict,
};
use crate::figure::{MIN_POINTS, MIN_SPAN, Measure, Statistic, counted};
use crate::report::change::plain_figure;
use crate::report::document::{Line, name, words};
use crate::requirement::{Comparison, Limit};
use crate::rules::BenchFilter;

mod advice;
mod environment;
mod findings;

pub(super) use advice::{accept_fixes, advice, pattern_advice};
pub(super) use environment::{environment, short};
pub(super) use findings::finding_words;

/// A figure as tables show it: `2.00` allocations, `44` bytes.
pub(super) fn figure_of(metric: &Measure, statistic: Statistic, value: Ratio) -> String {
    match statistic {
        Statistic::PerElement => mean(value, 2),
        Statistic::Mean | Statistic::Growth if !metric.is_bytes() => mean(value, 2),
        Statistic::Mean | Statistic::Max | Statistic::First | Statistic::Growth => mean(value, 0),
    }
}

/// The benches of a filter, behind what they have: ` of the package `codec``. Empty for all.
pub(super) fn benches_of(filter: &BenchFilter) -> Line {
    let keys = filter.keys();
    let keys = keys.map(|(key, glob)| words!("the {} {}", key, name(glob.text())));
    let mut keys = keys.peekable();
    let has_some = keys.peek().is_some();
    has_some
        .then(|| words!(" of {}", Line::joined(keys, " and ")))
        .into()
}

/// The points of a requirement on a series: `3 at 10, 3 at 100`; `None` without any.
pub(super) fn points_words(judgement: &Judgement) -> Option<String> {
    let found = judgement.details.as_ref()?;
    let points = found
        .growth
        .as_ref()
        .map_or(&found.points, |growth| &growth.points);
    let points: Vec<String> = points
        .iter()
        .map(|&(n, value)| {
            let figure = plain_figure(judgement.metric.unit(), value);
            format!("{figure} at {}", integer(n.into()))
        })
        .collect();
    (!points.is_empty()).then(|| points.join(", "))
}

/// Says that a pattern of the gate matches no scenario.
pub(super) fn unmatched_words(gate: &GateSummary, pattern: &str) -> Line {
    let not_excluded = if gate.excludes {
        " that is not excluded"
    } else {
        ""
    };
    words!(
        "no measured scenario{}{} matches {}",
        benches_of(&gate.benches),
        not_excluded,
        name(pattern)
    )
}

/// `1,200 allocations and 100 deallocations in 100 iterations, and 3 allocations in the
/// first call`.
pub(super) fn left_out(operations: &LeftOut) -> Line {
    let all = |counts: &Counts| {
        let numbers = [
            (counts.allocs.into(), "allocation"),
            (counts.deallocs.into(), "deallocation"),
        ];
        let numbers = numbers.into_iter().filter(|&(number, _)| number > 0);
        let numbers = numbers.map(|(number, noun)| counted_exactly(number, noun));
        let numbers: Vec<String> = numbers.collect();
        (!numbers.is_empty()).then(|| joined(numbers))
    };
    let iterations = counted_exactly(operations.iterations.into(), "iteration");
    by_pass(
        all(&operations.counted).map(|all| words!("{} in {}", all, iterations)),
        all(&operations.first),
    )
}

/// What happened in the iterations, and what in the first call.
fn by_pass(iterations: Option<Line>, first: Option<Line>) -> Line {
    let first = first.map(|first| words!("{} in the first call", first));
    Line::joined(iterations.into_iter().chain(first), ", and ")
}

/// `4 in the counted iterations, and 1 in the first call`.
pub(super) fn still_running(threads: u64, first: u64) -> Line {
    let number = |threads: u64| (threads > 0).then(|| integer(threads.into()));
    let iterations = number(threads).map(|it| words!("{} in the counted iterations", it));
    by_pass(iterations, number(first).map(Line::from))
}

/// `1 iteration` or `2 iterations`.
fn counted_exactly(number: i128, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", integer(number))
}

/// `1 to 4`, or a single figure.
pub(in crate::report) fn low_to_high(low: String, high: String) -> String {
    if low == high {
        low
    } else {
        format!("{low} to {high}")
    }
}

/// `a`, `a and b`, or `a, b, c, d and 12 more`.
pub(in crate::report) fn joined<L: Into<Line>>(items: impl IntoIterator<Item = L>) -> Line {
    const SHOWN: usize = 5;
    let mut items: Vec<Line> = items.into_iter().map(Into::into).collect();
    if items.len() > SHOWN {
        let more = items.split_off(SHOWN - 1).len();
        items.push(format!("{more} more").into());
    }
    match (items.pop(), items.is_empty()) {
        (None, _) => Line::default(),
        (Some(only), true) => only,
        (Some(last), false) => words!("{} and {}", Line::joined(items, ", "), last),
    }
}

/// `allocs 1 to 2, bytes 8 to 16`.
fn ranges_words(ranges: &[VaryingMetric]) -> String {
    let words = |one: &VaryingMetric| {
        let (least, most) = (integer(one.least), integer(one.most));
        format!("{} {least} to {most}", one.metric)
    };
    let ranges: Vec<String> = ranges.iter().map(words).collect();
    ranges.join(", ")
}

/// What is missing of these figures in these scenarios. `what` is the environment or the other
/// scenario, if that is what is missing.
pub(in crate::report) fn absence_sentence(
    absence: Absence,
    what: &Line,
    figures: &IndexSet<Line>,
    scenarios: &IndexSet<Line>,
) -> Line {
    let agreeing = |subject: &IndexSet<Line>, one: &str, several: &str| {
        Line::from(if subject.len() == 1 { one } else { several })
    };
    Line::filled(sentence(absence), |part| match part {
        "figures" => joined(figures.iter().cloned()),
        "scenarios" => joined(scenarios.iter().cloned()),
        "number of scenarios" => counted(scenarios.len(), "scenario").into(),
        "what" => what.clone(),
        "points" => (&MIN_POINTS).into(),
        "span" => (&MIN_SPAN).into(),
        "figures were" => agreeing(figures, "was", "were"),
        "were" => agreeing(scenarios, "was", "were"),
        "have" => agreeing(scenarios, "has", "have"),
        "do" => agreeing(scenarios, "does", "do"),
        other => Line::from(other),
    })
}

const fn sentence(absence: Absence) -> &'static str {
    match absence {
        Absence::Environment => {
            "the baseline has no figures of {what}; {number of scenarios} {were} not compared"
        }
        Absence::Metric => "{figures} of {scenarios} {figures were} not measured",
        Absence::Unit => {
            "{figures} of {scenarios} {figures were} measured in a unit other than `[metrics]` \
             declares"
        }
        Absence::Baseline => "the baseline does not have {figures} of {scenarios}",
        Absence::Elements => {
            "{scenarios} {do} not declare a number of elements above 0, for {figures}"
        }
        Absence::Reference => {
            "{scenarios} can't be compared with {what}: it, or {figures} of it, is not in this run, \
             or several benches have the name"
        }
        Absence::Range => {
            "the limit of {figures} for {scenarios} has more digits than can be computed exactly"
        }
        Absence::Axis => "{scenarios} {have} no axis of whole numbers, or several",
        Absence::Points => {
            "{scenarios} {have} fewer than {points} points above 0, too few for {figures}"
        }
        Absence::Span => {
            "the largest point of {scenarios} is less than {span} times the smallest, too near for \
             {figures}"
        }
        // Gates report these themselves.
        Absence::Unavailable => "{scenarios} could not be measured",
        Absence::Scenario => "no measured scenario matches",
    }
}

/// Advice on scenarios that could not be measured.
pub(in crate::report) fn unavailable_advice() -> Line {
    words!(
        "measure where it is available, limit the gate with `when`, or leave the scenario out with \
         `exclude`"
    )
}

/// Why a gate is skipped, in words.
pub(in crate::report) fn skip_words(skip: &Skip) -> Line {
    match skip {
        Skip::NotSelected => words!("none of its scenarios was selected"),
        Skip::OthersNotSelected => {
            words!("the scenarios that it compares with were not selected")
        }
        Skip::When {
            condition,
            target,
            debug_assertions,
        } => {
            let assertions = match debug_assertions {
                None => "",
                Some(true) => " with debug assertions",
                Some(false) => " without debug assertions",
            };
            words!(
                "{} does not hold for {}{}",
                name(format!("when {condition}")),
                target,
                assertions
            )
        }
        Skip::Rustc { requirement, rustc } => words!(
            "{} does not hold for {}",
            name(format!("rustc {requirement}")),
            rustc
        ),
        Skip::Unanswered => words!("it is not known whether it applies"),
    }
}

/// The comparisons that decided, with their computed limits: `<= 1`,
/// ``<= 0.5 * [old] (limit 4, `old` is 8)``.
pub(in crate::report) fn limits_words(judgement: &Judgement) -> String {
    let details = judgement.details.as_ref();
    let decisive = judgement.decisive;
    let decisive = decisive.map(|number| (number, details.map(|found| &found.computed)));
    let fails = judgement.verdict == Verdict::Fail;
    let others = details.filter(|_| fails).into_iter();
    let others = others.flat_map(|found| &found.also_broken);
    let others = others.map(|other| (other.number, Some(&other.computed)));
    let comparisons = judgement.requirement.comparisons();
    let words: Vec<String> = decisive
        .into_iter()
        .chain(others)
        .filter_map(|(number, computed)| {
            let comparison = comparisons.get(number)?;
            Some(format!(
                "{}{}",
                comparison_words(comparison),
                computed
                    .map(|computed| computed_words(computed, judgement.metric.unit()))
                    .unwrap_or_default()
            ))
        })
        .collect();
    if words.is_empty() {
        // Without a comparison that decided, it is the whole requirement.
        judgement.requirement.to_string()
    } else {
        words.join(", ")
    }
}

/// A comparison with the thousands of figures, `<= 16,000`.
fn comparison_words(comparison: &Comparison) -> String {
    let text = comparison.to_string();
    match comparison.limit {
        Limit::Number(_) | Limit::Baseline(_) => text.replace('_', ","),
        // A name can have underscores.
        Limit::Scenario(_) | Limit::Growth(_) => text,
    }
}

/// The limit and the figure that it is computed from, in brackets; empty without.
fn computed_words(computed: &ComputedLimit, unit: Unit) -> String {
    let limit = computed.value.as_ref();
    let limit = limit.map(|limit| format!("limit {}", mean(*limit, 0)));
    let other = computed.reference.as_ref().and_then(|other| {
        let figure = plain_figure(unit, other.value?);
        Some(format!("`{}` is {figure}", other.scenario))
    });
    let parts: Vec<String> = limit.into_iter().chain(other).collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(" ({})", parts.join(", "))
    }
}
