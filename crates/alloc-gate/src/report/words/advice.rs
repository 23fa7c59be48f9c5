//! Advice for verdicts that are not a pass.

use alloc_results::Operator;

use crate::evaluation::{Absence, Evaluation, InBaseline, Judgement, Verdict};
use crate::figure::{MIN_POINTS, MIN_SPAN, Measure};
use crate::report::document::{Line, at, location, name, words};
use crate::requirement::Limit;

/// Advice for a verdict that is not a pass.
pub(in crate::report) fn advice(judgement: &Judgement, evaluation: &Evaluation) -> Option<Line> {
    let place = Line::from(at(&evaluation.config_file, judgement.place));
    Some(match judgement.verdict {
        Verdict::Pass | Verdict::Skipped => return None,
        Verdict::Fail => failure(judgement, evaluation, place),
        Verdict::Stale => improvement(judgement, place),
        Verdict::Missing(absence) => missing(absence, judgement, evaluation, place),
    })
}

/// Advice for a figure or a scenario that is missing.
fn missing(absence: Absence, judgement: &Judgement, evaluation: &Evaluation, place: Line) -> Line {
    match absence {
        Absence::Metric => unmeasured(&judgement.metric, place),
        Absence::Unit => words!(
            "give {} the unit in `[metrics]` that {} measures it in, and look at the limit at {}",
            name(&judgement.metric),
            location(&judgement.location),
            place
        ),
        Absence::Environment if has_other_environments(evaluation) => words!(
            "to compare in this environment too, run `cargo alloc-gate accept` in it, or \
             `accept --results` with its recorded results, and commit what it writes; to leave it \
             out, limit the gate by `when`"
        ),
        Absence::Environment | Absence::Baseline => {
            if evaluation.is_acceptable {
                words!("run `cargo alloc-gate accept`, and commit what it writes")
            } else {
                words!(
                    "run `cargo alloc-gate accept`, and commit what it writes, or name a base that \
                     has the figure, or change the rule at {}",
                    place
                )
            }
        }
        Absence::Scenario | Absence::Unavailable => pattern_advice(place),
        Absence::Elements => words!(
            "declare the number of elements in the bench, `.elements(|&n| n)`, or remove \
             `per-element` at {}",
            place
        ),
        Absence::Reference => words!(
            "see `cargo alloc-gate list` for the scenarios, and correct the name in brackets at {}",
            place
        ),
        Absence::Range => words!(
            "write the factor or the tolerance at {} with fewer decimals",
            place
        ),
        Absence::Axis => words!(
            "sweep the scenario over an axis of whole numbers, and name that axis with \
             `growth-axis` where it has several; or correct the patterns of the gate at {}",
            place
        ),
        Absence::Points | Absence::Span => words!(
            "sweep at least {} values of which the largest is {} times the smallest",
            &MIN_POINTS,
            &MIN_SPAN
        ),
    }
}

/// Whether the baseline has figures, and only of other environments than some scenario's.
fn has_other_environments(evaluation: &Evaluation) -> bool {
    let mut accepted = evaluation.accepted.iter();
    evaluation.is_acceptable
        && accepted
            .any(|one| matches!(one, InBaseline::NoEnvironment { others } if !others.is_empty()))
}

/// Advice for a metric that was not measured.
fn unmeasured(metric: &Measure, place: Line) -> Line {
    let shown = name(metric);
    match metric {
        Measure::Custom(_) => words!(
            "let the scenario measure {}, {}, or correct the patterns of the gate at {}",
            shown,
            name(format!(".metric(\"{metric}\", ...)")),
            place
        ),
        Measure::ForeignAllocs => words!(
            "measure again with the present alloc-scenario, or remove the rule at {}",
            place
        ),
        Measure::Counted(_) => words!(
            "{} is not measured on several threads in thread scope: give the scenario process \
             scope, or remove the rule at {}",
            shown,
            place
        ),
    }
}

/// Advice for a pattern that matches nothing.
pub(in crate::report) fn pattern_advice(place: impl Into<Line>) -> Line {
    words!(
        "see `cargo alloc-gate list` for the scenarios, and correct the pattern at {}",
        place.into()
    )
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
