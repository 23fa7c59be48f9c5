//! [`compare`]: checks a figure against the limits of a rule.

use alloc_requirement::Operator;
use alloc_results::Ratio;

use crate::evaluation::{
    Absence, BrokenComparison, ComputedLimit, Details, ReferencedFigure, Verdict,
};
use crate::figure::{Exact, ratio};
use crate::judge::run::Run;
use crate::requirement::{FigureShare, Limit, LimitRange, Margin, MarginSize, Share, Side};
use crate::results::MeasuredScenario;
use crate::rules::{Reaction, Rule};

/// The result of [`compare`].
pub(super) struct LimitCheck {
    pub(super) verdict: Verdict,
    /// The first comparison that fails, or else the first with a missing limit, or
    /// else the first that is stale. The details have the others that fail.
    pub(super) decisive: Option<usize>,
    pub(super) details: Option<Box<Details>>,
}

impl LimitCheck {
    const fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            decisive: None,
            details: None,
        }
    }

    pub(super) const fn missing(absence: Absence) -> Self {
        Self::new(Verdict::Missing(absence))
    }

    /// Adds the verdict on a further comparison. The first one of the worst kind decides.
    fn add(&mut self, number: usize, verdict: Verdict, computed: ComputedLimit) {
        let is_missing = |verdict: Verdict| verdict.absence().is_some();
        if verdict == Verdict::Fail && self.verdict == Verdict::Fail {
            let others = &mut self.details.get_or_insert_default().also_broken;
            others.push(BrokenComparison { number, computed });
        } else if verdict > self.verdict && !(is_missing(verdict) && is_missing(self.verdict)) {
            *self = Self {
                verdict,
                decisive: Some(number),
                details: details(computed),
            };
        } else if verdict == Verdict::Pass && self.verdict == Verdict::Pass {
            self.details = details(computed).or(self.details.take());
        }
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

/// The level that a figure is compared with.
enum Level {
    /// A number of the rules or a figure of the baseline.
    Plain(Ratio),
    /// A computed limit.
    Exact(LimitRange),
}

impl Level {
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
            level @ (Self::Plain(_) | Self::Exact(_)) => level.high(),
        }
    }
}

/// Compares `value` with each limit of `rule`, and notes all that fail. A missing baseline
/// does not keep the other limits from failing.
pub(super) fn compare(
    rule: &Rule,
    tolerance: Option<MarginSize>,
    value: Ratio,
    accepted: Result<Ratio, Absence>,
    measured: &MeasuredScenario,
    run: &Run<'_>,
) -> LimitCheck {
    let finds_stale = run.policy.stale != Reaction::Allow;
    let mut check = LimitCheck::new(Verdict::Pass);
    for (number, comparison) in rule.requirement.comparisons().iter().enumerate() {
        let operator = comparison.operator;
        let (level, reference) = match &comparison.limit {
            Limit::Number(amount) => (Ok(Level::Plain(ratio(amount.value()))), None),
            Limit::Baseline(None) => (accepted.map(Level::Plain), None),
            Limit::Baseline(Some(margin)) => (
                accepted.map(|base| Level::Exact(margin.limit(&base.into()))),
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
        let (verdict, limit) = match level {
            Err(absence) => (Verdict::Missing(absence), None),
            Ok(level) if !holds(operator, value, &level) => (Verdict::Fail, level.broken_by(value)),
            Ok(level) if is_stale() => (Verdict::Stale, level.high()),
            Ok(level) => (Verdict::Pass, level.high()),
        };
        let computed = ComputedLimit {
            value: limit,
            reference,
        };
        check.add(number, verdict, computed);
    }
    check
}

/// A limit that is computed from another figure, and that figure.
type FromOther = (Result<Level, Absence>, Option<ReferencedFigure>);

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
    let level = value.map(|figure| Level::Exact(share.limit(figure)));
    let referenced = ReferencedFigure {
        scenario: Some(scenario),
        metric: rule.metric.clone(),
        statistic: rule.statistic,
        value,
    };
    (level.ok_or(Absence::Reference), Some(referenced))
}

/// The limit that is a share of another figure of the same scenario.
fn other_figure(rule: &Rule, share: &FigureShare, measured: &MeasuredScenario) -> FromOther {
    let (metric, statistic) = share.figure(&rule.metric, rule.statistic);
    let value = metric.figure(statistic, &measured.record);
    let level = value.map(|value| {
        let limit = &Exact::from(value) * &share.factor.into();
        Level::Exact(LimitRange::at(limit))
    });
    let referenced = ReferencedFigure {
        scenario: None,
        metric: metric.clone(),
        statistic,
        value,
    };
    (level.ok_or(Absence::OtherFigure), Some(referenced))
}

fn holds(operator: Operator, value: Ratio, level: &Level) -> bool {
    let LimitRange { low, high } = match level {
        Level::Plain(limit) => return operator.holds(&value, limit),
        Level::Exact(range) => range,
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
