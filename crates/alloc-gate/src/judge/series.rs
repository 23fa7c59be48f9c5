//! Judges rules on growth, slope and intercept. Scenarios that differ only in the value of one axis form a
//! series, and a series is judged as a whole.

use std::collections::BTreeMap;

use alloc_results::{BenchId, Ratio, ScenarioRecord};

use crate::evaluation::{Absence, BrokenComparison, ComputedLimit, Details, Judgement, Verdict};
use crate::figure::{Exact, FitError, Growth, Line, Statistic, ratio};
use crate::judge::judgement::{absence, blank};
use crate::requirement::Limit;
use crate::results::axis::{axis_value, series_name, whole_number};
use crate::results::{Environment, MeasuredScenario};
use crate::rules::{Gate, Rule};

/// Scenarios that differ in one axis, in the order of measurement.
struct Series<'m> {
    axis: Option<String>,
    members: Vec<&'m MeasuredScenario>,
}

/// A judgement of `rule` on each series among the scenarios.
pub(super) fn judge(rule: &Rule, gate: &Gate, applies: &[&MeasuredScenario]) -> Vec<Judgement> {
    let mut series: BTreeMap<(&BenchId, String, &Environment), Series<'_>> = BTreeMap::new();
    let mut order = Vec::new();
    for measured in applies {
        let axis = axis(&measured.record, gate.growth_axis.as_deref());
        let key = (
            &measured.bench,
            series_name(&measured.record.name, &measured.record.axes, axis),
            &measured.environment,
        );
        if !series.contains_key(&key) {
            order.push(key.clone());
        }
        let series = series.entry(key).or_insert_with(|| Series {
            axis: axis.map(str::to_owned),
            members: Vec::new(),
        });
        series.members.push(measured);
    }
    order
        .into_iter()
        .filter_map(|key| {
            let series = series.get(&key)?;
            let first = series.members.first()?;
            let judged = judge_series(rule, series);
            Some(Judgement {
                verdict: judged.verdict,
                decisive: judged.decisive,
                measured: judged.measured,
                details: Some(Box::new(judged.details)),
                ..blank(rule, &key.1, first)
            })
        })
        .collect()
}

/// The result of a rule on one series.
struct JudgedSeries {
    verdict: Verdict,
    decisive: Option<usize>,
    /// The slope or the intercept.
    measured: Option<Ratio>,
    details: Details,
}

/// The verdict of `rule` on one series.
fn judge_series(rule: &Rule, series: &Series<'_>) -> JudgedSeries {
    let missing = |absence, points| JudgedSeries {
        verdict: Verdict::Missing(absence),
        decisive: None,
        measured: None,
        details: Details {
            points,
            ..Details::default()
        },
    };
    let Some(axis) = &series.axis else {
        return missing(Absence::Axis, Vec::new());
    };
    let mut points: Vec<(u64, Ratio)> = Vec::new();
    for measured in &series.members {
        let Some(n) = axis_value(&measured.record, axis) else {
            return missing(Absence::Axis, Vec::new());
        };
        let Some(figure) = rule.metric.figure(Statistic::Mean, &measured.record) else {
            return missing(absence(rule, measured), Vec::new());
        };
        points.push((n, figure));
    }
    let line = Line::fit(axis, &points);
    if rule.statistic != Statistic::Growth {
        return match line {
            Some(line) => judge_line(rule, line, points),
            None => missing(Absence::LinePoints, points),
        };
    }
    let growth = match Growth::fit(axis, &points) {
        Ok(growth) => growth,
        Err(FitError::TooFewPoints) => return missing(Absence::Points, points),
        Err(FitError::SpanTooSmall) => return missing(Absence::Span, points),
    };
    let (verdict, decisive) = if rule.requirement.allows_growth(&growth) {
        (Verdict::Pass, None)
    } else {
        (Verdict::Fail, Some(0))
    };
    JudgedSeries {
        verdict,
        decisive,
        measured: None,
        details: Details {
            growth: Some(growth),
            line,
            ..Details::default()
        },
    }
}

/// The verdict of a rule on the slope or the intercept. Its limits are numbers.
fn judge_line(rule: &Rule, line: Line, points: Vec<(u64, Ratio)>) -> JudgedSeries {
    let value = line.value(rule.statistic);
    let comparisons = rule.requirement.comparisons().iter().enumerate();
    let fails = comparisons.filter(|(_, comparison)| match (&comparison.limit, value) {
        (Limit::Number(limit), Some(value)) => {
            let limit = Exact::from(ratio(limit.value()));
            !comparison.operator.holds(value, &limit)
        }
        // The reader takes no other limits.
        _ => true,
    });
    let mut fails = fails.map(|(number, _)| number);
    let decisive = fails.next();
    let also_broken = fails.map(|number| BrokenComparison {
        number,
        computed: ComputedLimit::default(),
    });
    JudgedSeries {
        verdict: match decisive {
            Some(_) => Verdict::Fail,
            None => Verdict::Pass,
        },
        decisive,
        measured: value.and_then(Exact::rounded),
        details: Details {
            also_broken: also_broken.collect(),
            line: Some(line),
            points,
            ..Details::default()
        },
    }
}

/// The growth axis: the one that the gate names, or else the only axis of whole
/// numbers.
fn axis<'r>(record: &'r ScenarioRecord, named: Option<&'r str>) -> Option<&'r str> {
    if let Some(named) = named {
        return record
            .axes
            .iter()
            .any(|axis| axis.axis == named)
            .then_some(named);
    }
    let mut numbers = record
        .axes
        .iter()
        .filter(|axis| whole_number(axis).is_some());
    match (numbers.next(), numbers.next()) {
        (Some(axis), None) => Some(&axis.axis),
        (_, Some(_)) | (None, None) => None,
    }
}
