//! Finds limits that no figure can exceed: the gate would always hold.

use alloc_requirement::Operator;
use alloc_results::Ratio;

use crate::evaluation::{FindingKind, GateProblem};
use crate::figure::{Exact, Measure, Statistic};
use crate::judge::run::Run;
use crate::requirement::{Comparison, Limit};
use crate::results::MeasuredScenario;
use crate::rules::{Gate, Reaction, Rule};

/// The limits of `gate` that none of the scenarios it applies to can exceed. Lower limits of
/// the baseline are left out, since the next baseline may be higher.
pub(super) fn find(gate: &Gate, applies: &[&MeasuredScenario], run: &Run<'_>) -> Vec<FindingKind> {
    // A scenario that was left out may exceed the limit.
    if !run.inputs.is_whole() || run.policy.unreachable == Reaction::Allow {
        return Vec::new();
    }
    let mut found = Vec::new();
    for rule in &gate.rules {
        for comparison in rule.requirement.comparisons() {
            let mut all = applies.iter();
            let problem = |measured: &&MeasuredScenario| problem(rule, comparison, measured, run);
            let Some(first) = all.next().and_then(problem) else {
                continue;
            };
            if all.all(|measured| problem(measured).is_some()) {
                found.push(FindingKind::of_gate(&gate.name, rule.place, first));
            }
        }
    }
    found
}

/// Why the scenario can't exceed the limit; `None` if it can.
fn problem(
    rule: &Rule,
    comparison: &Comparison,
    measured: &MeasuredScenario,
    run: &Run<'_>,
) -> Option<GateProblem> {
    let problem = |most: Option<Exact>| GateProblem::UnreachableLimit {
        metric: rule.metric.clone(),
        statistic: rule.statistic,
        comparison: comparison.clone(),
        most,
    };
    let record = &measured.record;
    let limit = match &comparison.limit {
        Limit::Scenario(share) => {
            let other = share.reference.resolve(&record.axes).ok()?;
            return (other == record.name || other == measured.label()).then(|| problem(None));
        }
        Limit::Number(amount) => Exact::from(amount.value()),
        Limit::Baseline(margin) => {
            let base = run.referred.accepted(rule, measured).ok()?;
            margin.map_or_else(|| base.into(), |margin| margin.limit(&base.into()).high)
        }
        // Of these, what can't be exceeded is a mistake in the rules.
        Limit::Figure(_) | Limit::Growth(_) => return None,
    };
    let most = most(rule, record.iterations);
    let is_beyond = match comparison.operator {
        Operator::Less => limit > most,
        Operator::LessOrEqual => limit >= most,
        Operator::Equal | Operator::GreaterOrEqual | Operator::Greater => false,
    };
    is_beyond.then(|| problem(Some(most)))
}

/// The largest figure that a record of so many iterations can have.
fn most(rule: &Rule, iterations: u64) -> Exact {
    let most = Exact::from(Ratio::whole(*rule.metric.range().end()));
    match (rule.statistic, &rule.metric) {
        (Statistic::Total, Measure::Counted(_) | Measure::Custom(_)) => {
            &most * &Ratio::from(iterations).into()
        }
        (_, _) => most,
    }
}
