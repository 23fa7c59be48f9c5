//! [`compare`]: checks a figure against the limits of a rule.

use alloc_results::{Operator, Ratio};

use crate::diagnostic::Code;
use crate::evaluation::{
    BrokenComparison, ComputedLimit, Details, ReferencedFigure, Ruling, Verdict,
};
use crate::figure::Statistic;
use crate::judge::run::Run;
use crate::requirement::{Limit, Share, Side, Tolerance};
use crate::results::MeasuredScenario;
use crate::rules::{Reaction, Rule};

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
