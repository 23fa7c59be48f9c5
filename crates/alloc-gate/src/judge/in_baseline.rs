//! [`in_baseline`]: what the baseline has of each measured scenario, for reports.

use crate::evaluation::InBaseline;
use crate::judge::inputs::Inputs;
use crate::results::MeasuredScenario;

/// What the baseline has of each measured scenario; empty without a baseline.
#[must_use]
pub fn in_baseline(inputs: &Inputs<'_>) -> Vec<InBaseline> {
    let Some(baseline) = inputs.moved_baseline() else {
        return Vec::new();
    };
    let of = |measured: &MeasuredScenario| {
        let Some(accepted) = baseline.accepted_in(&measured.environment) else {
            let others = baseline.environments().iter();
            let others = others.map(|accepted| accepted.environment.to_string());
            return InBaseline::NoEnvironment {
                others: others.collect(),
            };
        };
        match accepted.scenarios.get(&measured.id()) {
            Some(scenario) => InBaseline::Accepted(Box::new(scenario.clone())),
            None => InBaseline::New,
        }
    };
    inputs.measurements.scenarios().iter().map(of).collect()
}
