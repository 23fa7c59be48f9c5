//! Findings about the run: its scenarios, its benches, its baseline, and the conditions of rules.

use std::collections::{BTreeSet, HashSet};

use alloc_results::{BenchId, Metric, mean};

use crate::baseline::Baseline;
use crate::diagnostic::{Code, Diagnostic, Level, Where};
use crate::evaluation::GateSummary;
use crate::figure::Statistic;
use crate::judge::inputs::{DocumentState, UncheckedBench};
use crate::judge::matching::Matching;
use crate::judge::missing::SEE_LIST;
use crate::judge::notes::Notes;
use crate::judge::run::Run;
use crate::printable::{one_line, quoted};
use crate::results::scenario_id::IdRef;
use crate::results::{MeasuredScenario, ScenarioId, Selection};
use crate::rules::{Gate, Unmet};

/// The findings about scenarios, benches and the baseline.
pub(super) fn of_run(run: &Run<'_>, notes: &Notes<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (number, measured) in run.scenarios().iter().enumerate() {
        found.extend(notes.findings(number, measured, &run.policy));
    }
    let zero = run.scenarios().iter();
    found.extend(zero.filter_map(|measured| fell_to_zero(measured, run)));
    found.extend(of_benches(run));
    found.extend(unmeasured(run));
    found.extend(unused_baseline(run));
    found.extend(other_toolchain(run));
    found.extend(of_page(run));
    found
}

/// The scenarios that could not be measured, and the benches that were not.
fn of_benches(run: &Run<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for failure in run.inputs.measurements.failures() {
        let (label, why) = (failure.label(), one_line(&failure.record.message));
        let name = quoted(&label);
        let (code, message, help) = if failure.record.timed_out {
            let help = "give the scenario fewer iterations or more time, and measure again";
            (Code::TimedOut, format!("{name} timed out: {why}"), help)
        } else {
            let message = format!("{name} was not measured: {why}");
            (
                Code::Panicked,
                message,
                "fix the scenario, and measure again",
            )
        };
        let place = Where::scenario(&failure.bench, label, &failure.record.location);
        found.push(Diagnostic::new(code, Level::Deny, place, &message).help(help));
    }
    let filtered = match run.inputs.selection {
        Selection::Whole => Some(Level::Deny),
        Selection::Selected => Some(Level::Warn),
        Selection::Scenarios { .. } => None,
    };
    let filtered = filtered.filter(|_| run.inputs.measurements.is_filtered());
    found.extend(filtered.map(|level| {
        let message = "a filter left out scenarios of a bench, so they were not checked";
        Diagnostic::new(Code::Filtered, level, Where::Nowhere, message)
            .help("measure again without a filter")
    }));
    found.extend(
        run.inputs
            .unchecked
            .iter()
            .filter_map(|one| unchecked(one, run)),
    );
    found
}

fn unchecked(unchecked: &UncheckedBench, run: &Run<'_>) -> Option<Diagnostic> {
    match unchecked {
        UncheckedBench::Unlisted(bench) => {
            let file = one_line(run.inputs.config.file());
            // Otherwise the user asked for a part.
            let level = run.policy.unlisted.level().filter(|_| run.selects_all())?;
            let message = format!(
                "{file} does not name {}, a bench over alloc-scenario, so it did not run",
                quoted(&bench.to_string())
            );
            let BenchId { package, target } = bench;
            let [package, target] = [("package", package), ("target", target)]
                .map(|(key, value)| quoted(&format!("{key} = {value:?}")));
            Some(
                Diagnostic::new(
                    Code::UnlistedBench,
                    level,
                    Where::Bench(bench.clone()),
                    &message,
                )
                .help(format!(
                    "add `[[bench]]` with {package} and {target} to {file}; a third line, \
                         `run = false`, leaves it out"
                )),
            )
        }
        UncheckedBench::Unrecorded(bench) => {
            let message = format!(
                "the results have none of {}, so nothing of it was checked",
                quoted(&bench.to_string())
            );
            let place = Where::Bench(bench.clone());
            Some(
                Diagnostic::new(Code::UnrecordedBench, Level::Deny, place, &message).help(
                    "add the file that `cargo alloc-gate run` recorded for it, or select the \
                     other benches with --package and --bench",
                ),
            )
        }
    }
}

/// Who makes a change valid: `accept`, or beside a base, which was not accepted, the review.
fn approves(run: &Run<'_>, otherwise: &'static str) -> &'static str {
    if run.inputs.baseline.is_some_and(Baseline::is_measured) {
        otherwise
    } else {
        ""
    }
}

/// A scenario that did not allocate, although at least one of 100 iterations did in the
/// baseline.
fn fell_to_zero(measured: &MeasuredScenario, run: &Run<'_>) -> Option<Diagnostic> {
    const CALLS: Metric = Metric::Allocs;
    let level = run.policy.fell_to_zero.level()?;
    let baseline = run.referred.baseline()?;
    let accepted = baseline.accepted_in(&measured.environment)?;
    let accepted = accepted.scenarios.get(&measured.id())?;
    // Rarer allocations can be absent by chance.
    let allocated = accepted.is_often_above_zero(CALLS);
    let mut samples = measured.record.samples.iter();
    let is_zero = samples.all(|sample| CALLS.value(&sample.reading) == Some(0));
    let accepted = accepted.figure(CALLS, Statistic::Mean)?;
    if !allocated || !is_zero {
        return None;
    }
    let message = format!(
        "{} does not allocate any more; in the baseline, it has allocs {} per iteration",
        quoted(&measured.label()),
        mean(accepted, 0)
    );
    let help = format!(
        "check that the scenario still does its work; if it does, run `cargo alloc-gate accept` \
         and commit what it writes{}",
        approves(run, ", which approves it")
    );
    let place = measured.place();
    Some(Diagnostic::new(Code::FellToZero, level, place, &message).help(help))
}

/// The scenarios that the baseline has for the environments of this run, but no
/// bench has any more. Without this finding, removing a scenario would pass.
fn unmeasured(run: &Run<'_>) -> Vec<Diagnostic> {
    let baseline = run.referred.baseline().filter(|_| run.selects_all());
    let Some(baseline) = baseline else {
        return Vec::new();
    };
    // Unavailable scenarios were not removed: the bench has them, but can't measure them here.
    let ids: HashSet<IdRef<'_>> = run.inputs.measurements.ids().collect();
    let here = baseline.environments().iter().filter(|accepted| {
        let mut measured = run.scenarios().iter();
        measured.any(|one| one.environment.is_built_like(&accepted.environment))
    });
    let gone = here.flat_map(|accepted| accepted.scenarios.keys());
    let gone = gone.filter(|id| !ids.contains(&id.borrowed()));
    let help = format!(
        "if it was removed on purpose, run `cargo alloc-gate accept` and commit what it writes{}; \
         otherwise restore it",
        approves(
            run,
            ", which approves it, or wait until the base no longer has it"
        )
    );
    let finding = |id: &ScenarioId| {
        let message = format!(
            "{} of {} is in the baseline and was not measured",
            quoted(&id.name),
            quoted(&id.bench.to_string())
        );
        let place = Where::Bench(id.bench.clone());
        Diagnostic::new(Code::Unmeasured, Level::Deny, place, &message).help(&*help)
    };
    gone.map(finding).collect()
}

/// The data of a baseline that no rule compares with.
fn unused_baseline(run: &Run<'_>) -> Option<Diagnostic> {
    let files = run.inputs.config.baseline.as_ref()?;
    let baseline = run.referred.baseline()?;
    let is_unused =
        run.selects_all() && !baseline.is_measured() && !run.inputs.config.compares_with_baseline();
    let message = format!(
        "no gate compares with the baseline in {}, so it limits nothing",
        quoted(&files.data)
    );
    let found = Diagnostic::new(Code::UnusedBaseline, Level::Warn, Where::Nowhere, &message);
    is_unused.then(|| found.help("write `allocs = \"<= baseline\"` into a gate"))
}

/// The compilers of baseline and run, if they differ and a rule compares with the
/// baseline.
fn other_toolchain(run: &Run<'_>) -> Option<Diagnostic> {
    let baseline = run.referred.baseline()?;
    if !run.inputs.config.compares_with_baseline() {
        return None;
    }
    run.scenarios().iter().find_map(|measured| {
        let accepted = baseline.accepted_in(&measured.environment)?;
        let (accepted, here) = (&accepted.environment.rustc, &measured.environment.rustc);
        (accepted != here).then(|| {
            let message = format!(
                "the baseline was measured with {}, and this run with {}",
                quoted(accepted),
                quoted(here)
            );
            Diagnostic::new(Code::OtherToolchain, Level::Warn, Where::Nowhere, &message).help(
                "counts of std's collections may differ between compilers; accept with the one \
                 that CI uses",
            )
        })
    })
}

/// The page of the baseline, if it is out of date or absent.
fn of_page(run: &Run<'_>) -> Option<Diagnostic> {
    let page = quoted(run.inputs.config.baseline.as_ref()?.page.as_ref()?);
    let (code, message) = match run.inputs.document? {
        DocumentState::Current => return None,
        DocumentState::Stale => (Code::StaleDocument, format!("{page} is out of date")),
        DocumentState::Absent => (Code::NoDocument, format!("{page} does not exist")),
    };
    Some(
        Diagnostic::new(code, Level::Warn, Where::Nowhere, &message)
            .help("run `cargo alloc-gate accept`, and commit what it writes"),
    )
}

/// The findings about where rules apply: excludes that match nothing, and conditions that can't
/// be decided.
pub(super) fn of_conditions(
    run: &Run<'_>,
    gates: &[GateSummary],
    matching: &Matching,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let config = run.inputs.config;
    for (number, (gate, summary)) in config.gates.iter().zip(gates).enumerate() {
        if run.selects_all() && summary.skip.is_none() {
            let ids = run.ids(matching.scenarios_of(number));
            let idle = gate.filter.idle_exceptions(ids);
            found.extend(idle.map(|glob| {
                let message = format!(
                    "the gate {} excludes {}, which matches none of its scenarios",
                    quoted(&gate.name),
                    quoted(glob.text())
                );
                let place = run.in_rules(glob.place());
                Diagnostic::new(Code::UnmatchedExclude, Level::Deny, place, &message).help(SEE_LIST)
            }));
        }
        found.extend(undecided(gate, run));
    }
    found
}

/// The findings on a gate whose condition can't be decided in some environments.
fn undecided(gate: &Gate, run: &Run<'_>) -> Vec<Diagnostic> {
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
        let message = format!(
            "it is not known whether the gate {} applies: {} asks for more than is known of {}",
            quoted(&gate.name),
            quoted(&condition.to_string()),
            quoted(about)
        );
        let place = run.in_rules(gate.place);
        Diagnostic::new(Code::UnansweredCondition, Level::Deny, place, &message)
            .help("provide what `rustc --print cfg` prints for the target, or change the condition")
    };
    unknown.into_iter().map(finding).collect()
}
