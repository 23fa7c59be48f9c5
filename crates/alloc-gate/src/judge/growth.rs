//! Judges rules on growth. Scenarios that differ only in the value of one axis form a series, and a
//! series is judged as a whole.

use alloc_results::{BenchId, ScenarioRecord};
use indexmap::IndexMap;

use crate::diagnostic::Code;
use crate::evaluation::{Details, Ruling, Verdict};
use crate::figure::{FitError, Growth, Statistic};
use crate::judge::rule::Numbered;
use crate::judge::rule::absence;
use crate::results::Environment;
use crate::results::axis::{axis_value, series_name, whole_number};
use crate::rules::{Gate, Rule};

/// A series with its name and its scenarios, and the verdict.
type Judged<'i> = (String, Vec<Numbered<'i>>, Ruling);

/// Judges each series among the scenarios by `rule`, in the order of measurement.
pub(super) fn judge<'i>(rule: &Rule, gate: &Gate, applies: &[Numbered<'i>]) -> Vec<Judged<'i>> {
    let axis = |record| axis(record, gate.growth_axis.as_deref());
    let mut series: IndexMap<(&BenchId, String, &Environment), Vec<Numbered<'i>>> = IndexMap::new();
    for &(number, measured) in applies {
        let record = &measured.record;
        let name = series_name(&record.name, &record.axes, axis(record));
        let key = (&measured.bench, name, &measured.environment);
        series.entry(key).or_default().push((number, measured));
    }
    let judged = series.into_iter().map(|((_, name, _), members)| {
        let mut ruling = Ruling::new(None);
        let details = ruling.details.get_or_insert_default();
        let axis = members.first().and_then(|(_, first)| axis(&first.record));
        ruling.verdict = match growth(rule, axis, &members, details) {
            Ok(growth) if rule.requirement.allows_growth(growth) => Verdict::Pass,
            Ok(_) => Verdict::Fail,
            Err(absence) => Verdict::Missing(absence),
        };
        ruling.decisive = (ruling.verdict == Verdict::Fail).then_some(0);
        (name, members, ruling)
    });
    judged.collect()
}

/// The growth of the figure, with which its points go to the `details`.
fn growth<'d>(
    rule: &Rule,
    axis: Option<&str>,
    members: &[Numbered<'_>],
    details: &'d mut Details,
) -> Result<&'d Growth, Code> {
    let axis = axis.ok_or(Code::NoAxis)?;
    for (_, measured) in members {
        let n = axis_value(&measured.record, axis).ok_or(Code::NoAxis)?;
        let mean = rule.metric.figure(Statistic::Mean, &measured.record);
        let mean = mean.ok_or_else(|| absence(rule, measured))?;
        details.points.push((n, mean));
    }
    let growth = Growth::fit(axis, &details.points).map_err(|error| match error {
        FitError::TooFewPoints => Code::TooFewPoints,
        FitError::SpanTooSmall => Code::PointsTooNear,
    })?;
    // The growth has them.
    details.points.clear();
    Ok(details.growth.insert(growth))
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
