//! The value that a limit has for a scenario. The audit computes it again instead of
//! taking it from [`evaluate`](crate::evaluate()), which it checks.

use alloc_results::{Ratio, ScenarioRecord};

use crate::audit::{Found, Inconclusive, Why};
use crate::evaluation::{Absence, Judgement};
use crate::figure::ratio;
use crate::requirement::{Comparison, Limit, LimitRange};
use crate::results::MeasuredScenario;
use crate::rules::Rule;

/// The limit of `comparison`. `record` is that of `measured`, or an altered one. `other` finds a
/// scenario by name that was built like `measured`.
pub(super) fn ends<'m>(
    rule: &Rule,
    comparison: &Comparison,
    judgement: &Judgement,
    measured: &MeasuredScenario,
    record: &ScenarioRecord,
    other: impl Fn(&str) -> Option<&'m MeasuredScenario>,
) -> Result<LimitRange, Found> {
    let at = |figure: Ratio| LimitRange::at(figure.into());
    let missing = |absence| Found::Inconclusive(Inconclusive::Missing(absence));
    match &comparison.limit {
        Limit::Number(amount) => Ok(at(ratio(amount.value()))),
        Limit::Baseline(margin) => {
            let absence = judgement.verdict.absence();
            let absence = absence.unwrap_or(Absence::Baseline);
            let base = judgement.baseline.ok_or(missing(absence))?;
            Ok(margin.map_or_else(|| at(base), |margin| margin.limit(&base.into())))
        }
        Limit::Scenario(share) => {
            let absent = missing(Absence::Reference);
            let Ok(name) = share.reference.resolve(&measured.record.axes) else {
                return Err(absent);
            };
            if name == measured.record.name || name == measured.label() {
                return Err(Found::Unbreakable(Why::Itself));
            }
            let figure = other(&name).and_then(|m| rule.metric.figure(rule.statistic, &m.record));
            Ok(share.limit(figure.ok_or(absent)?))
        }
        Limit::Figure(share) => {
            let (metric, statistic) = share.figure(&rule.metric, rule.statistic);
            let figure = metric.figure(statistic, record);
            Ok(share.limit(figure.ok_or(missing(Absence::OtherFigure))?))
        }
        // A series is judged by it, not a scenario.
        Limit::Growth(_) => Err(missing(Absence::Axis)),
    }
}
