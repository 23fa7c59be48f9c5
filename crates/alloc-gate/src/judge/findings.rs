//! Findings: about the run, its benches, its baseline and the conditions of rules; and, as [`Notes`],
//! what gates say about their scenarios besides verdicts.

use std::collections::{BTreeSet, HashMap, HashSet};

use alloc_results::{BenchId, Metric, ScenarioRecord, Scope, Tally, integer, mean};

use crate::diagnostic::{Code, Diagnostic, Level, Where};
use crate::evaluation::GateSummary;
use crate::judge::Run;
use crate::judge::SEE_LIST;
use crate::judge::{DocumentState, UncheckedBench};
use crate::measure::{Measure, Statistic, counted_exactly, enumerated};
use crate::printable::{one_line, quoted};
use crate::results::names::{IdRef, ScenarioId};
use crate::results::{MeasuredScenario, Selection};
use crate::rules::{Gate, Policy, Reaction, Unmet};

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
                "{file} does not list {}, a bench that uses alloc-scenario, so it did not run",
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
                    "add `[[bench]]` with {package} and {target} to {file}; add `run = false` to leave it out"
                )),
            )
        }
        UncheckedBench::Unrecorded(bench) => {
            let message = format!(
                "there are no results of {}, so none of its scenarios was checked",
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

/// A scenario that did not allocate, although at least one of 100 iterations did in the
/// baseline.
fn fell_to_zero(measured: &MeasuredScenario, run: &Run<'_>) -> Option<Diagnostic> {
    const CALLS: Metric = Metric::Allocs;
    let level = run.policy.fell_to_zero.level()?;
    let baseline = run.baseline()?;
    let accepted = baseline.accepted_in(&measured.environment)?;
    let accepted = accepted.scenarios.get(&measured.id())?;
    // Rarer allocations can be absent by chance.
    let allocated = accepted.is_often_above_zero(CALLS);
    let mut samples = measured.record.samples.iter();
    let is_zero = samples.all(|sample| CALLS.value(&sample.reading) == Some(0));
    let accepted = accepted.value(CALLS, Statistic::Mean)?;
    if !allocated || !is_zero {
        return None;
    }
    let message = format!(
        "{} no longer allocates; the baseline has allocs {} per iteration",
        quoted(&measured.label()),
        mean(accepted, 0)
    );
    let help = "check that the scenario still does its work; if it does, run `cargo alloc-gate \
                accept` and commit what it writes";
    let place = measured.place();
    Some(Diagnostic::new(Code::FellToZero, level, place, &message).help(help))
}

/// The scenarios that the baseline has for the environments of this run, but no
/// bench has any more. Without this finding, removing a scenario would pass.
fn unmeasured(run: &Run<'_>) -> Vec<Diagnostic> {
    let baseline = run.baseline().filter(|_| run.selects_all());
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
    let help = "if it was removed on purpose, run `cargo alloc-gate accept` and commit what it \
                writes; otherwise restore it";
    let finding = |id: &ScenarioId| {
        let message = format!(
            "{} of {} is in the baseline but was not measured",
            quoted(&id.name),
            quoted(&id.bench.to_string())
        );
        let place = Where::Bench(id.bench.clone());
        Diagnostic::new(Code::Unmeasured, Level::Deny, place, &message).help(help)
    };
    gone.map(finding).collect()
}

/// The data of a baseline that no rule compares with.
fn unused_baseline(run: &Run<'_>) -> Option<Diagnostic> {
    let files = run.inputs.config.baseline.as_ref()?;
    let baseline = run.baseline()?;
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
    let baseline = run.baseline()?;
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
                "std's collections may allocate differently; run `cargo alloc-gate accept` with \
                 the toolchain that CI uses",
            )
        })
    })
}

/// The page of the baseline, if it is out of date or absent.
fn of_page(run: &Run<'_>) -> Option<Diagnostic> {
    let page = quoted(run.inputs.config.baseline.as_ref()?.page.as_ref()?);
    let (code, message) = match run.inputs.document? {
        DocumentState::Current => return None,
        // There is no baseline yet, which is said where it is missed.
        DocumentState::Absent if run.baseline().is_none() => return None,
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
pub(super) fn of_conditions(run: &Run<'_>, gates: &[GateSummary]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let config = run.inputs.config;
    for (gate, summary) in config.gates.iter().zip(gates) {
        if run.selects_all() && summary.skip.is_none() {
            let idle = gate.filter.idle_exceptions(run.ids());
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
            "can't decide whether the gate {} applies: {} needs more than is known about {}",
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

/// What gates say about the scenarios that they apply to, besides verdicts.
pub(super) struct Notes<'i> {
    /// In the order of the measurements.
    pub(super) scenarios: Vec<ScenarioNotes>,
    /// The metrics of gates in which the iterations of a scenario differ, by its number. Few
    /// scenarios have some.
    differences: HashMap<usize, Vec<Difference<'i>>>,
}

#[derive(Clone, Default)]
pub(super) struct ScenarioNotes {
    /// Whether a gate applies or refers to the scenario.
    pub(super) is_gated: bool,
    /// Whether a value of it fails the check.
    pub(super) is_failed: bool,
    /// Whether a rule judges it, and none of these what it keeps.
    keeps_unjudged: Option<bool>,
    /// The strictest reaction of its gates to operations that its values leave out.
    foreign: Option<Reaction>,
}

struct Difference<'i> {
    metric: &'i Measure,
    /// The smallest and the largest value.
    range: (i128, i128),
    /// The strictest reaction of the gates that limit the metric.
    reaction: Reaction,
}

impl<'i> Notes<'i> {
    pub(super) fn new(run: &Run<'_>) -> Self {
        let scenario = ScenarioNotes {
            // Without gates, that is what there is to say, and no scenario is the exception.
            is_gated: run.inputs.config.gates.is_empty(),
            ..ScenarioNotes::default()
        };
        Self {
            scenarios: vec![scenario; run.scenarios().len()],
            differences: HashMap::new(),
        }
    }

    /// Notes that the gate applies to the scenario of this number.
    pub(super) fn note(
        &mut self,
        gate: &'i Gate,
        number: usize,
        measured: &MeasuredScenario,
        policy: &Policy,
    ) {
        let notes = &mut self.scenarios[number];
        notes.is_gated = true;
        for rule in gate
            .rules
            .iter()
            .filter(|rule| rule.statistic != Statistic::Growth)
        {
            let metric = rule.metric.counted();
            let is_kept = matches!(metric, Some(Metric::NetBlocks | Metric::NetBytes));
            notes.keeps_unjudged = Some(notes.keeps_unjudged != Some(false) && !is_kept);
        }
        if let Some(reaction) = gate.foreign {
            let known = notes.foreign.unwrap_or(reaction);
            notes.foreign = Some(known.min(reaction));
        }
        let reaction = gate.nondeterministic.unwrap_or(policy.nondeterministic);
        // The ranges are slow to find.
        if reaction == Reaction::Allow || measured.record.is_deterministic() {
            return;
        }
        // The first call is not one of the iterations.
        let rules = gate.rules.iter();
        let rules = rules.filter(|rule| rule.statistic != Statistic::First);
        for metric in rules.map(|rule| &rule.metric) {
            let known = self.differences.entry(number).or_default();
            if let Some(known) = known.iter_mut().find(|known| known.metric == metric) {
                known.reaction = known.reaction.min(reaction);
            } else if let Some(range) = metric.range_if_varying(&measured.record) {
                known.push(Difference {
                    metric,
                    range,
                    reaction,
                });
            }
        }
    }

    /// The numbers of the scenarios that fail the check.
    pub(super) fn failed(&self) -> BTreeSet<usize> {
        let numbers = 0..self.scenarios.len();
        numbers
            .filter(|&number| self.scenarios[number].is_failed)
            .collect()
    }

    /// The numbers of the judged scenarios that keep blocks, while no rule judges what they keep.
    pub(super) fn keeping(&self, measured: &[MeasuredScenario]) -> Vec<usize> {
        let keeps = |measured: &MeasuredScenario| {
            let mut samples = measured.record.samples.iter();
            samples.all(|sample| Metric::NetBlocks.value(&sample.reading) > Some(0))
        };
        let all = self.scenarios.iter().zip(measured).enumerate();
        let keeping =
            all.filter(|(_, (notes, one))| notes.keeps_unjudged == Some(true) && keeps(one));
        keeping.map(|(number, _)| number).collect()
    }

    /// The findings about the scenario of this number.
    pub(super) fn findings(
        &self,
        number: usize,
        measured: &MeasuredScenario,
        policy: &Policy,
    ) -> Vec<Diagnostic> {
        let notes = &self.scenarios[number];
        // Most scenarios have no finding.
        let name = || quoted(&measured.label());
        let finding = |code, reaction: Reaction, message: String, help: &str| {
            let level = reaction.level()?;
            Some(Diagnostic::new(code, level, measured.place(), &message).help(help))
        };
        let mut found = Vec::new();
        if !notes.is_gated {
            found.push(finding(
                Code::Ungated,
                policy.ungated,
                format!("no gate applies to {}", name()),
                "add it to the `scenarios` of a gate, or set `ungated = \"allow\"` in `[policy]`",
            ));
        }
        // Those that are denied, and those that are only shown.
        for reaction in [Reaction::Deny, Reaction::Warn] {
            let own = self.differences.get(&number).into_iter().flatten();
            let own = own.filter(|difference| difference.reaction == reaction);
            let ranges: Vec<String> = own
                .map(|own| {
                    let (least, most) = (integer(own.range.0), integer(own.range.1));
                    format!("{} {least} to {most}", own.metric)
                })
                .collect();
            if !ranges.is_empty() {
                found.push(finding(
                    Code::Nondeterministic,
                    reaction,
                    format!("the iterations of {} differ: {}", name(), ranges.join(", ")),
                    "make the input the same each time; or gate `max` as well as the mean, and \
                     set `nondeterministic = \"allow\"` in the gate",
                ));
            }
        }
        let record = &measured.record;
        let outside = &record.outside;
        let foreign = notes.foreign.unwrap_or(policy.foreign);
        if let Some(made) = left_out(record, &record.foreign, &outside.foreign_first)
            && record.scope == Scope::Thread
        {
            found.push(finding(
                Code::Foreign,
                foreign,
                format!(
                    "other threads made {made} while {} was counted; its counts don't include them",
                    name()
                ),
                "count them with `scope(Scope::Process)` if they work for the scenario, or set \
                 `foreign = \"allow\"` in its gate or in `[policy]`",
            ));
        }
        if let Some(made) = left_out(record, &outside.uncounted, &outside.uncounted_first) {
            found.push(finding(
                Code::Uncounted,
                foreign,
                format!("`uncounted` excluded {made} from the counts of {}", name()),
                "move the work into `setup` or `input`, or set `foreign = \"allow\"` in its gate \
                 or in `[policy]`",
            ));
        }
        let (threads, first) = (outside.still_running, outside.still_running_first);
        if threads > 0 || first > 0 {
            let number = |threads: u64| (threads > 0).then(|| integer(threads.into()));
            let threads = number(threads).map(|it| format!("{it} in the counted iterations"));
            // A pool that begins in the first call stays, which is usual.
            let reaction = threads.as_ref().map_or(Reaction::Warn, |_| Reaction::Deny);
            found.push(finding(
                Code::StillRunning,
                reaction,
                format!(
                    "threads of {} were still running a tenth of a second after the iteration \
                     that started them: {}; its counts may be too low",
                    name(),
                    by_pass(threads, number(first))
                ),
                "call `join()` in the iteration, or start the threads in `setup`",
            ));
        }
        found.into_iter().flatten().collect()
    }
}

/// Operations that the values of a scenario leave out, if there are some: `1,200 allocations and
/// 100 deallocations in 100 iterations, and 3 allocations in the first call`.
fn left_out(record: &ScenarioRecord, counted: &Tally, first: &Tally) -> Option<String> {
    let all = |counts: &Tally| {
        let numbers = [
            (counts.allocs, "allocation"),
            (counts.deallocs, "deallocation"),
        ];
        let numbers = numbers.into_iter().filter(|&(number, _)| number > 0);
        let numbers = numbers.map(|(number, noun)| counted_exactly(number, noun));
        (*counts != Tally::ZERO).then(|| enumerated(numbers))
    };
    let iterations = || counted_exactly(record.iterations, "iteration");
    let counted = all(counted).map(|all| format!("{all} in {}", iterations()));
    let first = all(first);
    (counted.is_some() || first.is_some()).then(|| by_pass(counted, first))
}

/// What happened in the iterations, and what in the first call.
fn by_pass(iterations: Option<String>, first: Option<String>) -> String {
    let first = first.map(|first| format!("{first} in the first call"));
    let both: Vec<String> = iterations.into_iter().chain(first).collect();
    both.join(", and ")
}
