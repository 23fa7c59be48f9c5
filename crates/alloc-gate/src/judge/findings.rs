//! Findings about the run: its scenarios, its benches, its baseline, and the conditions of rules.

use std::collections::{BTreeSet, HashSet};

use alloc_results::Metric;

use crate::evaluation::{
    Finding, FindingKind, GateProblem, GateSummary, RunProblem, ScenarioProblem,
};
use crate::figure::Statistic;
use crate::judge::inputs::{DocumentState, UncheckedBench};
use crate::judge::matching::Matching;
use crate::judge::notes::Notes;
use crate::judge::run::Run;
use crate::results::scenario_id::IdRef;
use crate::results::{MeasuredScenario, Selection};
use crate::rules::{Gate, Reaction, Unmet};

/// A finding, and the reaction of the policy to it.
type Reacted = (Reaction, FindingKind);

/// The findings about scenarios, benches and the baseline.
pub(super) fn of_run(run: &Run<'_>, notes: &Notes<'_>) -> Vec<Finding> {
    let mut found: Vec<Reacted> = Vec::new();
    for (number, measured) in run.scenarios().iter().enumerate() {
        let problems = notes.problems(number, measured, &run.policy).into_iter();
        found
            .extend(problems.map(|(reaction, problem)| {
                (reaction, FindingKind::of_scenario(measured, problem))
            }));
    }
    let zero = run.scenarios().iter();
    found.extend(zero.filter_map(|measured| fell_to_zero(measured, run)));
    found.extend(of_benches(run));
    found.extend(unmeasured(run));
    found.extend(unused_baseline(run));
    found.extend(other_toolchain(run));
    found.extend(of_page(run));
    let found = found.into_iter();
    found
        .filter_map(|(reaction, kind)| Finding::for_reaction(reaction, kind))
        .collect()
}

/// The scenarios that could not be measured, and the benches that were not.
fn of_benches(run: &Run<'_>) -> Vec<Reacted> {
    let mut found = Vec::new();
    for failure in run.inputs.measurements.failures() {
        let bench = failure.bench.clone();
        let message = failure.record.message.clone();
        let problem = if failure.record.timed_out {
            ScenarioProblem::TimedOut { bench, message }
        } else {
            ScenarioProblem::Panicked { bench, message }
        };
        let kind = FindingKind::Scenario {
            scenario: failure.label(),
            location: failure.record.location.clone(),
            problem,
        };
        found.push((Reaction::Deny, kind));
    }
    if run.inputs.measurements.is_filtered() {
        let reaction = match run.inputs.selection {
            Selection::Whole => Reaction::Deny,
            Selection::Selected => Reaction::Warn,
            Selection::Scenarios { .. } => Reaction::Allow,
        };
        found.push((reaction, FindingKind::Run(RunProblem::Filtered {})));
    }
    let unchecked = run.inputs.unchecked.iter().map(|unchecked| {
        match unchecked.clone() {
            UncheckedBench::Unlisted(bench) => {
                // The user asked for a part.
                let is_wanted = run.selects_all();
                let reaction = is_wanted.then_some(run.policy.unlisted);
                let reaction = reaction.unwrap_or(Reaction::Allow);
                (reaction, RunProblem::UnlistedBench { bench })
            }
            UncheckedBench::Unrecorded(bench) => {
                (Reaction::Deny, RunProblem::UnrecordedBench { bench })
            }
        }
    });
    found.extend(unchecked.map(|(reaction, problem)| (reaction, FindingKind::Run(problem))));
    found
}

/// A scenario that did not allocate, although at least one of 100 iterations did in the
/// baseline.
fn fell_to_zero(measured: &MeasuredScenario, run: &Run<'_>) -> Option<Reacted> {
    const CALLS: Metric = Metric::Allocs;
    let accepted = run
        .referred
        .baseline()?
        .accepted_in(&measured.environment)?;
    let accepted = accepted.scenarios.get(&measured.id())?;
    // Rarer allocations can be absent by chance.
    let allocated = accepted.is_often_above_zero(CALLS);
    let mut samples = measured.record.samples.iter();
    let is_zero = samples.all(|sample| CALLS.value(&sample.reading) == Some(0));
    let accepted = accepted.figure(CALLS, Statistic::Mean)?;
    (allocated && is_zero).then(|| {
        let kind = FindingKind::of_scenario(measured, ScenarioProblem::FellToZero { accepted });
        (run.policy.fell_to_zero, kind)
    })
}

/// The scenarios that the baseline has for the environments of this run, but no
/// bench has any more. Without this finding, removing a scenario would pass.
fn unmeasured(run: &Run<'_>) -> Vec<Reacted> {
    let baseline = run.referred.baseline().filter(|_| run.selects_all());
    let Some(baseline) = baseline else {
        return Vec::new();
    };
    // Unavailable scenarios were not removed: the bench has them, but can't measure them here.
    let ids: HashSet<IdRef<'_>> = run.inputs.measurements.ids().collect();
    let environments = baseline.environments().iter();
    environments
        .filter(|accepted| {
            let mut measured = run.scenarios().iter();
            measured.any(|one| one.environment.is_built_like(&accepted.environment))
        })
        .flat_map(|accepted| accepted.scenarios.keys())
        .filter(|id| !ids.contains(&id.borrowed()))
        .map(|id| {
            let (scenario, bench) = (id.name.clone(), id.bench.clone());
            let problem = RunProblem::Unmeasured { scenario, bench };
            (Reaction::Deny, FindingKind::Run(problem))
        })
        .collect()
}

/// The data of a baseline that no rule compares with.
fn unused_baseline(run: &Run<'_>) -> Option<Reacted> {
    let files = run.inputs.config.baseline.as_ref()?;
    let baseline = run.referred.baseline()?;
    let is_unused =
        run.selects_all() && !baseline.is_measured() && !run.inputs.config.compares_with_baseline();
    is_unused.then(|| {
        let file = files.data.clone();
        let problem = RunProblem::UnusedBaseline { file };
        (Reaction::Warn, FindingKind::Run(problem))
    })
}

/// The compilers of baseline and run, if they differ and a rule compares with the
/// baseline.
fn other_toolchain(run: &Run<'_>) -> Option<Reacted> {
    let baseline = run.referred.baseline()?;
    if !run.inputs.config.compares_with_baseline() {
        return None;
    }
    run.scenarios().iter().find_map(|measured| {
        let accepted = baseline.accepted_in(&measured.environment)?;
        let (accepted, here) = (&accepted.environment.rustc, &measured.environment.rustc);
        (accepted != here).then(|| {
            let problem = RunProblem::OtherToolchain {
                accepted: accepted.clone(),
                here: here.clone(),
            };
            (Reaction::Warn, FindingKind::Run(problem))
        })
    })
}

/// The page of the baseline, if it is out of date or absent.
fn of_page(run: &Run<'_>) -> Option<Reacted> {
    let file = run.inputs.config.baseline.as_ref()?.page.clone()?;
    let problem = match run.inputs.document? {
        DocumentState::Current => return None,
        DocumentState::Stale => RunProblem::StaleDocument { file },
        DocumentState::Absent => RunProblem::NoDocument { file },
    };
    Some((Reaction::Warn, FindingKind::Run(problem)))
}

/// The findings about where rules apply: excludes that match nothing, and conditions that can't
/// be decided.
pub(super) fn of_conditions(
    run: &Run<'_>,
    gates: &[GateSummary],
    matching: &Matching,
) -> Vec<Finding> {
    let mut kinds = Vec::new();
    let config = run.inputs.config;
    for (number, (gate, summary)) in config.gates.iter().zip(gates).enumerate() {
        if run.selects_all() && summary.skip.is_none() {
            let ids = run.ids(matching.scenarios_of(number));
            let idle = gate.filter.idle_exceptions(ids);
            kinds.extend(idle.map(|glob| {
                let pattern = glob.text().to_owned();
                let problem = GateProblem::UnmatchedExclude { pattern };
                FindingKind::of_gate(&gate.name, glob.place(), problem)
            }));
        }
        kinds.extend(undecided(gate, run));
    }
    kinds.into_iter().map(Finding::denied).collect()
}

/// The findings on a gate whose condition can't be decided in some environments.
fn undecided(gate: &Gate, run: &Run<'_>) -> Vec<FindingKind> {
    let condition = &gate.condition;
    let mut unknown: BTreeSet<&str> = BTreeSet::new();
    for environment in run.inputs.measurements.environments() {
        match condition.unmet(environment, run.inputs.cfgs) {
            Some(Unmet::UnknownTarget) => unknown.insert(&environment.target),
            Some(Unmet::UnknownRustc) => unknown.insert(&environment.rustc),
            Some(Unmet::When(_) | Unmet::Rustc(_)) | None => continue,
        };
    }
    let finding = |about: &str| {
        let problem = GateProblem::UnansweredCondition {
            condition: condition.to_string(),
            about: about.to_owned(),
        };
        FindingKind::of_gate(&gate.name, gate.place, problem)
    };
    unknown.into_iter().map(finding).collect()
}
