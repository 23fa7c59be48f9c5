//! [`compare`]: checks a figure against the limits of a rule.

use std::collections::HashMap;

use alloc_requirement::Operator;
use alloc_results::Ratio;

use crate::evaluation::{
    Absence, BrokenComparison, ComputedLimit, Details, ReferencedFigure, Verdict,
};
use crate::figure::{Exact, ratio};
use crate::requirement::{FigureShare, Limit, Margin, MarginSize, Share, Side};
use crate::results::scenario_id::qualified;
use crate::results::{MeasuredScenario, Measurements};
use crate::rules::{Config, Gate, Rule};

/// The scenarios of a run by name, for limits that refer to another scenario.
pub(super) struct ScenariosByName<'m> {
    scenarios: &'m [MeasuredScenario],
    /// The numbers of the scenarios of each name.
    by_name: HashMap<&'m str, Vec<usize>>,
}

impl<'m> ScenariosByName<'m> {
    /// Empty if no limit of `config` refers to a scenario.
    pub(super) fn new(config: &Config, measurements: &'m Measurements) -> Self {
        let scenarios = measurements.scenarios();
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        let of_gates = config.gates.iter().flat_map(|gate| &gate.rules);
        let of_waivers = config.waivers.iter().flat_map(|waiver| &waiver.rules);
        let mut limits = of_gates
            .chain(of_waivers)
            .flat_map(|rule| rule.requirement.comparisons())
            .map(|comparison| &comparison.limit);
        if !limits.any(|limit| matches!(limit, Limit::Scenario(_))) {
            return Self { scenarios, by_name };
        }
        for (number, measured) in scenarios.iter().enumerate() {
            let of_name = by_name.entry(measured.record.name.as_str());
            of_name.or_default().push(number);
        }
        Self { scenarios, by_name }
    }

    /// The number of the scenario called `name` that was built like `measured`: of the one of the
    /// same bench, or else of the only one.
    fn beside(&self, measured: &MeasuredScenario, name: &str) -> Option<usize> {
        let alike = |name: &str| {
            let of_name = self.by_name.get(name).into_iter().flatten().copied();
            of_name.filter(|&number| {
                let other = &self.scenarios[number];
                other.environment.is_built_like(&measured.environment)
            })
        };
        let mut found: Vec<usize> = alike(name).collect();
        if found.is_empty() {
            let ids = qualified(name);
            found.extend(ids.flat_map(|id| {
                alike(id.2).filter(move |&number| self.scenarios[number].is_called(id))
            }));
        }
        match found[..] {
            [only] => Some(only),
            _ => found
                .into_iter()
                .find(|&number| self.scenarios[number].bench == measured.bench),
        }
    }

    /// The numbers of the scenarios that limits of `gate` refer to, for `measured`.
    pub(super) fn referenced<'g>(
        &'g self,
        gate: &'g Gate,
        measured: &'g MeasuredScenario,
    ) -> impl Iterator<Item = usize> + 'g {
        let rules = gate.rules.iter();
        let comparisons = rules.flat_map(|rule| rule.requirement.comparisons());
        comparisons.filter_map(|comparison| {
            let Limit::Scenario(share) = &comparison.limit else {
                return None;
            };
            let name = share.reference.resolve(&measured.record.axes).ok()?;
            self.beside(measured, &name)
        })
    }
}

/// The result of [`compare`].
pub(super) struct LimitCheck {
    pub(super) verdict: Verdict,
    /// The first comparison that fails, or else the first with a missing limit, or
    /// else the first that is stale. The details have the others that fail.
    pub(super) decisive: Option<usize>,
    pub(super) details: Option<Box<Details>>,
}

impl LimitCheck {
    pub(super) const fn missing(absence: Absence) -> Self {
        Self {
            verdict: Verdict::Missing(absence),
            decisive: None,
            details: None,
        }
    }
}

/// The level that a figure is compared with.
enum Level {
    /// A number of the rules or a figure of the baseline.
    Plain(Ratio),
    /// A computed limit: the low and the high end of the range that `==` allows.
    Exact(Exact, Exact),
}

impl Level {
    /// Only the end that `value` is beyond.
    fn broken_by(self, value: Ratio) -> Self {
        match self {
            Self::Exact(low, _) if Exact::from(value) < low => Self::Exact(low.clone(), low),
            level @ (Self::Plain(_) | Self::Exact(_, _)) => level,
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
    run: &ScenariosByName<'_>,
) -> LimitCheck {
    let mut failed: Option<LimitCheck> = None;
    let mut missing = None;
    let mut stale = None;
    let mut last = None;
    for (number, comparison) in rule.requirement.comparisons().iter().enumerate() {
        let (level, reference) = match &comparison.limit {
            Limit::Number(amount) => (Ok(Level::Plain(ratio(amount.value()))), None),
            Limit::Baseline(None) => (accepted.map(Level::Plain), None),
            Limit::Baseline(Some(margin)) => (
                accepted.map(|base| {
                    let (low, high) = margin.limits(&base.into());
                    Level::Exact(low, high)
                }),
                None,
            ),
            Limit::Scenario(share) => referenced(rule, share, measured, run),
            Limit::Figure(share) => other_figure(rule, share, measured),
            // A series is judged by it, not a scenario.
            Limit::Growth(_) => continue,
        };
        let details = |level: Option<&Level>| details(level, reference.clone());
        let level = match level {
            Ok(level) => level,
            Err(absence) => {
                missing.get_or_insert(LimitCheck {
                    verdict: Verdict::Missing(absence),
                    decisive: Some(number),
                    details: details(None),
                });
                continue;
            }
        };
        if !holds(comparison.operator, value, &level) {
            let level = level.broken_by(value);
            match &mut failed {
                None => {
                    failed = Some(LimitCheck {
                        verdict: Verdict::Fail,
                        decisive: Some(number),
                        details: details(Some(&level)),
                    });
                }
                Some(first) => {
                    let others = &mut first.details.get_or_insert_default().also_broken;
                    others.push(BrokenComparison {
                        number,
                        computed: computed(Some(&level), reference.clone()),
                    });
                }
            }
            continue;
        }
        if let (Limit::Baseline(margin), Ok(base)) = (&comparison.limit, accepted)
            && is_better(comparison.operator, value, base, *margin, tolerance)
        {
            stale.get_or_insert(LimitCheck {
                verdict: Verdict::Stale,
                decisive: Some(number),
                details: details(Some(&level)),
            });
        }
        last = details(Some(&level)).or(last);
    }
    failed.or(missing).or(stale).unwrap_or(LimitCheck {
        verdict: Verdict::Pass,
        decisive: None,
        details: last,
    })
}

/// The figure that a limit refers to, if it refers to one.
type Referenced = Option<ReferencedFigure>;

/// The limit, unless the rules or the baseline have it.
fn computed(level: Option<&Level>, reference: Referenced) -> ComputedLimit {
    let value = level.and_then(|level| match level {
        Level::Plain(_) => None,
        // Of a range that holds, reports show the upper end: the rule beside it has the margin.
        Level::Exact(_, high) => Some(high.clone()),
    });
    ComputedLimit { value, reference }
}

fn details(level: Option<&Level>, reference: Referenced) -> Option<Box<Details>> {
    let computed = computed(level, reference);
    let is_known = computed != ComputedLimit::default();
    is_known.then(|| {
        Box::new(Details {
            computed,
            ..Details::default()
        })
    })
}

/// The limit that is a share of another scenario's figure, and that scenario.
fn referenced(
    rule: &Rule,
    share: &Share,
    measured: &MeasuredScenario,
    run: &ScenariosByName<'_>,
) -> (Result<Level, Absence>, Referenced) {
    let referenced = |scenario, value| {
        Some(ReferencedFigure {
            scenario: Some(scenario),
            metric: rule.metric.clone(),
            statistic: rule.statistic,
            value,
        })
    };
    let name = match share.reference.resolve(&measured.record.axes) {
        Ok(name) => name,
        Err(_) => {
            let name = share.reference.text().to_owned();
            return (Err(Absence::Reference), referenced(name, None));
        }
    };
    let other = run
        .beside(measured, &name)
        .map(|number| &run.scenarios[number]);
    let figure = other.and_then(|other| rule.metric.figure(rule.statistic, &other.record));
    let name = other.map_or(name, MeasuredScenario::label);
    let level = figure.map(|figure| {
        let (low, high) = share.limits(figure);
        Level::Exact(low, high)
    });
    (level.ok_or(Absence::Reference), referenced(name, figure))
}

/// The limit that is a share of another figure of the same scenario, and that figure.
fn other_figure(
    rule: &Rule,
    share: &FigureShare,
    measured: &MeasuredScenario,
) -> (Result<Level, Absence>, Referenced) {
    let (metric, statistic) = share.figure(&rule.metric, rule.statistic);
    let value = metric.figure(statistic, &measured.record);
    let level = value.map(|value| {
        let limit = &Exact::from(value) * &share.factor.into();
        Level::Exact(limit.clone(), limit)
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
    let (low, high) = match level {
        Level::Plain(limit) => return operator.holds(&value, limit),
        Level::Exact(low, high) => (low, high),
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
    let (from, tolerated) = match (margin, tolerance) {
        (Some(margin), _) if (margin.side == Side::Above) == is_upper => {
            (Exact::from(base), margin.size.for_base(&Exact::from(base)))
        }
        // The margin asks for better than the baseline: compare with the limit.
        (Some(margin), tolerance) => {
            let (limit, _) = margin.limits(&base.into());
            let tolerated = tolerance.map_or_else(zero, |size| size.for_base(&limit));
            (limit, tolerated)
        }
        (None, Some(size)) => (Exact::from(base), size.for_base(&Exact::from(base))),
        (None, None) => return is_past(operator, value, base),
    };
    if is_upper {
        Exact::from(value) < &from - &tolerated
    } else {
        Exact::from(value) > &from + &tolerated
    }
}

fn zero() -> Exact {
    Exact::from(Ratio::whole(0))
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
