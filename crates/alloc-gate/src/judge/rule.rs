//! Judges the scenarios that a gate applies to: each rule on each scenario, and each
//! rule on growth on each series of scenarios.

use alloc_requirement::{Number, Operator};
use alloc_results::Ratio;

use crate::evaluation::{Judgement, Verdict};
use crate::figure::Statistic;
use crate::judge::compare::{blank, compare};
use crate::judge::run::Run;
use crate::judge::series;
use crate::requirement::Limit;
use crate::results::MeasuredScenario;
use crate::rules::{Gate, Rule};

/// The judgements of a gate: by scenario first, then those of its rules on series.
pub(super) fn judge(gate: &Gate, applies: &[&MeasuredScenario], run: &Run<'_>) -> Vec<Judgement> {
    let is_on_growth = |rule: &&Rule| rule.statistic == Statistic::Growth;
    let mut judgements = Vec::new();
    for measured in applies {
        let rules = gate.rules.iter().filter(|rule| !is_on_growth(rule));
        judgements.extend(rules.map(|rule| {
            let mut judgement = judge_one(rule, measured, run);
            if let Some(first) = first_above_zero(rule, gate, measured, &judgement) {
                judgement.details.get_or_insert_default().first_call = Some(first);
            }
            if let Some(first) = first_operations(rule, measured, &judgement) {
                judgement.details.get_or_insert_default().first_operations = Some(first);
            }
            judgement
        }));
    }
    for rule in gate.rules.iter().filter(is_on_growth) {
        judgements.extend(series::judge(rule, gate, applies));
    }
    judgements
}

fn judge_one(rule: &Rule, measured: &MeasuredScenario, run: &Run<'_>) -> Judgement {
    let record = &measured.record;
    let accepted = run.referred.accepted(rule, measured);
    let mut judgement = Judgement {
        measured: rule.metric.figure(rule.statistic, record),
        baseline: accepted.ok().filter(|_| rule.requirement.needs_baseline()),
        ..blank(rule, &record.name, measured)
    };
    compare(rule, accepted, measured, run, &mut judgement);
    judgement
}

/// The figure of the first call, if it is above zero where the rule allows the iterations zero
/// only, and the gate has no rule on the first call.
fn first_above_zero(
    rule: &Rule,
    gate: &Gate,
    measured: &MeasuredScenario,
    judgement: &Judgement,
) -> Option<Ratio> {
    let zero = Ratio::whole(0);
    if judgement.measured != Some(zero) || judgement.verdict == Verdict::Fail {
        return None;
    }
    let mut comparisons = rule.requirement.comparisons().iter();
    let allows_zero_only = comparisons.any(|comparison| {
        matches!(comparison.operator, Operator::Equal | Operator::LessOrEqual)
            && matches!(comparison.limit, Limit::Number(limit) if limit.value() == Number::ZERO)
    });
    let mut rules = gate.rules.iter();
    let limits_first =
        rules.any(|other| other.metric == rule.metric && other.statistic == Statistic::First);
    let first = rule.metric.figure(Statistic::First, &measured.record)?;
    (allows_zero_only && !limits_first && first > zero).then_some(first)
}

/// The scenario's first operations, if the requirement fails and is about them. They are those
/// of a counted iteration, so they don't explain the first call.
fn first_operations(
    rule: &Rule,
    measured: &MeasuredScenario,
    judgement: &Judgement,
) -> Option<Box<str>> {
    let is_about_them = rule.metric.of_operations().is_some() && rule.statistic != Statistic::First;
    let first = measured.record.first_operations.as_ref();
    let shown = first.filter(|_| is_about_them && judgement.verdict == Verdict::Fail);
    shown.map(|first| first.as_str().into())
}
