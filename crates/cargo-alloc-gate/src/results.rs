//! Measurements, by running benches. A broken one is a failure that says what to
//! do, and never a smaller measurement.

mod listing;

use std::fs;
use std::path::{Path, PathBuf};

use alloc_gate::config::Pattern;
use alloc_gate::report::counted;
use alloc_gate::{Config, Measurements, MeasurementsError, Partiality};
use alloc_results::Stream;

use crate::arguments::{BuildArguments, WorkspaceArguments};
use crate::bench_output::{excerpt, quoted};
use crate::bench_process::{self, Ended, Problem, Settings, Wanted};
use crate::cargo::Workspace;
use crate::compile::{Built, compile, features, profile};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files;
use crate::globs::{Selected, nothing_selected, refuse_too_many, tell_idle};
use crate::progress::Progress;
use crate::selection::{BenchName, Selection};
use crate::shell::Shell;

pub(crate) use listing::{Listed, ListedBench};

/// The folder below the target folder in which results are kept.
const FOLDER: &str = "alloc-gate";

/// What it takes to run benches.
pub(crate) struct Job<'j> {
    workspace: &'j Workspace,
    config: &'j Config,
    selection: Selection,
    arguments: &'j BuildArguments,
    output: &'j WorkspaceArguments,
}

/// What benches measured, and where that is kept.
pub(crate) struct Run {
    pub(crate) measurements: Measurements,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) partiality: Partiality,
    /// The scenarios of these benches that were not selected.
    pub(crate) left_out: Vec<String>,
}

impl<'j> Job<'j> {
    /// The job of measuring the benches that were selected.
    pub(crate) fn new(
        workspace: &'j Workspace,
        config: &'j Config,
        arguments: &'j BuildArguments,
        output: &'j WorkspaceArguments,
    ) -> Result<Self, Failure> {
        Ok(Self {
            workspace,
            config,
            selection: Selection::new(workspace, config, arguments)?,
            arguments,
            output,
        })
    }

    /// The same job elsewhere: measuring benches that were selected already.
    pub(crate) fn of(
        workspace: &'j Workspace,
        config: &'j Config,
        selection: Selection,
        arguments: &'j BuildArguments,
        output: &'j WorkspaceArguments,
    ) -> Self {
        Self {
            workspace,
            config,
            selection,
            arguments,
            output,
        }
    }

    /// The benches that were selected.
    pub(crate) fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Whether the selected benches are all that there are.
    pub(crate) fn partiality(&self) -> Partiality {
        self.selection.partiality
    }

    /// The benches that were selected.
    pub(crate) fn benches(&self) -> &[BenchName] {
        &self.selection.benches
    }

    /// Builds the benches and runs one after the other.
    pub(crate) fn run(&self, shell: &Shell) -> Result<Run, Failure> {
        let built = self.compile(shell)?.into_iter();
        self.measure(built.map(|bench| (bench, Vec::new())).collect(), shell)
    }

    /// Builds the benches and measures the scenarios that are `wanted`, or all if
    /// there is no pattern. One that selects nothing beside others is told.
    pub(crate) fn run_only(&self, wanted: &[Pattern], shell: &Shell) -> Result<Run, Failure> {
        if wanted.is_empty() {
            return self.run(shell);
        }
        let built = self.compile(shell)?;
        let selected = self.select(built, wanted, shell)?;
        if selected.benches.is_empty() {
            return Err(nothing_selected("--scenarios", &selected.idle));
        }
        tell_idle(&selected.idle, shell);
        self.run_selected(selected, shell)
    }

    /// The same for what is accepted: each pattern has to match a scenario.
    pub(crate) fn run_scenarios(&self, wanted: &[Pattern], shell: &Shell) -> Result<Run, Failure> {
        let built = self.compile(shell)?;
        let selected = self.select(built, wanted, shell)?;
        if let Some(pattern) = selected.idle.first() {
            return Err(nothing_selected("--scenario", &[pattern]));
        }
        self.run_selected(selected, shell)
    }

    fn run_selected(&self, selected: Selected<'_>, shell: &Shell) -> Result<Run, Failure> {
        let Selected {
            benches, left_out, ..
        } = selected;
        for (bench, only) in &benches {
            refuse_too_many(&bench.name, only)?;
        }
        let mut run = self.measure(benches, shell)?;
        if !left_out.is_empty() {
            run.partiality = Partiality::Scenarios {
                left_out: left_out.len(),
            };
            run.left_out = left_out;
        }
        Ok(run)
    }

    /// Asks the benches for their scenarios, and takes those that a pattern matches.
    fn select<'p>(
        &self,
        built: Vec<Built>,
        wanted: &'p [Pattern],
        shell: &Shell,
    ) -> Result<Selected<'p>, Failure> {
        let mut selected = Selected {
            benches: Vec::new(),
            idle: wanted.iter().collect(),
            left_out: Vec::new(),
        };
        for bench in built {
            let names = self.scenarios_of(&bench, shell)?;
            let is_idle = |pattern: &&Pattern| !names.iter().any(|name| pattern.matches(name));
            selected.idle.retain(is_idle);
            let is_wanted = |name: &String| wanted.iter().any(|pattern| pattern.matches(name));
            let (only, others): (Vec<_>, Vec<_>) = names.into_iter().partition(is_wanted);
            if !only.is_empty() {
                let only = if others.is_empty() { Vec::new() } else { only };
                selected.benches.push((bench, only));
            }
            selected.left_out.extend(others);
        }
        Ok(selected)
    }

    /// Runs benches, each for the scenarios beside it, or for all if there are
    /// none.
    fn measure(&self, built: Vec<(Built, Vec<String>)>, shell: &Shell) -> Result<Run, Failure> {
        let features = features(self.arguments);
        let settings = self.settings(&features);
        let mut streams: Vec<Stream> = Vec::new();
        let mut files = Vec::new();
        let mut failures = Vec::new();
        for (bench, _) in &built {
            // Whatever becomes of this run, an old result is none of it.
            let _ = fs::remove_file(self.kept(bench));
        }
        for (bench, only) in &built {
            let name = bench.name.shown();
            if only.is_empty() {
                shell.status("Measuring", &name);
            } else {
                let scenarios = counted(only.len(), "scenario");
                shell.status("Measuring", &format!("{scenarios} of {name}"));
            }
            if self.output.verbose {
                let program = bench.executable.display();
                shell.status("Running", &format!("{program} --bench"));
            }
            let scratch = scratch()?;
            let progress = Progress::new(shell.draw_target(), format!("measuring {name}"));
            let Ended { outcome, output } = bench_process::run(
                self.workspace,
                bench,
                &settings,
                match only.as_slice() {
                    [] => Wanted::All,
                    only => Wanted::Named(only),
                },
                scratch.path(),
                &progress,
            );
            drop(progress);
            let failed = outcome.is_err();
            if (failed || self.output.verbose) && !output.trim().is_empty() {
                shell.say(&excerpt(&name, &output, self.output.verbose));
            }
            match outcome {
                Ok(measured) => {
                    files.push(self.record(bench, &measured.text)?);
                    streams.push(measured.stream);
                }
                Err(problem) => {
                    let failure = failure(&bench.name, problem);
                    shell.error(&failure);
                    failures.push(name);
                    if !self.arguments.no_fail_fast {
                        break;
                    }
                }
            }
        }
        if !failures.is_empty() {
            let not_run = built.len() - streams.len() - failures.len();
            let rest = if not_run == 0 {
                String::new()
            } else {
                format!(" and {not_run} not started")
            };
            return Err(Failure::new(
                Code::BenchFailed,
                format!(
                    "{} of {} benches failed{rest}: {}",
                    failures.len(),
                    built.len(),
                    failures.join(", ")
                ),
            )
            .next("nothing is judged on half a measurement; see above for each"));
        }
        Ok(Run {
            measurements: join(streams)?,
            files,
            partiality: self.selection.partiality,
            left_out: Vec::new(),
        })
    }

    fn compile(&self, shell: &Shell) -> Result<Vec<Built>, Failure> {
        let count = self.selection.benches.len();
        let noun = if count == 1 { "bench" } else { "benches" };
        shell.status("Building", &format!("{count} {noun}"));
        compile(
            self.workspace,
            &self.selection,
            self.arguments,
            shell,
            self.output,
        )
    }

    fn settings<'s>(&'s self, features: &'s [String]) -> Settings<'s> {
        Settings {
            warmup: self.config.run.warmup,
            iterations: self.config.run.iterations,
            timeout: self.config.run.timeout,
            profile: profile(self.arguments),
            features,
            target: self.arguments.target.as_deref(),
        }
    }

    /// Keeps the results below the target folder, for `check --results`.
    fn record(&self, bench: &Built, text: &str) -> Result<PathBuf, Failure> {
        let path = self.kept(bench);
        files::write(&path, text.as_bytes())?;
        Ok(path)
    }

    /// Where the results of a bench are kept.
    fn kept(&self, bench: &Built) -> PathBuf {
        let target = self.arguments.target_dir.as_deref();
        let target = target.unwrap_or(self.workspace.target_directory());
        let name = format!("{}.{}.jsonl", bench.name.package, bench.name.target);
        target.join(FOLDER).join(name)
    }
}

pub(crate) fn join(streams: Vec<Stream>) -> Result<Measurements, Failure> {
    Measurements::new(streams).map_err(ambiguous)
}

/// Why measurements can't be told apart.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it is an argument of `map_err`"
)]
pub(crate) fn ambiguous(error: MeasurementsError) -> Failure {
    Failure::new(Code::BenchFailed, error.to_string())
        .next("nothing is judged until each scenario has one name and one measurement")
}

/// Why there is nothing to show or to accept.
pub(crate) fn no_scenario() -> Failure {
    Failure::new(Code::NothingSelected, "the benches have no scenario").next(
        "register one with `Suite::scenario`, and have `main` return what `Suite::finish` returns",
    )
}

fn scratch() -> Result<tempfile::TempDir, Failure> {
    tempfile::tempdir().map_err(|error| {
        Failure::new(
            Code::OutputFailed,
            format!("failed to make a folder for temporary files: {error}"),
        )
        .next("make room in the system's folder for them, or name another one with TMPDIR")
    })
}

/// Why a bench can't be judged, and what to do about it.
fn failure(bench: &BenchName, problem: Problem) -> Failure {
    let name = bench.shown();
    let failure = |what: String, next: &str| Failure::new(Code::BenchFailed, what).next(next);
    let whilst = |during: Option<String>| {
        during.map_or_else(String::new, |scenario| {
            format!(" while it measured `{scenario}`")
        })
    };
    match problem {
        Problem::NotStarted(error) => failure(
            format!("{name} could not be run: {error}"),
            "a bench for another target needs that target's machine",
        ),
        Problem::TimedOut { limit, during } => failure(
            format!(
                "{name} was stopped after {}{}",
                counted(
                    usize::try_from(limit.as_secs()).unwrap_or(usize::MAX),
                    "second"
                ),
                whilst(during)
            ),
            "raise `timeout` in `[run]` of gates.toml, or give the scenario fewer `iterations`",
        ),
        Problem::Crashed { status, during } => failure(
            format!("{name} crashed ({status}){}", whilst(during)),
            &format!(
                "run it by itself: `cargo bench -p {} --bench {}`",
                bench.package, bench.target
            ),
        ),
        Problem::Silent => failure(
            format!("{name} ended without writing results"),
            "its `main` has to register scenarios in an `alloc_scenario::Suite` and return what \
             `finish` returns; a bench of another harness does not belong into gates.toml",
        ),
        Problem::Incomplete(what) => failure(
            format!("{name} ended with code 0 and half a measurement: {what}"),
            "a scenario must not end the process; `main` has to return what `Suite::finish` returns",
        ),
        Problem::Unusable(what) => failure(
            format!("{name} wrote results that can't be judged: {what}"),
            "only `Suite::finish`, called once, may write into the folder that ALLOC_GATE_RESULTS \
             names",
        ),
        Problem::DeadCounter(what) => failure(
            format!("{name}: {what}"),
            "nothing was measured: a counter that reads zero would pass every gate; mend it, and \
             measure again",
        ),
        Problem::ScenariosFailed(failures) => {
            let lines: Vec<String> = failures
                .into_iter()
                .map(|(scenario, message)| format!("\n  {scenario}{}", quoted(&message)))
                .collect();
            failure(
                format!(
                    "{name}: {} not measured:{}",
                    counted(lines.len(), "scenario"),
                    lines.concat()
                ),
                "mend the scenario; the others were measured, and nothing is judged without it",
            )
        }
        Problem::FailedAfterwards { status } => failure(
            format!("{name} measured everything and then failed ({status})"),
            "`main` has to return what `Suite::finish` returns, and nothing may fail after it",
        ),
    }
}

/// The path as a person would type it from the present folder.
pub(crate) fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let shown = path.strip_prefix(here).unwrap_or(path);
    shown.display().to_string()
}
