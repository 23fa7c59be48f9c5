//! Judges the scenarios that a gate applies to: each rule on each scenario, and each
//! rule on growth on each series of scenarios.

use std::slice;

use alloc_results::{Operator, Ratio};

use crate::diagnostic::Code;
use crate::evaluation::{Ruling, Verdict};
use crate::figure::Statistic;
use crate::judge::compare::compare;
use crate::judge::run::Run;
use crate::judge::series;
use crate::requirement::Limit;
use crate::results::MeasuredScenario;
use crate::rules::{Gate, Rule};

/// The judgements of a gate: by scenario first, then those of its rules on series.
pub(super) fn judge<'i>(
    gate: &'i Gate,
    applies: &[Numbered<'i>],
    run: &Run<'i>,
    add: &mut Add<'_, 'i>,
) {
    let rules = || gate.rules.iter().enumerate();
    let is_on_growth = |(_, rule): &NumberedRule<'_>| rule.statistic == Statistic::Growth;
    let scenario_rules = rules().filter(|rule| !is_on_growth(rule));
    let scenario_rules: Vec<_> = scenario_rules
        .map(|rule| (rule, run.figures(rule.1)))
        .collect();
    for measured in applies {
        for &((number, rule), ref figures) in &scenario_rules {
            let mut ruling = judge_one(rule, figures[measured.0], measured.1, run);
            if let Some(first) = first_above_zero(rule, gate, measured.1, &ruling) {
                ruling.details.get_or_insert_default().first_call = Some(first);
            }
            add((number, rule), slice::from_ref(measured), None, ruling);
        }
    }
    for (number, rule) in rules().filter(is_on_growth) {
        for (name, members, ruling) in series::judge(rule, gate, applies) {
            add((number, rule), &members, Some(name), ruling);
        }
    }
}

/// Takes a judgement: its rule, its scenarios, the name of a series, and the verdict.
type Add<'a, 'i> = dyn FnMut(NumberedRule<'i>, &[Numbered<'i>], Option<String>, Ruling) + 'a;

/// A rule with its number in the gate.
pub(super) type NumberedRule<'i> = (usize, &'i Rule);

/// A scenario with its number.
pub(super) type Numbered<'i> = (usize, &'i MeasuredScenario);

fn judge_one(
    rule: &Rule,
    figure: Option<Ratio>,
    measured: &MeasuredScenario,
    run: &Run<'_>,
) -> Ruling {
    let mut ruling = Ruling::new(figure);
    let accepted = if rule.requirement.needs_baseline() {
        run.referred.accepted(rule, measured)
    } else {
        Err(Code::NoAcceptedFigure)
    };
    ruling.baseline = accepted.ok();
    compare(rule, accepted, measured, run, &mut ruling);
    ruling
}

/// The figure of the first call, if it is above zero where the rule allows the iterations zero
/// only, and the gate has no rule on the first call.
fn first_above_zero(
    rule: &Rule,
    gate: &Gate,
    measured: &MeasuredScenario,
    ruling: &Ruling,
) -> Option<Ratio> {
    if ruling.measured != Some(Ratio::ZERO) || ruling.verdict == Verdict::Fail {
        return None;
    }
    let mut comparisons = rule.requirement.comparisons().iter();
    let allows_zero_only = comparisons.any(|comparison| {
        matches!(comparison.operator, Operator::Equal | Operator::LessOrEqual)
            && matches!(comparison.limit, Limit::Number(limit) if limit.value() == Ratio::ZERO)
    });
    let mut rules = gate.rules.iter();
    let limits_first =
        rules.any(|other| other.metric == rule.metric && other.statistic == Statistic::First);
    let first = rule.metric.figure(Statistic::First, &measured.record)?;
    (allows_zero_only && !limits_first && first > Ratio::ZERO).then_some(first)
}
