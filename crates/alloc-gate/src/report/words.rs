//! The sentences of all reports.

use alloc_results::{Ratio, Unit, integer, mean};

use crate::evaluation::{ComputedLimit, Judgement, Verdict};
use crate::figure::{Measure, Statistic};
use crate::report::change::plain_figure;
use crate::report::document::{Line, words};
use crate::requirement::{Comparison, Limit};

mod advice;
mod environment;

pub(super) use advice::{accept_fixes, advice};
pub(super) use environment::{environment, short};

/// A figure as tables show it: `2.00` allocations, `44` bytes.
pub(super) fn figure_of(metric: &Measure, statistic: Statistic, value: Ratio) -> String {
    match statistic {
        Statistic::PerElement => mean(value, 2),
        Statistic::Mean | Statistic::Growth if !metric.is_bytes() => mean(value, 2),
        Statistic::Mean | Statistic::Max | Statistic::First | Statistic::Growth => mean(value, 0),
    }
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
