//! Advice for verdicts that are not a pass.

use alloc_results::Operator;

use crate::evaluation::{Evaluation, Judgement, Verdict};
use crate::report::document::{Line, at, location, name, words};
use crate::requirement::Limit;

/// Advice for a verdict that is not a pass.
pub(in crate::report) fn advice(judgement: &Judgement, evaluation: &Evaluation) -> Option<Line> {
    let place = Line::from(at(&evaluation.config_file, judgement.place));
    Some(match judgement.verdict {
        Verdict::Pass | Verdict::Skipped | Verdict::Missing(_) => return None,
        Verdict::Fail => failure(judgement, evaluation, place),
        Verdict::Stale => improvement(judgement, place),
    })
}

/// Advice for a comparison that does not hold.
fn failure(judgement: &Judgement, evaluation: &Evaluation, place: Line) -> Line {
    if let Some(growth) = judgement.growth() {
        return words!(
            "fix how the code that {} measures grows with {}, or allow {} at {}",
            location(&judgement.location),
            &growth.axis,
            name(growth.class),
            place
        );
    }
    match (accept_fixes(judgement), evaluation.is_acceptable) {
        (Some(false), _) => words!(
            "fix the code that {} measures, or change the limit at {}",
            location(&judgement.location),
            place
        ),
        (None, _) => words!(
            "nothing changed since the baseline, and the rule asks for better: improve the code, \
             or change the rule at {}",
            place
        ),
        (Some(true), false) => words!(
            "find what changed since the base; if the change is intended, run `cargo alloc-gate \
             accept`, and commit what it writes, which approves it, or change the rule at {}",
            place
        ),
        (Some(true), true) => words!(
            "find what changed since the baseline; if the change is intended, run `cargo \
             alloc-gate accept`, or change the rule at {}",
            place
        ),
    }
}

/// Whether a new baseline makes a failed judgement hold; `None` if nothing changed since the
/// baseline, and the rule asks for better.
pub(in crate::report) fn accept_fixes(judgement: &Judgement) -> Option<bool> {
    let is_against_baseline = judgement
        .broken()
        .all(|comparison| matches!(comparison.limit, Limit::Baseline(_)));
    let is_unchanged = asks_for_better(judgement) && judgement.measured == judgement.baseline;
    match (is_against_baseline, is_unchanged) {
        (false, _) => Some(false),
        (true, true) => None,
        (true, false) => Some(true),
    }
}

/// Advice for a figure that is better than required.
fn improvement(judgement: &Judgement, place: Line) -> Line {
    let rest = if asks_for_better(judgement) {
        words!(
            "; the rule at {} then asks for better still, and one with `=` keeps it",
            place
        )
    } else {
        words!(", so that it can't get lost unnoticed")
    };
    words!(
        "check that the scenario still does its work; `cargo alloc-gate accept` makes the better \
         figure the baseline{}",
        rest
    )
}

/// Whether the decisive comparison excludes the baseline's own figure.
fn asks_for_better(judgement: &Judgement) -> bool {
    judgement
        .decisive()
        .is_some_and(|comparison| match comparison.operator {
            Operator::Less | Operator::Greater => true,
            Operator::LessOrEqual | Operator::Equal | Operator::GreaterOrEqual => false,
        })
}
