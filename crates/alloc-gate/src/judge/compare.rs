//! [`compare`]: checks a figure against the limits of a rule.

use alloc_requirement::Operator;
use alloc_results::Ratio;

use crate::evaluation::{
    Absence, BrokenComparison, ComputedLimit, Details, Judgement, ReferencedFigure, Verdict,
};
use crate::figure::{Exact, ratio};
use crate::judge::judgement::absence;
use crate::judge::run::Run;
use crate::requirement::{FigureShare, Limit, LimitRange, Margin, MarginSize, Share, Side};
use crate::results::MeasuredScenario;
use crate::rules::{Reaction, Rule};

/// Compares the figure of the `judgement` with each limit of `rule`, and adds the verdicts. A
/// missing baseline does not keep the other limits from failing.
pub(super) fn compare(
    rule: &Rule,
    tolerance: Option<MarginSize>,
    accepted: Result<Ratio, Absence>,
    measured: &MeasuredScenario,
    run: &Run<'_>,
    judgement: &mut Judgement,
) {
    let finds_stale = run.policy.stale != Reaction::Allow;
    let Some(value) = judgement.measured else {
        judgement.verdict = Verdict::Missing(absence(rule, measured));
        return;
    };
    judgement.verdict = Verdict::Pass;
    for (number, comparison) in rule.requirement.comparisons().iter().enumerate() {
        let operator = comparison.operator;
        let (bound, reference) = match &comparison.limit {
            Limit::Number(amount) => (Ok(Bound::Plain(ratio(amount.value()))), None),
            Limit::Baseline(None) => (accepted.map(Bound::Plain), None),
            Limit::Baseline(Some(margin)) => (
                accepted.map(|base| Bound::Exact(margin.limit(&base.into()))),
                None,
            ),
            Limit::Scenario(share) => other_scenario(rule, share, measured, run),
            Limit::Figure(share) => other_figure(rule, share, measured),
            // A series is judged by it, not a scenario.
            Limit::Growth(_) => continue,
        };
        let is_stale = || match (&comparison.limit, accepted) {
            (Limit::Baseline(margin), Ok(base)) if finds_stale => {
                is_better(operator, value, base, *margin, tolerance)
            }
            (_, Ok(_) | Err(_)) => false,
        };
        let (verdict, limit) = match bound {
            Err(absence) => (Verdict::Missing(absence), None),
            Ok(bound) if !holds(operator, value, &bound) => (Verdict::Fail, bound.broken_by(value)),
            Ok(bound) if is_stale() => (Verdict::Stale, bound.high()),
            Ok(bound) => (Verdict::Pass, bound.high()),
        };
        let computed = ComputedLimit {
            value: limit,
            reference,
        };
        add(judgement, number, verdict, computed);
    }
}

/// Adds the verdict on a further comparison. The first one of the worst kind decides: of those
/// that fail, or else of those with a missing limit, or else of those that are stale.
fn add(judgement: &mut Judgement, number: usize, verdict: Verdict, computed: ComputedLimit) {
    let before = judgement.verdict;
    let are_missing = verdict.absence().is_some() && before.absence().is_some();
    if verdict == Verdict::Fail && before == Verdict::Fail {
        let others = &mut judgement.details.get_or_insert_default().also_broken;
        others.push(BrokenComparison { number, computed });
    } else if verdict > before && !are_missing {
        judgement.verdict = verdict;
        judgement.decisive = Some(number);
        judgement.details = details(computed);
    } else if verdict == Verdict::Pass && before == Verdict::Pass {
        judgement.details = details(computed).or(judgement.details.take());
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

/// What a figure is compared with.
enum Bound {
    /// A number of the rules or a figure of the baseline.
    Plain(Ratio),
    /// A computed limit.
    Exact(LimitRange),
}

impl Bound {
    /// The limit that reports show beside a rule, unless the rules or the baseline have it. Of a
    /// range, the rule has the margin.
    fn high(self) -> Option<Exact> {
        match self {
            Self::Plain(_) => None,
            Self::Exact(range) => Some(range.high),
        }
    }

    /// The end that `value` is beyond, unless the rules or the baseline have it.
    fn broken_by(self, value: Ratio) -> Option<Exact> {
        match self {
            Self::Exact(range) if Exact::from(value) < range.low => Some(range.low),
            bound @ (Self::Plain(_) | Self::Exact(_)) => bound.high(),
        }
    }
}

/// A limit that is computed from another figure, and that figure.
type FromOther = (Result<Bound, Absence>, Option<ReferencedFigure>);

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
    let bound = value.map(|figure| Bound::Exact(share.limit(figure)));
    let referenced = ReferencedFigure {
        scenario: Some(scenario),
        metric: rule.metric.clone(),
        statistic: rule.statistic,
        value,
    };
    (bound.ok_or(Absence::Reference), Some(referenced))
}

/// The limit that is a share of another figure of the same scenario.
fn other_figure(rule: &Rule, share: &FigureShare, measured: &MeasuredScenario) -> FromOther {
    let (metric, statistic) = share.figure(&rule.metric, rule.statistic);
    let value = metric.figure(statistic, &measured.record);
    let bound = value.map(|figure| Bound::Exact(share.limit(figure)));
    let referenced = ReferencedFigure {
        scenario: None,
        metric: metric.clone(),
        statistic,
        value,
    };
    (bound.ok_or(Absence::OtherFigure), Some(referenced))
}

fn holds(operator: Operator, value: Ratio, bound: &Bound) -> bool {
    let LimitRange { low, high } = match bound {
        Bound::Plain(limit) => return operator.holds(&value, limit),
        Bound::Exact(range) => range,
    };
    let value = Exact::from(value);
    match operator {
        Operator::Equal => *low <= value && value <= *high,
        Operator::Less | Operator::LessOrEqual | Operator::GreaterOrEqual | Operator::Greater => {
            operator.holds(&value, high)
        }
    }
}

/// Whether `value` is better than the baseline's figure by more than the margin or
/// the gate's tolerance. Without either, a `<` or `>` limit excludes the limit
/// itself, so that the next whole number does not count as better.
fn is_better(
    operator: Operator,
    value: Ratio,
    base: Ratio,
    margin: Option<Margin>,
    tolerance: Option<MarginSize>,
) -> bool {
    let is_upper = match operator {
        Operator::Less | Operator::LessOrEqual => true,
        Operator::Greater | Operator::GreaterOrEqual => false,
        Operator::Equal => return false,
    };
    if margin.is_none() && tolerance.is_none() {
        return is_past(operator, value, base);
    }
    let base = Exact::from(base);
    let (from, size) = match margin {
        None => (base, tolerance),
        Some(margin) if (margin.side == Side::Above) == is_upper => (base, Some(margin.size)),
        // The margin asks for better than the baseline: compare with the limit.
        Some(margin) => (margin.limit(&base).low, tolerance),
    };
    let tolerated = size.map(|size| size.for_base(&from));
    let tolerated = tolerated.unwrap_or_else(|| Exact::from(Ratio::whole(0)));
    if is_upper {
        Exact::from(value) < &from - &tolerated
    } else {
        Exact::from(value) > &from + &tolerated
    }
}

/// Whether `value` is better than `limit`; for `<` and `>`, better than the next
/// whole number beyond it.
fn is_past(operator: Operator, value: Ratio, limit: Ratio) -> bool {
    match operator {
        Operator::LessOrEqual => value < limit,
        Operator::GreaterOrEqual => value > limit,
        Operator::Less => value < -next_above(-limit),
        Operator::Greater => value > next_above(limit),
        Operator::Equal => false,
    }
}

/// The smallest whole number above `value`.
fn next_above(value: Ratio) -> Ratio {
    Ratio::whole(value.floor() + 1)
}
