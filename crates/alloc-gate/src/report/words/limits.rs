//! Limits that figures do not meet, in words.

use alloc_results::Unit;

use crate::evaluation::{ComputedLimit, Judgement, Verdict};
use crate::report::change::plain_figure;
use crate::requirement::{Comparison, Limit};

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
    let limit = limit.map(|limit| format!("limit {}", limit.plain()));
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
