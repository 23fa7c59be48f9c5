//! Finds rules that allow no `allocs` and pass although blocks are reallocated. `allocs`
//! does not count a vector that grows.

use std::collections::HashMap;

use alloc_results::{Metric, Ratio};

use crate::evaluation::{
    Finding, FindingKind, GateSummary, Judgement, Level, ScenarioProblem, Verdict,
};
use crate::figure::{Measure, Statistic};
use crate::requirement::{Comparison, Limit};
use crate::results::scenario_id::IdRef;
use crate::results::{MeasuredScenario, Measurements};

/// One finding for each rule, with its first scenario. Scenarios whose reallocations
/// another rule limits are left out.
pub(super) fn findings(gates: &[GateSummary], measurements: &Measurements) -> Vec<Finding> {
    // Distributions are slow to find.
    let mut all = gates.iter().flat_map(|gate| &gate.judgements);
    if !all.any(passes_as_zero) {
        return Vec::new();
    }
    let reallocating = reallocating(gates, measurements);
    let mut kinds: Vec<FindingKind> = Vec::new();
    for gate in gates {
        let of_zero = gate.judgements.iter().filter(|one| passes_as_zero(one));
        for judgement in of_zero {
            let measured = reallocating.get(&judgement.id());
            let figure = measured.and_then(|measured| reallocs(measured, judgement.statistic));
            let Some(figure) = figure else {
                continue;
            };
            let same_rule = kinds.iter_mut().find_map(|kind| {
                let FindingKind::Scenario { problem, .. } = kind else {
                    return None;
                };
                let ScenarioProblem::HiddenReallocs { place, others, .. } = problem else {
                    return None;
                };
                (*place == judgement.place).then_some(others)
            });
            if let Some(others) = same_rule {
                *others += 1;
                continue;
            }
            let problem = ScenarioProblem::HiddenReallocs {
                gate: gate.name.clone(),
                statistic: judgement.statistic,
                requirement: judgement.requirement.clone(),
                reallocs: figure,
                others: 0,
                place: judgement.place,
            };
            kinds.push(FindingKind::Scenario {
                scenario: judgement.label(),
                location: judgement.location.clone(),
                problem,
            });
        }
    }
    let warning = |kind| Finding {
        level: Level::Warn,
        kind,
    };
    kinds.into_iter().map(warning).collect()
}

/// The scenarios that reallocate, but for those with a rule that counts it.
fn reallocating<'m>(
    gates: &'m [GateSummary],
    measurements: &'m Measurements,
) -> HashMap<IdRef<'m>, &'m MeasuredScenario> {
    let scenarios = measurements.scenarios().iter();
    let mut reallocating: HashMap<IdRef<'_>, &MeasuredScenario> = scenarios
        .filter(|measured| {
            let mut of_calls = [Statistic::Max, Statistic::First].into_iter();
            of_calls.any(|statistic| reallocs(measured, statistic).is_some())
        })
        .map(|measured| (measured.id(), measured))
        .collect();
    for judgement in gates.iter().flat_map(|gate| &gate.judgements) {
        let counted = judgement.metric.counted();
        if counted.is_some_and(|metric| Metric::COUNTING_REALLOCS.contains(&metric)) {
            reallocating.remove(&judgement.id());
        }
    }
    reallocating
}

/// The figure of `reallocs`, if it is above zero.
fn reallocs(measured: &MeasuredScenario, statistic: Statistic) -> Option<Ratio> {
    let figure = Measure::Counted(Metric::Reallocs).figure(statistic, &measured.record)?;
    (figure > Ratio::whole(0)).then_some(figure)
}

/// Whether a rule on `allocs` passes at 0, and would not at 1.
fn passes_as_zero(judgement: &Judgement) -> bool {
    let is_zero_limit = |one: &Comparison| matches!(one.limit, Limit::Number(amount) if one.operator.requires_zero(amount.value()));
    let mut comparisons = judgement.requirement.comparisons().iter();
    judgement.verdict == Verdict::Pass
        && judgement.metric.counted() == Some(Metric::Allocs)
        && judgement.measured == Some(Ratio::whole(0))
        && comparisons.any(is_zero_limit)
}
