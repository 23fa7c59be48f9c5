//! The rules of a gate on the scenarios that it applies to: a judgement for each
//! of the two together, or of a rule and a series of scenarios.

use alloc_requirement::Operator;
use alloc_results::Ratio;

use crate::evaluation::{Absence, Details, Judgement, Verdict};
use crate::figure::{Exact, Measure, Statistic};
use crate::judge::compare::{LimitCheck, ScenariosByName, compare};
use crate::judge::inputs::Inputs;
use crate::judge::series;
use crate::requirement::{Limit, MarginSize, tightened};
use crate::results::{MeasuredScenario, Selection};
use crate::rules::{Gate, Reaction, Rule};

/// A judgement of each rule on each scenario, and then of those on growth on each
/// series of scenarios.
pub(super) fn judge(
    gate: &Gate,
    applies: &[&MeasuredScenario],
    inputs: &Inputs<'_>,
    run: &ScenariosByName<'_>,
) -> Vec<Judgement> {
    let is_growth = |rule: &&Rule| rule.statistic == Statistic::Growth;
    let mut judgements = Vec::new();
    for measured in applies {
        let rules = gate.rules.iter().filter(|rule| !is_growth(rule));
        judgements.extend(rules.map(|rule| judge_one(rule, gate.tolerance, measured, inputs, run)));
    }
    // What was left out may need the limit as it is.
    let is_whole = inputs.selection == Selection::Whole && !inputs.measurements.is_filtered();
    let finds_room = is_whole && inputs.config.policy.stale != Reaction::Allow;
    if let Some(tolerance) = gate.tolerance
        && finds_room
    {
        for rule in &gate.rules {
            find_room(rule, tolerance, &mut judgements);
        }
    }
    for rule in gate.rules.iter().filter(is_growth) {
        let mut of_series = series::judge(rule, gate, applies);
        if finds_room {
            series::find_room(rule, &mut of_series);
        }
        judgements.extend(of_series);
    }
    judgements
}

fn judge_one(
    rule: &Rule,
    tolerance: Option<MarginSize>,
    measured: &MeasuredScenario,
    inputs: &Inputs<'_>,
    run: &ScenariosByName<'_>,
) -> Judgement {
    let record = &measured.record;
    let value = rule.metric.figure(rule.statistic, record);
    let accepted = find_accepted(rule, measured, inputs);
    let compared = match value {
        Some(value) => compare(rule, tolerance, value, accepted, measured, run),
        None => LimitCheck::missing(absence(rule, measured)),
    };
    let (verdict, decisive) = match (compared.verdict, inputs.config.policy.stale) {
        (Verdict::Stale, Reaction::Allow) => (Verdict::Pass, None),
        (verdict, Reaction::Deny | Reaction::Warn | Reaction::Allow) => {
            (verdict, compared.decisive)
        }
    };
    Judgement {
        measured: value,
        baseline: accepted.ok().filter(|_| rule.requirement.needs_baseline()),
        decisive,
        details: compared.details,
        verdict,
        ..blank(rule, &record.name, measured)
    }
}

/// The verdict of a waiver's `rule` on a scenario. What a waiver allows is never
/// too far away.
pub(super) fn verdict(
    rule: &Rule,
    measured: &MeasuredScenario,
    inputs: &Inputs<'_>,
    run: &ScenariosByName<'_>,
) -> Verdict {
    judge_one(rule, None, measured, inputs, run).verdict
}

/// A judgement of `rule` on `scenario`, in which nothing is said yet.
pub(super) fn blank(rule: &Rule, scenario: &str, measured: &MeasuredScenario) -> Judgement {
    Judgement {
        scenario: scenario.to_owned(),
        bench: measured.bench.clone(),
        location: measured.record.location.clone(),
        metric: rule.metric.clone(),
        statistic: rule.statistic,
        requirement: rule.requirement.clone(),
        place: rule.place,
        measured: None,
        baseline: None,
        decisive: None,
        details: None,
        waiver: None,
        verdict: Verdict::Skipped,
    }
}

/// Why a figure is not there.
pub(super) fn absence(rule: &Rule, measured: &MeasuredScenario) -> Absence {
    let has_mean = || rule.metric.figure(Statistic::Mean, &measured.record);
    if let Measure::Custom(custom) = &rule.metric
        && let Some(figure) = measured.record.custom_figure(custom.name())
        && !custom.is_in(figure.unit())
    {
        Absence::Unit
    } else if rule.statistic == Statistic::PerElement && has_mean().is_some() {
        Absence::Elements
    } else {
        Absence::Metric
    }
}

fn find_accepted(
    rule: &Rule,
    measured: &MeasuredScenario,
    inputs: &Inputs<'_>,
) -> Result<Ratio, Absence> {
    let accepted = inputs
        .baseline
        .and_then(|baseline| baseline.accepted_in(&measured.environment))
        .ok_or(Absence::Environment)?;
    let scenario = accepted.scenarios.get(&measured.record.name);
    let scenario = scenario.ok_or(Absence::Baseline)?;
    if rule.statistic == Statistic::Total && scenario.iterations != measured.record.iterations {
        return Err(Absence::Iterations);
    }
    let figure = scenario.figure_of(&rule.metric, rule.statistic);
    figure.ok_or(Absence::Baseline)
}

/// Makes the judgement of the worst figure stale where all figures of a rule are
/// better than its limit, a number, by more than `tolerance`: a limit that only
/// one of several scenarios is far from can't be tightened.
fn find_room(rule: &Rule, tolerance: MarginSize, judgements: &mut [Judgement]) {
    let [comparison] = rule.requirement.comparisons() else {
        // Of a range, one end is far away by nature.
        return;
    };
    let Limit::Number(limit) = comparison.limit else {
        return;
    };
    let mut own: Vec<&mut Judgement> = judgements
        .iter_mut()
        .filter(|judgement| judgement.place == rule.place)
        .collect();
    if own
        .iter()
        .any(|judgement| judgement.verdict != Verdict::Pass)
    {
        return;
    }
    let figure = |judgement: &&mut Judgement| judgement.measured;
    let worst = match comparison.operator {
        Operator::Less | Operator::LessOrEqual => own.iter_mut().max_by_key(|j| figure(j)),
        Operator::Greater | Operator::GreaterOrEqual => own.iter_mut().min_by_key(|j| figure(j)),
        Operator::Equal => None,
    };
    let Some(worst) = worst else {
        return;
    };
    let Some(value) = worst.measured else {
        return;
    };
    let tightened = tightened(comparison.operator, value, limit);
    let limit = Exact::from(limit.value());
    let room = tolerance.for_base(&limit);
    let is_far = match comparison.operator {
        Operator::Less | Operator::LessOrEqual => &Exact::from(value) + &room < limit,
        Operator::Greater | Operator::GreaterOrEqual => &limit + &room < value.into(),
        Operator::Equal => false,
    };
    if is_far {
        worst.verdict = Verdict::Stale;
        worst.decisive = Some(0);
        worst.details = Some(Box::new(Details {
            tightened,
            ..Details::default()
        }));
    }
}
