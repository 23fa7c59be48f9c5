//! Judging: [`evaluate`] turns gates, measurements and a baseline into an [`Evaluation`]. It is a
//! pure function, and compares figures as exact rationals.

mod findings;
mod gate;
mod growth;
mod kept;
mod matching;
mod missing;
mod rule;
mod run;

pub use matching::Matching;
pub use run::{DocumentState, Inputs, UncheckedBench};

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::baseline::Baseline;
use crate::evaluation::{Evaluation, GateSummary, InBaseline};
use crate::judge::findings::Notes;
use crate::judge::run::Run;
use crate::results::{MeasuredScenario, Measurements, Selection};
use crate::rules::Config;

/// Judges the measurements.
#[must_use]
pub fn evaluate(inputs: &Inputs<'_>) -> Evaluation {
    let run = Run::new(inputs);
    let matching = Matching::new(inputs.config, inputs.measurements);
    let mut notes = Notes::new(run.scenarios().len());
    let gates = inputs.config.gates.iter().enumerate();
    let gates: Vec<GateSummary> = gates
        .map(|(number, gate)| gate::judge(gate, matching.scenarios_of(number), &run, &mut notes))
        .collect();
    let mut findings = findings::of_run(&run, &notes);
    findings.extend(findings::of_conditions(&run, &gates, &matching));
    Evaluation {
        gates,
        findings,
        failed: notes.failed(),
        keeping: notes.keeping(run.scenarios()),
        stale: run.policy.stale,
        is_acceptable: !inputs.baseline.is_some_and(Baseline::is_measured),
        ..unjudged(inputs.config, inputs.measurements, inputs.selection)
    }
}

/// The measurements without any judgement.
#[must_use]
pub fn unjudged(config: &Config, measurements: &Measurements, selection: Selection) -> Evaluation {
    Evaluation {
        config_file: config.file().to_owned(),
        gates: Vec::new(),
        findings: Vec::new(),
        scenarios: measurements.shared(),
        failed: BTreeSet::new(),
        keeping: Vec::new(),
        accepted: Vec::new(),
        origins: Arc::clone(measurements.origins()),
        explained: Vec::new(),
        left_out: selection.left_out(),
        benches_left_out: 0,
        stale: config.policy.stale,
        is_acceptable: true,
    }
}

/// What the baseline has of each measured scenario; empty without a baseline.
#[must_use]
pub fn in_baseline(inputs: &Inputs<'_>) -> Vec<InBaseline> {
    let Some(baseline) = inputs.moved_baseline() else {
        return Vec::new();
    };
    let of = |measured: &MeasuredScenario| {
        if baseline.is_older_than(measured.id()) {
            return InBaseline::New;
        }
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
