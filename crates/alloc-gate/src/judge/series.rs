//! Judges growth rules. Scenarios that differ only in the value of one axis form a
//! series, and a series is judged as a whole.

use std::collections::BTreeMap;

use alloc_results::{BenchId, Ratio, ScenarioRecord};

use crate::evaluation::{Absence, Details, Judgement, Verdict};
use crate::figure::{FitError, Growth, Statistic};
use crate::judge::judgement::{absence, blank};
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
            let (verdict, details) = judge_series(rule, series);
            let decisive = (verdict == Verdict::Fail).then_some(0);
            Some(Judgement {
                verdict,
                decisive,
                details: Some(Box::new(details)),
                ..blank(rule, &key.1, first)
            })
        })
        .collect()
}

/// The verdict of `rule` on one series.
fn judge_series(rule: &Rule, series: &Series<'_>) -> (Verdict, Details) {
    let missing = |absence, points| {
        let details = Details {
            points,
            ..Details::default()
        };
        (Verdict::Missing(absence), details)
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
    let growth = match Growth::fit(axis, &points) {
        Ok(growth) => growth,
        Err(FitError::TooFewPoints) => return missing(Absence::Points, points),
        Err(FitError::SpanTooSmall) => return missing(Absence::Span, points),
    };
    let verdict = match rule.requirement.allows_growth(&growth) {
        true => Verdict::Pass,
        false => Verdict::Fail,
    };
    let details = Details {
        growth: Some(growth),
        ..Details::default()
    };
    (verdict, details)
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
