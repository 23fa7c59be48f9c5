//! [`BenchRun`]: builds the selected benches, runs them, and reads what they measured.
//! A bench that fails is an error. `check` shows the verdicts on the other scenarios, and fails
//! with the same error.

use std::fs;
use std::path::PathBuf;

use alloc_gate::rules::Pattern;
use alloc_gate::{
    Config, Measurements, MeasurementsError, ScenarioId, Selection, UncheckedBench, counted,
    grouped,
};
use alloc_results::{BenchId, Stream, UnavailableScenario};

use crate::arguments::{BuildArguments, WorkspaceArguments};
use crate::bench::build::{Build, Built, Variant, features_of, groups, options};
use crate::bench::cargo::Workspace;
use crate::bench::problem::{BenchProblem, excerpt};
use crate::bench::process::{BenchProcess, BenchResults, Ended, Wanted};
use crate::bench::selection::{SelectedBenches, ids, refuse_too_many, selected};
use crate::children;
use crate::failure::Failure;
use crate::files::{self, Scratch};
use crate::git::Checkout;
use crate::line_tables;
use crate::output::progress::Progress;
use crate::output::shell::{Shell, quoted};

/// The folder below the target folder in which results are kept.
const FOLDER: &str = "alloc-gate";

/// Why a bench recorded no call stacks.
pub(crate) enum NotCaptured {
    /// The rows of a scenario don't add up to its readings.
    Inexact,
    /// The run failed.
    Failed(String),
}

/// Builds and runs benches of one workspace with the same options.
pub(crate) struct BenchRun<'r> {
    pub(crate) workspace: &'r Workspace,
    pub(crate) config: &'r Config,
    pub(crate) benches: SelectedBenches,
    pub(crate) arguments: &'r BuildArguments,
    pub(crate) output: &'r WorkspaceArguments,
    pub(crate) scratch: Scratch,
    /// Whether times are shown, for which benches have a timed pass.
    pub(crate) is_timed: bool,
    /// The folder for results, instead of the one below the target folder.
    pub(crate) folder: Option<PathBuf>,
}

/// The scenarios that patterns match.
pub(crate) struct MatchingScenarios {
    /// The benches that have some.
    pub(crate) benches: Vec<(Built, Vec<String>)>,
    pub(crate) left_out: Vec<ScenarioId>,
}

/// The measurements of several benches.
pub(crate) struct RunResults {
    pub(crate) measurements: Measurements,
    /// The benches that were measured; empty for recorded results.
    pub(crate) built: Vec<Built>,
    /// The files in which the results are kept; empty for recorded results.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) selection: Selection,
    /// The scenarios of these benches that were not selected.
    pub(crate) left_out: Vec<ScenarioId>,
    /// The benches that were not measured.
    pub(crate) unchecked: Vec<UncheckedBench>,
    /// The scenarios and benches that failed. All others were measured.
    pub(crate) failed: Option<FailedScenarios>,
}

/// The errors for scenarios and benches that failed. Only those of lost benches are printed yet.
pub(crate) struct FailedScenarios {
    /// Those that a report can show instead.
    unprinted: Vec<Failure>,
    /// Of all benches together.
    all: Failure,
    /// Whether a bench has no results, which no report shows.
    has_lost: bool,
}

impl BenchRun<'_> {
    /// Builds the benches and measures the scenarios that a pattern of `wanted` matches; without
    /// patterns, all. The results may lack scenarios that failed.
    pub(crate) fn measure(&self, wanted: &[Pattern], shell: &Shell) -> Result<RunResults, Failure> {
        if wanted.is_empty() {
            return self.measure_benches(&self.all(shell)?, shell);
        }
        self.remove_results();
        let mut matching = self.matching(wanted, shell)?;
        for (bench, names) in &mut matching.benches {
            let is_its = |other: &ScenarioId| other.bench == bench.name;
            if !matching.left_out.iter().any(is_its) {
                names.clear();
            }
            refuse_too_many(&bench.name, names)?;
        }
        let mut results = self.measure_benches(&matching.benches, shell)?;
        results.leave_out(matching.left_out);
        Ok(results)
    }

    /// Builds the benches, and measures all their scenarios in two processes one after the
    /// other. The results of the second one are kept.
    pub(crate) fn measure_twice(&self, shell: &Shell) -> Result<[Measurements; 2], Failure> {
        let benches = self.all(shell)?;
        let once = || self.measure_benches(&benches, shell)?.whole(shell);
        Ok([once()?.measurements, once()?.measurements])
    }

    /// Builds the benches, each to be measured whole.
    fn all(&self, shell: &Shell) -> Result<Vec<(Built, Vec<String>)>, Failure> {
        self.remove_results();
        let built = self.compile(shell)?.into_iter();
        Ok(built.map(|bench| (bench, Vec::new())).collect())
    }

    /// Removes older results of the benches before they are built: they must not pass for
    /// those of this run, even if it fails.
    fn remove_results(&self) {
        for bench in &self.benches.names {
            let _ = fs::remove_file(self.results_path(bench));
        }
    }

    /// Builds the benches, and lists their scenarios that a pattern of `wanted` matches, or
    /// all without patterns.
    pub(crate) fn matching(
        &self,
        wanted: &[Pattern],
        shell: &Shell,
    ) -> Result<MatchingScenarios, Failure> {
        let mut benches = Vec::new();
        for bench in self.compile(shell)? {
            let names = self.scenarios_of(&bench, shell)?;
            benches.push((bench, names));
        }
        let mut left_out = Vec::new();
        if !wanted.is_empty() {
            let listed = benches.iter();
            let listed = listed.flat_map(|(bench, names)| ids(&bench.name, names));
            let matched = selected(wanted, &listed.collect::<Vec<_>>())?;
            for (bench, names) in &mut benches {
                let (here, others): (Vec<_>, Vec<_>) =
                    ids(&bench.name, names).partition(|id| matched.contains(id));
                *names = here.into_iter().map(|id| id.name).collect();
                left_out.extend(others);
            }
            benches.retain(|(_, names)| !names.is_empty());
        }
        Ok(MatchingScenarios { benches, left_out })
    }

    /// The names of all scenarios of a bench.
    fn scenarios_of(&self, bench: &Built, shell: &Shell) -> Result<Vec<String>, Failure> {
        let name = bench.name.to_string();
        let (listed, output) = BenchProcess::new(self, bench, false)?.list();
        children::check()?;
        listed.map_err(|error| {
            if !output.trim().is_empty() {
                shell.say(&excerpt(&name, &output, self.output.verbose));
            }
            let usual = "create the suite with `Suite::from_args()` in `main`";
            Failure::bench_failed(format!("{name} did not list its scenarios: {error}"))
                .help(files::help_with(&error, usual))
        })
    }

    /// The scenarios of a bench that can't be measured here. The bench is asked to
    /// measure only those, so that it measures none and its record names them. If that
    /// fails, a warning says so.
    pub(crate) fn unavailable_of(
        &self,
        bench: &Built,
        shell: &Shell,
    ) -> Result<Vec<UnavailableScenario>, Failure> {
        let ended = self.start(bench, Wanted::Unavailable, "listing", shell)?;
        Ok(match ended.results {
            Ok(results) => results.stream.environment.unavailable,
            Err(problem) => {
                let what = problem.into_failure(&bench.name, "").what;
                shell.warning(
                    &format!("failed to list the unavailable scenarios: {what}"),
                    "the list has all scenarios; run the bench with `cargo alloc-gate run`",
                );
                Vec::new()
            }
        })
    }

    /// Runs benches, each for the scenarios beside it, or for all if there are none.
    fn measure_benches(
        &self,
        built: &[(Built, Vec<String>)],
        shell: &Shell,
    ) -> Result<RunResults, Failure> {
        let (mut streams, mut files) = (Vec::new(), Vec::new());
        let (mut failures, mut unprinted, mut has_lost) = (Vec::new(), Vec::new(), false);
        for (bench, only) in built {
            let problem = match self.measure_bench(bench, only, shell)? {
                Ok(results) => {
                    let path = self.results_path(&bench.name);
                    files::write(&path, results.text.as_bytes())?;
                    files.push(path);
                    streams.push(results.stream);
                    continue;
                }
                Err(problem) => problem,
            };
            let partial = problem.partial();
            let failure = problem.into_failure(&bench.name, &self.alone(&bench.name));
            failures.push((bench.name.to_string(), failure.clone()));
            if let Some(stream) = partial {
                streams.push(stream);
                unprinted.push(failure);
            } else {
                shell.error(&failure);
                has_lost = true;
            }
        }
        let failed = all_of(failures, built.len()).map(|all| FailedScenarios {
            unprinted,
            all,
            has_lost,
        });
        let has_none = streams.iter().all(|stream| stream.scenarios.is_empty());
        let failed = match failed {
            Some(failed) if has_none => return Err(failed.printed(shell)),
            failed => failed,
        };
        Ok(RunResults {
            measurements: join(streams)?,
            built: built.iter().map(|(bench, _)| bench.clone()).collect(),
            files,
            // What a bench without results has is as little known as of one that was not selected.
            selection: if has_lost {
                Selection::Selected
            } else {
                self.benches.selection
            },
            left_out: Vec::new(),
            unchecked: self.benches.unchecked.clone(),
            failed,
        })
    }

    /// Runs one bench. The inner error is about this bench alone.
    fn measure_bench(
        &self,
        bench: &Built,
        only: &[String],
        shell: &Shell,
    ) -> Result<Result<BenchResults, BenchProblem>, Failure> {
        let name = bench.name.to_string();
        let (wanted, what) = match only {
            [] => (Wanted::All, name.clone()),
            only => {
                let scenarios = counted(only.len(), "scenario");
                (Wanted::Named(only), format!("{scenarios} of {name}"))
            }
        };
        shell.status("Measuring", &what);
        if self.output.verbose {
            let program = bench.executable.display();
            shell.status("Running", &format!("{program} --bench"));
        }
        let Ended { results, output } = self.start(bench, wanted, "measuring", shell)?;
        children::check()?;
        if bench.is_rebuilt() {
            let what = format!("{name} was built again while it was measured");
            return Err(Failure::build_failed(what).help(
                "measure again when nothing else builds in its folder, or give this run another one with \
                 CARGO_TARGET_DIR",
            ));
        }
        if (results.is_err() || self.output.verbose) && !output.trim().is_empty() {
            shell.say(&excerpt(&name, &output, self.output.verbose));
        }
        Ok(results)
    }

    /// Runs one bench, with progress under this word.
    fn start(
        &self,
        bench: &Built,
        wanted: Wanted<'_>,
        what: &str,
        shell: &Shell,
    ) -> Result<Ended, Failure> {
        let process = BenchProcess::new(self, bench, false)?;
        let what = format!("{what} {}", bench.name);
        let progress = Progress::new(shell, what, self.config.run.timeout);
        Ok(process.measure(wanted, &progress))
    }

    /// Runs the same executable for scenarios of these names, with call stacks. The stream may
    /// have other scenarios as well, and may lack some that failed.
    pub(crate) fn capture(
        &self,
        bench: &Built,
        names: &[String],
        shell: &Shell,
    ) -> Result<Result<Stream, NotCaptured>, Failure> {
        let process = match BenchProcess::new(self, bench, true) {
            Ok(process) => process,
            Err(failure) => return Ok(Err(NotCaptured::Failed(failure.what))),
        };
        let what = format!("recording the call stacks of {}", bench.name);
        // A command line has room for so many names.
        let wanted = match refuse_too_many(&bench.name, names) {
            Ok(()) => Wanted::Named(names),
            Err(_) => Wanted::All,
        };
        let progress = Progress::new(shell, what, self.config.run.timeout);
        let ended = process.measure(wanted, &progress);
        drop(progress);
        children::check()?;
        Ok(match ended.results {
            Ok(results) => Ok(results.stream),
            Err(BenchProblem::ScenariosFailed(stream)) => Ok(*stream),
            // Those that were explained before.
            Err(BenchProblem::TimedOut {
                so_far: Some(stream),
                ..
            }) => Ok(*stream),
            Err(BenchProblem::WrongSites(_)) => Err(NotCaptured::Inexact),
            Err(problem) => {
                let what = problem.into_failure(&bench.name, "").what;
                Err(NotCaptured::Failed(what))
            }
        })
    }

    /// Builds the benches, those of one variant together where cargo can. They stay in order.
    pub(crate) fn compile(&self, shell: &Shell) -> Result<Vec<Built>, Failure> {
        let names = &self.benches.names;
        let noun = if names.len() == 1 { "bench" } else { "benches" };
        shell.status("Building", &format!("{} {noun}", names.len()));
        let mut checkout = Checkout::of(self.workspace.root(), shell);
        let mut built = Vec::new();
        let variants = grouped(names.iter().cloned(), |group, name| {
            self.variant(&group[0]) == self.variant(name)
        });
        for benches in variants {
            let variant = self.variant(&benches[0]);
            let targets = benches.iter().map(|bench| self.config.target_of(bench));
            for group in groups(self.workspace, targets.collect()) {
                for mut bench in self.build(&variant, &group, shell)? {
                    let is_it = |name: &&BenchId| self.config.target_of(name) == bench.name;
                    if let Some(name) = benches.iter().find(is_it) {
                        bench.name = name.clone();
                    }
                    built.push(bench);
                }
            }
        }
        let after = Checkout::of(self.workspace.root(), shell);
        let state = |one: &Checkout| (one.commit.clone(), one.is_dirty());
        if let Some(before) = &mut checkout
            && after.as_ref().map(state) != Some(state(before))
        {
            let after = after.map_or(0, |after| after.uncommitted);
            before.uncommitted = before.uncommitted.max(after).max(1);
            shell.warning(
                "the working tree changed while the benches were built",
                "measure again: the results may be of other sources than their commit",
            );
        }
        for bench in &mut built {
            bench.checkout.clone_from(&checkout);
        }
        built.sort_by_key(|bench| names.iter().position(|name| *name == bench.name));
        Ok(built)
    }

    fn build(
        &self,
        variant: &Variant,
        benches: &[BenchId],
        shell: &Shell,
    ) -> Result<Vec<Built>, Failure> {
        let target = self.arguments.target.as_deref();
        let build = Build {
            workspace: self.workspace,
            benches,
            variant,
            features: self.features_of(benches),
            arguments: self.arguments,
            line_tables: if self.config.run.line_tables {
                line_tables::options(self.workspace, &variant.profile, target)
            } else {
                Vec::new()
            },
            output: self.output,
            shell,
        };
        build.run()
    }

    /// The features of the command line for benches that are built.
    fn features_of(&self, built: &[BenchId]) -> Vec<String> {
        features_of(built, &self.benches.names, self.workspace, self.arguments)
    }

    pub(crate) fn variant(&self, bench: &BenchId) -> Variant {
        Variant::new(self.arguments, self.config.bench(bench))
    }

    /// The file that keeps the results of a bench, for `--results`. In a folder that the
    /// user named, the files of other targets have other names.
    fn results_path(&self, bench: &BenchId) -> PathBuf {
        let name = format!("{}.{}", bench.package, bench.target);
        let Some(folder) = &self.folder else {
            let target = self.arguments.target(self.workspace);
            return target.join(FOLDER).join(format!("{name}.jsonl"));
        };
        let triple = self.workspace.triple(self.arguments.target.as_deref());
        let triple = triple.unwrap_or("unknown");
        folder.join(format!("{name}.{triple}.jsonl"))
    }

    /// How a person runs a bench without the gate.
    fn alone(&self, bench: &BenchId) -> String {
        let rule = self.config.bench(bench);
        let variant = Variant::new(self.arguments, rule);
        let target = [self.config.target_of(bench)];
        let features = self.features_of(&target);
        let package = |name| self.workspace.typed_package(name);
        let options = options(&target, &variant, &features, self.arguments, package);
        let variables = rule.into_iter().flat_map(|rule| &rule.env);
        let mut command: String = variables
            .map(|(name, value)| format!("{name}={} ", quoted([value])))
            .collect();
        command.push_str(&self.workspace.typed("bench", &options));
        if self.workspace.is_elsewhere() {
            format!("check the commit out, and run the bench by itself: `{command}`")
        } else {
            format!("run it by itself: `{command}`")
        }
    }
}

impl FailedScenarios {
    /// Prints the error of each bench, and returns that of all.
    fn printed(self, shell: &Shell) -> Failure {
        self.unprinted
            .iter()
            .for_each(|failure| shell.error(failure));
        self.all
    }

    /// The error of all benches, for a report that shows each scenario.
    pub(crate) fn reported(mut self) -> Failure {
        self.all.is_printed = true;
        self.all.is_reported = !self.has_lost;
        self.all
    }
}

impl RunResults {
    /// The results, if no scenario failed.
    pub(crate) fn whole(mut self, shell: &Shell) -> Result<Self, Failure> {
        match self.failed.take() {
            Some(failed) => Err(failed.printed(shell)),
            None => Ok(self),
        }
    }

    /// Notes scenarios of the benches that were not selected.
    pub(crate) fn leave_out(&mut self, scenarios: Vec<ScenarioId>) {
        self.left_out.extend(scenarios);
        if !self.left_out.is_empty() {
            self.selection = Selection::Scenarios {
                left_out: self.left_out.len(),
            };
        }
    }
}

/// One error for the benches that failed, by name. That of a single bench is not printed again.
fn all_of(mut failures: Vec<(String, Failure)>, benches: usize) -> Option<Failure> {
    if failures.len() > 1 {
        let names: Vec<String> = failures.iter().map(|(name, _)| name.clone()).collect();
        let what = format!(
            "{} of {benches} benches failed: {}",
            names.len(),
            names.join(", ")
        );
        return Some(Failure::bench_failed(what).help("fix the errors above, and measure again"));
    }
    let (_, mut failure) = failures.pop()?;
    failure.is_printed = true;
    Some(failure)
}

/// Joins the streams of several benches.
pub(crate) fn join(streams: Vec<Stream>) -> Result<Measurements, Failure> {
    Measurements::new(streams).map_err(ambiguous)
}

/// The error for measurements with a scenario of a bench twice.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it is an argument of `map_err`"
)]
pub(crate) fn ambiguous(error: MeasurementsError) -> Failure {
    Failure::bench_failed(error.to_string())
        .help("gates are checked once each scenario has one measurement")
}

/// The error for benches without any scenario.
pub(crate) fn no_scenario() -> Failure {
    Failure::nothing_selected("the benches have no scenarios").help(
        "register one with `Suite::scenario`, and return the result of `Suite::finish` from `main`",
    )
}
