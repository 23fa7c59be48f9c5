//! [`evaluate`]: judges measurements by the gates and waivers of a configuration. It
//! is a pure function, and compares figures as exact rationals.

use std::collections::HashSet;
use std::sync::Arc;

use alloc_results::{BenchId, Metric, Ratio};

use crate::evaluation::{
    Absence, Evaluation, Finding, FindingKind, GateSummary, Judgement, Overrides, Skip, Verdict,
};
use crate::figure::Statistic;
use crate::judge::applies::Applicability;
use crate::judge::compare::ScenariosByName;
use crate::judge::inputs::{DocumentState, Inputs, UncheckedBench};
use crate::judge::matching::Matching;
use crate::judge::nondeterministic::Differences;
use crate::judge::{applies, hidden_reallocs, left_out, rule, unreachable, waiver};
use crate::results::scenario_id::IdRef;
use crate::results::{MeasuredScenario, Measurements, Selection};
use crate::rules::{Config, Gate, Policy, Reaction};

/// Judges the measurements. It makes no tables; see [`pivot`](crate::pivot).
#[must_use]
pub fn evaluate(inputs: &Inputs<'_>) -> Evaluation {
    let baseline = inputs.moved_baseline();
    let inputs = &Inputs {
        baseline: baseline.as_deref(),
        ..*inputs
    };
    let config = inputs.config;
    let run = ScenariosByName::new(config, inputs.measurements);
    let matching = Matching::new(config, inputs.measurements);
    let count = inputs.measurements.scenarios().len();
    let mut notes = Notes {
        scenarios: vec![ScenarioNotes::default(); count],
        ..Notes::default()
    };
    let gates = config.gates.iter().enumerate();
    let mut gates: Vec<GateSummary> = gates
        .map(|(number, gate)| {
            judge(
                gate,
                matching.scenarios_of(number),
                &mut notes,
                inputs,
                &run,
            )
        })
        .collect();
    let mut findings = findings(&notes, inputs);
    let policy = &config.policy;
    let unreachable = notes.unreachable.into_iter();
    findings.extend(unreachable.filter_map(|kind| Finding::for_reaction(policy.unreachable, kind)));
    findings.extend(applies::findings(inputs, &gates, &matching));
    findings.extend(waiver::apply(&mut gates, inputs, |rule, measured| {
        rule::verdict(rule, measured, inputs, &run)
    }));
    findings.extend(hidden_reallocs::findings(&gates, inputs.measurements));
    Evaluation {
        gates,
        findings,
        ..unjudged(config, inputs.measurements, inputs.selection)
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
        accepted: Vec::new(),
        origins: Arc::clone(measurements.origins()),
        overrides: Overrides::default(),
        tables: Vec::new(),
        explained: Vec::new(),
        left_out: selection.left_out(),
        benches_left_out: 0,
        stale: config.policy.stale,
        is_acceptable: true,
    }
}

/// What gates say about the scenarios that they apply to, beside verdicts.
#[derive(Default)]
struct Notes<'i> {
    /// In the order of the measurements.
    scenarios: Vec<ScenarioNotes>,
    differences: Differences<'i>,
    /// The limits that no scenario can exceed.
    unreachable: Vec<FindingKind>,
}

#[derive(Clone, Default)]
struct ScenarioNotes {
    /// Whether a gate applies or refers to the scenario.
    is_gated: bool,
    /// The strictest reaction of its gates to other threads that allocate.
    foreign: Option<Reaction>,
}

impl<'i> Notes<'i> {
    fn note(
        &mut self,
        gate: &'i Gate,
        number: usize,
        measured: &MeasuredScenario,
        policy: &Policy,
    ) {
        let notes = &mut self.scenarios[number];
        notes.is_gated = true;
        if let Some(reaction) = gate.foreign {
            let known = notes.foreign.unwrap_or(reaction);
            notes.foreign = Some(known.or_stricter(reaction));
        }
        self.differences.note(gate, number, measured, policy);
    }
}

/// Judges those of the `matched` scenarios that the gate applies to, and adds to the `notes`.
fn judge<'i>(
    gate: &'i Gate,
    matched: &[usize],
    notes: &mut Notes<'i>,
    inputs: &Inputs<'i>,
    run: &ScenariosByName<'_>,
) -> GateSummary {
    let mut applicability = Applicability::new(gate, inputs);
    let scenarios = inputs.measurements.scenarios();
    let mut judged: Vec<&MeasuredScenario> = Vec::new();
    for &number in matched {
        let measured = &scenarios[number];
        if applicability.applies(measured.id(), &measured.environment) {
            judged.push(&scenarios[number]);
            notes.note(gate, number, measured, &inputs.config.policy);
            // A control scenario needs no limit of its own.
            for other in run.referenced(gate, measured) {
                notes.scenarios[other].is_gated = true;
            }
        }
    }
    let mut judgements = rule::judge(gate, &judged, inputs, run);
    let unreachable = unreachable::find(gate, &judged, inputs);
    notes.unreachable.extend(unreachable);
    let judged_any = !judgements.is_empty();
    if let Selection::Scenarios { .. } = inputs.selection {
        judgements.retain(|judgement| !lacks_others(judgement, inputs.measurements));
    }
    let unavailable = inputs.measurements.unavailable().iter();
    let unavailable = unavailable
        .filter(|one| applicability.applies(one.id(), &one.environment))
        .cloned()
        .collect();
    let (unmatched, mut skip) = applicability.finish();
    if judgements.is_empty() && judged_any {
        skip = Some(Skip::OthersNotSelected);
    }
    let mut summary = GateSummary {
        name: gate.name.clone(),
        reason: gate.reason.clone(),
        place: gate.place,
        verdict: Verdict::Skipped,
        scenarios: judged.len(),
        judgements,
        unmatched,
        benches: gate.benches.clone(),
        unavailable,
        excludes: !gate.exclude.is_empty(),
        skip,
    };
    summary.verdict = summary.worst();
    summary
}

/// Whether the judgement is missing because other scenarios, which it needs, were
/// not measured.
fn lacks_others(judgement: &Judgement, measurements: &Measurements) -> bool {
    match judgement.verdict {
        Verdict::Missing(Absence::LinePoints | Absence::Points | Absence::Span) => true,
        Verdict::Missing(Absence::Reference) => {
            let details = judgement.details.as_deref();
            let other = details.and_then(|details| details.computed.reference.as_ref());
            let other = other.and_then(|other| other.scenario.as_ref());
            other.is_some_and(|other| measurements.named(other).is_empty())
        }
        Verdict::Missing(
            Absence::Metric
            | Absence::Unit
            | Absence::Environment
            | Absence::Baseline
            | Absence::Iterations
            | Absence::Elements
            | Absence::OtherFigure
            | Absence::Axis
            | Absence::Scenario
            | Absence::Unavailable,
        )
        | Verdict::Skipped
        | Verdict::Pass
        | Verdict::Waived
        | Verdict::Stale
        | Verdict::Fail => false,
    }
}

/// The findings about scenarios, the run and the baseline's page.
fn findings(notes: &Notes<'_>, inputs: &Inputs<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let policy = &inputs.config.policy;
    let mut add = |reaction, kind| findings.extend(Finding::for_reaction(reaction, kind));
    let scenarios = inputs.measurements.scenarios().iter();
    for (number, (measured, noted)) in scenarios.zip(&notes.scenarios).enumerate() {
        let record = &measured.record;
        if !noted.is_gated {
            add(
                policy.ungated,
                FindingKind::Ungated {
                    scenario: measured.label(),
                    location: record.location.clone(),
                },
            );
        }
        for (reaction, ranges) in notes.differences.ranges(number) {
            add(
                reaction,
                FindingKind::Nondeterministic {
                    scenario: measured.label(),
                    location: record.location.clone(),
                    ranges,
                },
            );
        }
        for (reaction, kind) in left_out::findings(measured, noted.foreign, policy) {
            add(reaction, kind);
        }
    }
    for (measured, accepted) in fell_to_zero(inputs) {
        add(
            policy.fell_to_zero,
            FindingKind::FellToZero {
                scenario: measured.label(),
                location: measured.record.location.clone(),
                accepted,
            },
        );
    }
    for failure in inputs.measurements.failures() {
        let bench = failure.bench.clone();
        let scenario = failure.label();
        let location = failure.location.clone();
        let message = failure.message.clone();
        let kind = match failure.timed_out {
            true => FindingKind::TimedOut {
                bench,
                scenario,
                location,
                message,
            },
            false => FindingKind::Panicked {
                bench,
                scenario,
                location,
                message,
            },
        };
        add(Reaction::Deny, kind);
    }
    if inputs.measurements.is_filtered() {
        let reaction = match inputs.selection {
            Selection::Whole => Reaction::Deny,
            Selection::Selected => Reaction::Warn,
            Selection::Scenarios { .. } => Reaction::Allow,
        };
        add(reaction, FindingKind::Filtered);
    }
    for unchecked in inputs.unchecked {
        match unchecked.clone() {
            UncheckedBench::Unlisted(bench) if inputs.selection == Selection::Whole => {
                add(policy.unlisted, FindingKind::UnlistedBench { bench });
            }
            // The user asked for a part.
            UncheckedBench::Unlisted(_) => {}
            UncheckedBench::Unrecorded(bench) => {
                add(Reaction::Deny, FindingKind::UnrecordedBench { bench });
            }
        }
    }
    for (scenario, bench) in unmeasured(inputs) {
        add(Reaction::Deny, FindingKind::Unmeasured { scenario, bench });
    }
    if let (Selection::Whole, Some(_), Some(files)) =
        (inputs.selection, inputs.baseline, &inputs.config.baseline)
        && !inputs.config.compares_with_baseline()
    {
        let file = files.data.clone();
        add(policy.unused_baseline, FindingKind::UnusedBaseline { file });
    }
    if let Some((accepted, here)) = other_toolchain(inputs) {
        add(
            Reaction::Warn,
            FindingKind::OtherToolchain { accepted, here },
        );
    }
    let pages = inputs.config.baseline.iter().flat_map(|files| &files.pages);
    for (page, state) in pages.zip(inputs.documents) {
        let file = page.file.clone();
        match state {
            DocumentState::Current => {}
            DocumentState::Stale => {
                add(policy.stale_document, FindingKind::StaleDocument { file });
            }
            DocumentState::Absent => add(policy.stale_document, FindingKind::NoDocument { file }),
        }
    }
    findings
}

/// The scenarios that did not allocate, although at least one of 100 iterations did in the
/// baseline; with the accepted mean of `alloc-calls`.
fn fell_to_zero<'i>(inputs: &Inputs<'i>) -> impl Iterator<Item = (&'i MeasuredScenario, Ratio)> {
    const CALLS: Metric = Metric::AllocCalls;
    let baseline = inputs.baseline;
    let scenarios = inputs.measurements.scenarios().iter();
    scenarios.filter_map(move |measured| {
        let accepted = baseline?.accepted_in(&measured.environment)?;
        let accepted = accepted.scenarios.get(&measured.id())?;
        // Rarer allocations can be absent by chance.
        let allocated = accepted.figure(CALLS, Statistic::P99)? > Ratio::whole(0);
        let mut samples = measured.record.samples.iter();
        let is_zero = samples.all(|sample| CALLS.value(&sample.reading) == Some(0));
        let mean = accepted.figure(CALLS, Statistic::Mean)?;
        (allocated && is_zero).then_some((measured, mean))
    })
}

/// The scenarios that the baseline has for the environments of this run, but no
/// bench has any more. Without this finding, removing a scenario would pass.
fn unmeasured(inputs: &Inputs<'_>) -> Vec<(String, BenchId)> {
    let (Selection::Whole, Some(baseline)) = (inputs.selection, inputs.baseline) else {
        return Vec::new();
    };
    let measured = inputs.measurements.scenarios();
    // Unavailable scenarios were not removed: the bench has them, but can't measure them here.
    let ids: HashSet<IdRef<'_>> = inputs.measurements.ids().collect();
    baseline
        .environments()
        .iter()
        .filter(|accepted| {
            let mut environments = measured.iter().map(|measured| &measured.environment);
            environments.any(|here| here.is_built_like(&accepted.environment))
        })
        .flat_map(|accepted| accepted.scenarios.keys())
        .filter(|id| !ids.contains(&id.borrowed()))
        .map(|id| (id.name.clone(), id.bench.clone()))
        .collect()
}

/// The compilers of baseline and run, if they differ and a rule compares with the
/// baseline.
fn other_toolchain(inputs: &Inputs<'_>) -> Option<(String, String)> {
    if !inputs.config.compares_with_baseline() {
        return None;
    }
    let mut measured = inputs.measurements.scenarios().iter();
    measured.find_map(|measured| {
        let accepted = &inputs
            .baseline?
            .accepted_in(&measured.environment)?
            .environment
            .rustc;
        let here = &measured.environment.rustc;
        (accepted != here).then(|| (accepted.clone(), here.clone()))
    })
}
