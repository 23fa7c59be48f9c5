//! Judges the scenarios that a gate applies to: each rule on each scenario, and each
//! growth rule on each series of scenarios.

use alloc_results::Ratio;

use crate::evaluation::{Absence, Judgement, Verdict};
use crate::figure::Statistic;
use crate::judge::compare::{LimitCheck, ScenariosByName, compare};
use crate::judge::inputs::Inputs;
use crate::judge::judgement::{absence, blank};
use crate::judge::{series, slack};
use crate::requirement::MarginSize;
use crate::results::{MeasuredScenario, Selection};
use crate::rules::{Gate, Reaction, Rule};

/// The judgements of a gate: by scenario first, then those of its growth rules.
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
    // A scenario that was left out may need the limit as it is.
    let is_whole = inputs.selection == Selection::Whole && !inputs.measurements.is_filtered();
    let finds_stale = is_whole && inputs.config.policy.stale != Reaction::Allow;
    if let Some(tolerance) = gate.tolerance
        && finds_stale
    {
        for rule in &gate.rules {
            slack::find_stale_limit(rule, tolerance, &mut judgements);
        }
    }
    for rule in gate.rules.iter().filter(is_growth) {
        let mut own = series::judge(rule, gate, applies);
        if finds_stale {
            slack::find_stale_growth(rule, &mut own);
        }
        judgements.extend(own);
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

/// The verdict of a waiver's `rule` on a scenario. The limit of a waiver is never
/// stale.
pub(super) fn verdict(
    rule: &Rule,
    measured: &MeasuredScenario,
    inputs: &Inputs<'_>,
    run: &ScenariosByName<'_>,
) -> Verdict {
    judge_one(rule, None, measured, inputs, run).verdict
}

/// The accepted figure that `rule` compares with, or why there is none.
pub(super) fn find_accepted(
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
