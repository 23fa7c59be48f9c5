//! What the limit of a comparison comes to for a scenario, worked out beside
//! [`evaluate`](crate::evaluate()) and not by it.

use alloc_results::Ratio;

use crate::audit::{Found, Inconclusive, Why};
use crate::evaluation::{Absence, Judgement, Verdict};
use crate::figure::{Exact, ratio};
use crate::requirement::{Comparison, Limit};
use crate::results::MeasuredScenario;
use crate::rules::Rule;

/// The low and the high end of what the comparison is with; they differ for `==`
/// with a tolerance alone. `other` is the scenario of a name, built like
/// `measured`.
pub(super) fn of<'m>(
    rule: &Rule,
    comparison: &Comparison,
    judgement: &Judgement,
    measured: &MeasuredScenario,
    other: impl Fn(&str) -> Option<&'m MeasuredScenario>,
) -> Result<(Exact, Exact), Found> {
    let one = |figure: Ratio| (Exact::from(figure), Exact::from(figure));
    let missing = |absence| Found::Inconclusive(Inconclusive::Missing(absence));
    match &comparison.limit {
        Limit::Number(amount) => Ok(one(ratio(amount.value()))),
        Limit::Baseline(margin) => {
            let base = judgement.baseline.ok_or(missing(match judgement.verdict {
                Verdict::Missing(absence) => absence,
                Verdict::Skipped
                | Verdict::Pass
                | Verdict::Waived
                | Verdict::Stale
                | Verdict::Fail => Absence::Baseline,
            }))?;
            Ok(margin.map_or_else(|| one(base), |margin| margin.limits(base)))
        }
        Limit::Scenario(share) => {
            let absent = missing(Absence::Reference);
            let Ok(name) = share.reference.resolve(&measured.record.axes) else {
                return Err(absent);
            };
            if name == measured.record.name {
                return Err(Found::OutOfReach(Why::Itself));
            }
            let figure = other(&name).and_then(|m| rule.metric.figure(rule.statistic, &m.record));
            let bound = &Exact::from(figure.ok_or(absent)?) * &share.factor.into();
            Ok((bound.clone(), bound))
        }
        // Of a series, and not of a scenario.
        Limit::Growth(_) => Err(missing(Absence::Axis)),
    }
}
