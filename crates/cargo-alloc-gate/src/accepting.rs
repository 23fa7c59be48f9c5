//! What changes when a baseline is accepted, as a person reads it before the
//! commit.

use std::collections::BTreeSet;

use alloc_gate::Baseline;
use alloc_gate::Statistic;
use alloc_gate::baseline::{Accepted, AcceptedScenario};
use alloc_results::{Metric, mean};

/// A line for each scenario that is new, gone or different in `after`.
pub(crate) fn changes(before: &Baseline, after: &Baseline) -> Vec<String> {
    let mut lines = Vec::new();
    for now in after.environments() {
        let then = before.accepted_in(&now.environment);
        if then.is_none() {
            lines.push(format!("new environment: {}", now.environment));
        }
        lines.extend(in_environment(then, Some(now)));
    }
    for then in before.environments() {
        if after.accepted_in(&then.environment).is_none() {
            lines.push(format!("environment gone: {}", then.environment));
        }
    }
    lines
}

/// Whether the two have the same figures, whatever versions of compiler and
/// harness they name.
pub(crate) fn same_figures(before: &Baseline, after: &Baseline) -> bool {
    let figures = |baseline: &Baseline| -> Vec<_> {
        let environments = baseline.environments().iter();
        environments
            .map(|accepted| accepted.scenarios.clone())
            .collect()
    };
    changes(before, after).is_empty() && figures(before) == figures(after)
}

fn in_environment(then: Option<&Accepted>, now: Option<&Accepted>) -> Vec<String> {
    let scenario = |accepted: Option<&Accepted>, name: &str| {
        accepted.and_then(|accepted| accepted.scenarios.get(name).cloned())
    };
    let names: BTreeSet<&String> = [then, now]
        .into_iter()
        .flatten()
        .flat_map(|accepted| accepted.scenarios.keys())
        .collect();
    names
        .into_iter()
        .filter_map(|name| match (scenario(then, name), scenario(now, name)) {
            (None, Some(_)) => Some(format!("new: {name}")),
            (Some(_), None) => Some(format!("gone: {name}")),
            (Some(then), Some(now)) => {
                let changed = changed(&then, &now);
                (!changed.is_empty()).then(|| format!("{name}: {}", changed.join(", ")))
            }
            (None, None) => None,
        })
        .collect()
}

/// The metrics with another mean, `allocs 4.00 -> 3.00`, or else what differs
/// without one.
fn changed(then: &AcceptedScenario, now: &AcceptedScenario) -> Vec<String> {
    let mut changed: Vec<String> = Metric::ALL
        .into_iter()
        .filter_map(|metric| {
            let figure = |scenario: &AcceptedScenario| scenario.figure(metric, Statistic::Mean);
            let (old, new) = (figure(then), figure(now));
            let show = |value: Option<_>| {
                value.map_or_else(|| String::from("not measured"), |value| mean(value, 2))
            };
            (old != new).then(|| format!("{metric} {} -> {}", show(old), show(new)))
        })
        .collect();
    if changed.is_empty() && then != now {
        changed.push(String::from("iterations or single values differ"));
    }
    changed
}
