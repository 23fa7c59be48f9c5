//! Judges the scenarios that a gate applies to: each rule on each scenario, by all its limits, and
//! each rule on growth on each series of scenarios.

use std::slice;

use alloc_results::{Operator, Ratio};

use crate::diagnostic::Code;
use crate::evaluation::{
    BrokenComparison, ComputedLimit, Details, ReferencedFigure, Ruling, Verdict,
};
use crate::figure::Statistic;
use crate::judge::growth;
use crate::judge::run::Run;
use crate::requirement::{Limit, Share, Side, Tolerance};
use crate::results::MeasuredScenario;
use crate::rules::{Gate, Reaction, Rule};

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
        for (name, members, ruling) in growth::judge(rule, gate, applies) {
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

/// Compares the figure of the `ruling` with each limit of `rule`, and adds the verdicts. A
/// missing baseline does not keep the other limits from failing.
pub(super) fn compare(
    rule: &Rule,
    accepted: Result<Ratio, Code>,
    measured: &MeasuredScenario,
    run: &Run<'_>,
    ruling: &mut Ruling,
) {
    let finds_stale = run.policy.stale != Reaction::Allow;
    let mut baseline = run.referred.baseline().into_iter();
    let is_new = baseline.any(|baseline| baseline.is_older_than(measured.id()));
    let Some(value) = ruling.measured else {
        ruling.verdict = Verdict::Missing(absence(rule, measured));
        return;
    };
    ruling.verdict = Verdict::Pass;
    for (number, comparison) in rule.requirement.comparisons().iter().enumerate() {
        let operator = comparison.operator;
        let (limit, reference) = match &comparison.limit {
            Limit::Number(amount) => (Ok(amount.value()), None),
            Limit::Baseline(_) if is_new => continue,
            Limit::Baseline(None) => (accepted, None),
            Limit::Baseline(Some(tolerance)) => {
                let limit = |base| tolerance.limit(base).ok_or(Code::UncomputableLimit);
                (accepted.and_then(limit), None)
            }
            Limit::Scenario(share) => other_scenario(rule, share, measured, run),
            // A series is judged by it, not a scenario.
            Limit::Growth(_) => continue,
        };
        // Rules and the baseline have the others.
        let is_computed = matches!(
            comparison.limit,
            Limit::Baseline(Some(_)) | Limit::Scenario(_)
        );
        let is_stale = || match (&comparison.limit, accepted) {
            (Limit::Baseline(tolerance), Ok(base)) if finds_stale => {
                is_better(operator, value, base, *tolerance)
            }
            (_, Ok(_) | Err(_)) => false,
        };
        let verdict = match limit {
            Err(absence) => Verdict::Missing(absence),
            Ok(limit) if !operator.holds(&value, &limit) => Verdict::Fail,
            Ok(_) if is_stale() => Verdict::Stale,
            Ok(_) => Verdict::Pass,
        };
        let computed = ComputedLimit {
            value: limit.ok().filter(|_| is_computed),
            reference,
        };
        add(ruling, number, verdict, computed);
    }
}

/// Adds the verdict on a further comparison. The first one of the worst kind decides: of those
/// that fail, or else of those with a missing limit, or else of those that are stale.
fn add(ruling: &mut Ruling, number: usize, verdict: Verdict, computed: ComputedLimit) {
    let before = ruling.verdict;
    let are_missing = verdict.absence().is_some() && before.absence().is_some();
    if verdict == Verdict::Fail && before == Verdict::Fail {
        let others = &mut ruling.details.get_or_insert_default().also_broken;
        others.push(BrokenComparison { number, computed });
    } else if verdict > before && !are_missing {
        ruling.verdict = verdict;
        ruling.decisive = Some(number);
        ruling.details = details(computed);
    } else if verdict == Verdict::Pass && before == Verdict::Pass {
        ruling.details = details(computed).or(ruling.details.take());
    }
}

fn details(computed: ComputedLimit) -> Option<Box<Details>> {
    let is_known = computed != ComputedLimit::default();
    is_known.then(|| {
        Box::new(Details {
            computed,
            ..Details::default()
        })
    })
}

/// A limit that is computed from another figure, and that figure.
type FromOther = (Result<Ratio, Code>, Option<ReferencedFigure>);

/// The limit that is a share of another scenario's figure.
fn other_scenario(
    rule: &Rule,
    share: &Share,
    measured: &MeasuredScenario,
    run: &Run<'_>,
) -> FromOther {
    let (scenario, value) = match run.referred.number(&share.reference, measured) {
        Ok(number) => {
            let other = &run.scenarios()[number];
            let figure = rule.metric.figure(rule.statistic, &other.record);
            (other.label(), figure)
        }
        Err(name) => (name, None),
    };
    let limit = match value {
        Some(figure) => share.limit(figure).ok_or(Code::UncomputableLimit),
        None => Err(Code::NoReference),
    };
    (limit, Some(ReferencedFigure { scenario, value }))
}

/// Whether `value` is better than the baseline's figure by more than the tolerance. Without one,
/// a `<` or `>` limit excludes the limit itself, so that the next whole number does not count as
/// better.
fn is_better(operator: Operator, value: Ratio, base: Ratio, tolerance: Option<Tolerance>) -> bool {
    let is_upper = match operator {
        Operator::Less | Operator::LessOrEqual => true,
        Operator::Greater | Operator::GreaterOrEqual => false,
        Operator::Equal => return false,
    };
    let Some(Tolerance { size, .. }) = tolerance else {
        return is_past(operator, value, base);
    };
    let side = if is_upper { Side::Below } else { Side::Above };
    let from = Tolerance { side, size }.limit(base);
    from.is_some_and(|from| if is_upper { value < from } else { value > from })
}

/// Whether `value` is better than `limit`; for `<` and `>`, better than the next
/// whole number beyond it.
fn is_past(operator: Operator, value: Ratio, limit: Ratio) -> bool {
    match operator {
        Operator::LessOrEqual => value < limit,
        Operator::GreaterOrEqual => value > limit,
        Operator::Less => value < Ratio::whole(limit.ceil() - 1),
        Operator::Greater => value > Ratio::whole(limit.floor() + 1),
        Operator::Equal => false,
    }
}

/// Why a scenario does not have the figure that `rule` needs.
pub(super) fn absence(rule: &Rule, measured: &MeasuredScenario) -> Code {
    let has_mean = || rule.metric.figure(Statistic::Mean, &measured.record);
    if rule.metric.is_in_other_unit(&measured.record) {
        Code::OtherUnit
    } else if rule.statistic == Statistic::PerElement && has_mean().is_some() {
        Code::NoElements
    } else {
        Code::UnmeasuredMetric
    }
}
