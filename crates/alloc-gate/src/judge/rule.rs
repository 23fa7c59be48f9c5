//! Judges the scenarios that a gate applies to: each rule on each scenario, by all its limits, and
//! each rule on growth on each series of scenarios, as a whole.

use std::slice;

use alloc_results::{BenchId, Operator, Ratio, ScenarioRecord};
use indexmap::IndexMap;

use crate::diagnostic::{Code, Diagnostic, Level, Where};
use crate::evaluation::{
    BrokenComparison, ComputedLimit, Details, ReferencedValue, Ruling, Verdict,
};
use crate::growth::{FitError, Growth, MIN_POINTS, MIN_SPAN};
use crate::judge::Run;
use crate::measure::{Measure, Statistic};
use crate::printable::quoted;
use crate::requirement::{Limit, Reference, Tolerance, value_words};
use crate::results::names::{axis_value, series_name, whole_number};
use crate::results::{Environment, MeasuredScenario};
use crate::rules::{Gate, Reaction, Rule};

/// The judgements of a gate: by scenario first, then by series.
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
        .map(|rule| (rule, run.values(rule.1)))
        .collect();
    for measured in applies {
        for &((number, rule), ref values) in &scenario_rules {
            let mut ruling = judge_one(rule, values[measured.0], measured.1, run);
            if let Some(first) = first_above_zero(rule, gate, measured.1, &ruling) {
                ruling.details.get_or_insert_default().first_call = Some(first);
            }
            add((number, rule), slice::from_ref(measured), None, ruling);
        }
    }
    for (number, rule) in rules().filter(is_on_growth) {
        for (name, members) in series(gate, applies) {
            let ruling = judge_series(rule, gate, &name, &members, run);
            add((number, rule), &members, Some(name), ruling);
        }
    }
}

/// Takes a judgement: its rule, its scenarios, the name of a series, and the verdict.
type Add<'a, 'i> = dyn FnMut(NumberedRule<'i>, &[Numbered<'i>], Option<String>, Ruling) + 'a;

pub(super) type NumberedRule<'i> = (usize, &'i Rule);

pub(super) type Numbered<'i> = (usize, &'i MeasuredScenario);

/// What a rule is judged on: a scenario, or a series with this name that begins with it.
struct Subject<'s, 'i> {
    rule: &'s Rule,
    measured: &'s MeasuredScenario,
    name: &'s str,
    run: &'s Run<'i>,
}

/// What a verdict lacks.
type Missing = Box<Diagnostic>;

/// Compares the value with each limit of the rule. A missing baseline does not keep the other
/// limits from failing.
fn judge_one(
    rule: &Rule,
    value: Option<Ratio>,
    measured: &MeasuredScenario,
    run: &Run<'_>,
) -> Ruling {
    let mut ruling = Ruling::new(value);
    let subject = Subject {
        rule,
        measured,
        name: &measured.record.name,
        run,
    };
    let needs_baseline = rule.requirement.needs_baseline();
    let accepted = needs_baseline.then(|| subject.accepted());
    let base = accepted
        .as_ref()
        .and_then(|found| found.as_ref().ok())
        .copied();
    ruling.baseline = base;
    let Some(value) = value else {
        ruling.lacks(subject.value_is_missing(measured));
        return ruling;
    };
    ruling.verdict = Verdict::Pass;
    let finds_stale = run.policy.stale != Reaction::Allow;
    let mut baseline = run.baseline().into_iter();
    let is_new = baseline.any(|baseline| baseline.is_older_than(measured.id()));
    for (number, comparison) in rule.requirement.comparisons().iter().enumerate() {
        let operator = comparison.operator;
        let mut reference = None;
        let limit = match &comparison.limit {
            Limit::Number(amount) => Ok(amount.value()),
            Limit::Baseline(_) if is_new => continue,
            Limit::Baseline(tolerance) => {
                let Some(accepted) = accepted.clone() else {
                    continue;
                };
                accepted.and_then(|base| match tolerance {
                    None => Ok(base),
                    Some(tolerance) => {
                        let limit = tolerance.limit(base);
                        limit.ok_or_else(|| subject.uncomputable_limit())
                    }
                })
            }
            Limit::Scenario(factor, other) => subject.limit_by(*factor, other, &mut reference),
            // A series is judged by it, not a scenario.
            Limit::Growth(_) => continue,
        };
        // Rules and the baseline have the others.
        let is_computed = matches!(
            comparison.limit,
            Limit::Baseline(Some(_)) | Limit::Scenario(..)
        );
        let is_stale = || match (&comparison.limit, base) {
            (Limit::Baseline(tolerance), Some(base)) if finds_stale => {
                is_better(operator, value, base, *tolerance)
            }
            (_, Some(_) | None) => false,
        };
        let verdict = match &limit {
            Err(missing) => Verdict::Missing(missing.code),
            Ok(limit) if !operator.holds(&value, limit) => Verdict::Fail,
            Ok(_) if is_stale() => Verdict::Stale,
            Ok(_) => Verdict::Pass,
        };
        let (value, missing) = match limit {
            Ok(limit) => (Some(limit).filter(|_| is_computed), None),
            Err(missing) => (None, Some(missing)),
        };
        let computed = ComputedLimit { value, reference };
        add(&mut ruling, number, verdict, computed, missing);
    }
    ruling
}

/// Adds the verdict on a further comparison. The first one of the worst kind decides: of those
/// that fail, or else of those with a missing limit, or else of those that are stale.
fn add(
    ruling: &mut Ruling,
    number: usize,
    verdict: Verdict,
    computed: ComputedLimit,
    missing: Option<Missing>,
) {
    let before = ruling.verdict;
    let are_missing = verdict.absence().is_some() && before.absence().is_some();
    let details = || {
        let is_known = missing.is_some() || computed != ComputedLimit::default();
        is_known.then(|| {
            Box::new(Details {
                computed: computed.clone(),
                missing: missing.clone(),
                ..Details::default()
            })
        })
    };
    if verdict == Verdict::Fail && before == Verdict::Fail {
        let others = &mut ruling.details.get_or_insert_default().also_broken;
        others.push(BrokenComparison { number, computed });
    } else if verdict > before && !are_missing {
        ruling.verdict = verdict;
        ruling.decisive = Some(number);
        ruling.details = details();
    } else if verdict == Verdict::Pass && before == Verdict::Pass {
        ruling.details = details().or(ruling.details.take());
    }
}

/// The value of the first call, if it is above zero where the rule allows the iterations zero
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
    let first = rule.metric.value(Statistic::First, &measured.record)?;
    (allows_zero_only && !limits_first && first > Ratio::ZERO).then_some(first)
}

/// Whether `value` is better than the baseline's value by more than the tolerance. Without one,
/// a `<` or `>` limit excludes the limit itself, so that the next whole number does not count as
/// better.
fn is_better(operator: Operator, value: Ratio, base: Ratio, tolerance: Option<Tolerance>) -> bool {
    let is_upper = match operator {
        Operator::Less | Operator::LessOrEqual => true,
        Operator::Greater | Operator::GreaterOrEqual => false,
        Operator::Equal => return false,
    };
    let Some(tolerance) = tolerance else {
        return is_past(operator, value, base);
    };
    let is_below = is_upper;
    let from = Tolerance {
        is_below,
        ..tolerance
    }
    .limit(base);
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

/// The scenarios that differ only in the value of one axis, by the name of the series, in the order
/// of measurement.
fn series<'i>(gate: &Gate, applies: &[Numbered<'i>]) -> Vec<(String, Vec<Numbered<'i>>)> {
    let mut series: IndexMap<(&BenchId, String, &Environment), Vec<Numbered<'i>>> = IndexMap::new();
    for &(number, measured) in applies {
        let record = &measured.record;
        let name = series_name(&record.name, &record.axes, axis(gate, record));
        let key = (&measured.bench, name, &measured.environment);
        series.entry(key).or_default().push((number, measured));
    }
    let named = series.into_iter();
    named
        .map(|((_, name, _), members)| (name, members))
        .collect()
}

/// The growth axis: the one that the gate names, or else the only axis of whole
/// numbers.
fn axis<'r>(gate: &'r Gate, record: &'r ScenarioRecord) -> Option<&'r str> {
    let mut axes = record.axes.iter();
    if let Some(named) = gate.growth_axis.as_deref() {
        return axes.any(|axis| axis.axis == named).then_some(named);
    }
    let mut numbers = axes.filter(|axis| whole_number(axis).is_some());
    match (numbers.next(), numbers.next()) {
        (Some(axis), None) => Some(&axis.axis),
        (_, Some(_)) | (None, None) => None,
    }
}

/// Judges a series by a rule on growth.
fn judge_series(
    rule: &Rule,
    gate: &Gate,
    name: &str,
    members: &[Numbered<'_>],
    run: &Run<'_>,
) -> Ruling {
    let mut ruling = Ruling::new(None);
    let measured = members[0].1;
    let subject = Subject {
        rule,
        measured,
        name,
        run,
    };
    let axis = axis(gate, &measured.record);
    let details = ruling.details.get_or_insert_default();
    match subject.growth(axis, members, &mut details.points) {
        Ok(growth) => {
            // It has them.
            details.points.clear();
            let holds = rule.requirement.allows_growth(&growth);
            details.growth = Some(growth);
            ruling.verdict = if holds { Verdict::Pass } else { Verdict::Fail };
            ruling.decisive = (!holds).then_some(0);
        }
        Err(missing) => ruling.lacks(missing),
    }
    ruling
}

impl Ruling {
    fn lacks(&mut self, missing: Missing) {
        self.verdict = Verdict::Missing(missing.code);
        self.details.get_or_insert_default().missing = Some(missing);
    }
}

/// What to do about values that the baseline does not have.
const ACCEPT: &str = "run `cargo alloc-gate accept`, and commit what it writes";

impl Subject<'_, '_> {
    fn accepted(&self) -> Result<Ratio, Missing> {
        let baseline = self.run.baseline();
        let accepted = baseline.and_then(|all| all.accepted_in(&self.measured.environment));
        let Some(accepted) = accepted else {
            return Err(self.no_environment());
        };
        let scenario = accepted.scenarios.get(&self.measured.id());
        let value = scenario.and_then(|one| one.value_of(&self.rule.metric, self.rule.statistic));
        value.ok_or_else(|| {
            let (value, scenario) = (self.value_words(), self.label());
            let message = format!("the baseline has no {value} of {scenario}");
            self.missing(Code::NoAcceptedValue, &message, self.accept())
        })
    }

    /// That the baseline has no values for the environment.
    fn no_environment(&self) -> Missing {
        const SHOWN: usize = 2;
        // It is not about this value.
        let missing = |message: &str, help: String| {
            let found = Diagnostic::new(Code::NoEnvironment, Level::Deny, Where::Nowhere, message);
            Missing::from(found.help(help))
        };
        let Some(baseline) = self.run.baseline() else {
            return missing("there is no baseline yet", self.accept());
        };
        let others = baseline.environments().iter();
        let others = others.map(|accepted| quoted(&accepted.environment.to_string()));
        let mut others: Vec<String> = others.collect();
        let here = quoted(&self.measured.environment.to_string());
        let mut message = format!("the baseline has no values for {here}");
        let mut help = self.accept();
        if !others.is_empty() && self.run.is_acceptable() {
            if let more @ 1.. = others.len().saturating_sub(SHOWN) {
                others.truncate(SHOWN);
                others.push(format!("{more} more"));
            }
            message += &format!("; it has values for {}", others.join(", "));
            help = "run `cargo alloc-gate accept` in this environment or on its recorded results \
                (`accept --results`), and commit what it writes; or limit the gate with `when`"
                .into();
        }
        missing(&message, help)
    }

    fn accept(&self) -> String {
        if self.run.is_acceptable() {
            ACCEPT.into()
        } else {
            format!("{ACCEPT}, name a base that has the value, or change the gate")
        }
    }

    fn uncomputable_limit(&self) -> Missing {
        let (value, scenario) = (self.value_words(), self.label());
        self.missing(
            Code::UncomputableLimit,
            &format!(
                "the limit of {value} for {scenario} has more digits than can be computed exactly"
            ),
            "write the factor or the tolerance with fewer decimals",
        )
    }

    /// The limit that is a multiple of another scenario's value, which becomes the `reference`.
    fn limit_by(
        &self,
        factor: Ratio,
        other: &Reference,
        reference: &mut Option<ReferencedValue>,
    ) -> Result<Ratio, Missing> {
        let (scenario, value) = match self.run.referred(other, self.measured) {
            Ok(number) => {
                let other = &self.run.scenarios()[number];
                let value = self.rule.metric.value(self.rule.statistic, &other.record);
                (other.label(), value)
            }
            Err(name) => (name, None),
        };
        let limit = match value {
            Some(value) => {
                let limit = value.checked_mul(factor);
                limit.ok_or_else(|| self.uncomputable_limit())
            }
            None => {
                let (value, here, other) = (self.value_words(), self.label(), quoted(&scenario));
                Err(self.missing(
                    Code::NoReference,
                    &format!(
                        "{here} can't be compared with {other}, which was not measured, has no \
                         {value}, or is in several benches"
                    ),
                    "see `cargo alloc-gate list` for the scenarios, and correct the name in \
                     brackets",
                ))
            }
        };
        *reference = Some(ReferencedValue { scenario, value });
        limit
    }

    /// The growth of the value over the axis, through the `points`.
    fn growth(
        &self,
        axis: Option<&str>,
        members: &[Numbered<'_>],
        points: &mut Vec<(u64, Ratio)>,
    ) -> Result<Growth, Missing> {
        let (value, scenario) = (self.value_words(), self.label());
        let no_axis = || {
            self.missing(
                Code::NoAxis,
                &format!("{scenario} has no axis of whole numbers, or several"),
                "sweep the scenario over an axis of whole numbers, and name the axis with \
                 `growth-axis` if there are several; or correct the patterns of the gate",
            )
        };
        let axis = axis.ok_or_else(no_axis)?;
        for (_, measured) in members {
            let n = axis_value(&measured.record, axis).ok_or_else(no_axis)?;
            let mean = self.rule.metric.value(Statistic::Mean, &measured.record);
            points.push((n, mean.ok_or_else(|| self.value_is_missing(measured))?));
        }
        Growth::fit(axis, points).map_err(|error| {
            let (code, message) = match error {
                FitError::TooFewPoints => (
                    Code::TooFewPoints,
                    format!(
                        "{scenario} has fewer than {MIN_POINTS} points above 0, too few for {value}"
                    ),
                ),
                FitError::SpanTooSmall => (
                    Code::PointsTooNear,
                    format!(
                        "the largest point of {scenario} is less than {MIN_SPAN} times the \
                         smallest, too close for {value}"
                    ),
                ),
            };
            let help = format!(
                "sweep at least {MIN_POINTS} values, the largest at least {MIN_SPAN} times the \
                 smallest"
            );
            self.missing(code, &message, help)
        })
    }

    /// Why a scenario does not have the value.
    fn value_is_missing(&self, measured: &MeasuredScenario) -> Missing {
        let (value, scenario) = (self.value_words(), self.label());
        let measure = &self.rule.metric;
        let metric = quoted(measure.name());
        if measure.is_in_other_unit(&measured.record) {
            let message = format!(
                "{metric} of {scenario} was measured in a unit other than `[metrics]` declares"
            );
            let help =
                format!("give {metric} the bench's unit in `[metrics]`, and check the limit");
            return self.missing(Code::OtherUnit, &message, help);
        }
        let has_mean = measure.value(Statistic::Mean, &measured.record).is_some();
        if self.rule.statistic == Statistic::PerElement && has_mean {
            let message = format!("{scenario} declares no number of elements above 0, for {value}");
            let help = "declare the number of elements in the bench, `.elements(|&n| n)`, or \
                        remove `per-element`";
            return self.missing(Code::NoElements, &message, help);
        }
        let help = match measure {
            Measure::Custom(_) => format!(
                "let the scenario measure {metric}, {}, or correct the patterns of the gate",
                quoted(&format!(".metric(\"{}\", ...)", measure.name()))
            ),
            Measure::ForeignAllocs => {
                "update alloc-scenario and measure again, or remove the requirement".into()
            }
            Measure::Counted(_) => format!(
                "{metric} is not measured on several threads in thread scope: give the scenario \
                 process scope, or remove the requirement"
            ),
        };
        let message = format!("{value} of {scenario} was not measured");
        self.missing(Code::UnmeasuredMetric, &message, help)
    }

    fn missing(&self, code: Code, message: &str, help: impl Into<String>) -> Missing {
        let place = self.run.in_rules(self.rule.place);
        let missing = Diagnostic::new(code, Level::Deny, place, message);
        missing.help(help).into()
    }

    fn value_words(&self) -> String {
        quoted(&value_words(&self.rule.metric, self.rule.statistic))
    }

    fn label(&self) -> String {
        quoted(&format!("{}{}", self.measured.qualifier, self.name))
    }
}
