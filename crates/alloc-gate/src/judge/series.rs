//! Judges rules on growth, slope and intercept. Scenarios that differ only
//! in the value of one axis form a series, and a series is judged as a whole.

use alloc_results::{BenchId, ScenarioRecord};
use indexmap::IndexMap;

use crate::evaluation::{Absence, BrokenComparison, ComputedLimit, Details, Judgement, Verdict};
use crate::figure::{Exact, FitError, Growth, Line, Statistic};
use crate::judge::judgement::{absence, blank};
use crate::requirement::Limit;
use crate::results::axis::{axis_value, series_name, whole_number};
use crate::results::{Environment, MeasuredScenario};
use crate::rules::{Gate, Rule};

/// A judgement of `rule` on each series among the scenarios, in the order of measurement.
pub(super) fn judge(rule: &Rule, gate: &Gate, applies: &[&MeasuredScenario]) -> Vec<Judgement> {
    let axis = |record| axis(record, gate.growth_axis.as_deref());
    let mut series: IndexMap<(&BenchId, String, &Environment), Vec<&MeasuredScenario>> =
        IndexMap::new();
    for measured in applies {
        let record = &measured.record;
        let name = series_name(&record.name, &record.axes, axis(record));
        let key = (&measured.bench, name, &measured.environment);
        series.entry(key).or_default().push(measured);
    }
    let judged = series.into_iter().filter_map(|((_, name, _), members)| {
        let first = members.first()?;
        let mut judgement = blank(rule, &name, first);
        let decisive = decisive(rule, axis(&first.record), &members, &mut judgement);
        judgement.verdict = match decisive {
            Ok(None) => Verdict::Pass,
            Ok(Some(_)) => Verdict::Fail,
            Err(absence) => Verdict::Missing(absence),
        };
        judgement.decisive = decisive.ok().flatten();
        Some(judgement)
    });
    judged.collect()
}

/// The number of the first comparison that fails. Adds the figures behind it to the `judgement`.
fn decisive(
    rule: &Rule,
    axis: Option<&str>,
    members: &[&MeasuredScenario],
    judgement: &mut Judgement,
) -> Result<Option<usize>, Absence> {
    let details: &mut Details = judgement.details.get_or_insert_default();
    let axis = axis.ok_or(Absence::Axis)?;
    let mut points = Vec::new();
    for measured in members {
        let n = axis_value(&measured.record, axis).ok_or(Absence::Axis)?;
        let mean = rule.metric.figure(Statistic::Mean, &measured.record);
        points.push((n, mean.ok_or_else(|| absence(rule, measured))?));
    }
    let line = Line::fit(axis, &points);
    details.points = points;
    if rule.statistic == Statistic::Growth {
        let growth = Growth::fit(axis, &details.points).map_err(|error| match error {
            FitError::TooFewPoints => Absence::Points,
            FitError::SpanTooSmall => Absence::Span,
        })?;
        // The growth has them.
        details.points.clear();
        details.line = line;
        let growth = details.growth.insert(growth);
        return Ok((!rule.requirement.allows_growth(growth)).then_some(0));
    }

    let value = details
        .line
        .insert(line.ok_or(Absence::LinePoints)?)
        .value(rule.statistic);
    judgement.measured = value.and_then(Exact::rounded);
    let comparisons = rule.requirement.comparisons().iter().enumerate();
    let fails = comparisons.filter(|(_, comparison)| match (&comparison.limit, value) {
        (Limit::Number(limit), Some(value)) => {
            let limit = Exact::from(limit.value());
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
    details.also_broken = also_broken.collect();
    Ok(decisive)
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
