//! The parts of a [`Judgement`] that do not depend on its verdict, and the reason
//! why a figure is missing.

use crate::evaluation::{Absence, Judgement, Verdict};
use crate::figure::Statistic;
use crate::results::MeasuredScenario;
use crate::rules::Rule;

/// A judgement of `rule` on `scenario` before it has a verdict.
pub(super) fn blank(rule: &Rule, scenario: &str, measured: &MeasuredScenario) -> Judgement {
    Judgement {
        scenario: scenario.to_owned(),
        bench: measured.bench.clone(),
        qualifier: measured.qualifier.clone(),
        location: measured.record.location.clone(),
        metric: rule.metric.clone(),
        statistic: rule.statistic,
        requirement: rule.requirement.clone(),
        place: rule.place,
        measured: None,
        baseline: None,
        decisive: None,
        details: None,
        verdict: Verdict::Skipped,
    }
}

/// Why a scenario does not have the figure that `rule` needs.
pub(super) fn absence(rule: &Rule, measured: &MeasuredScenario) -> Absence {
    let has_mean = || rule.metric.figure(Statistic::Mean, &measured.record);
    if rule.metric.is_in_other_unit(&measured.record) {
        Absence::Unit
    } else if rule.statistic == Statistic::PerElement && has_mean().is_some() {
        Absence::Elements
    } else {
        Absence::Metric
    }
}
