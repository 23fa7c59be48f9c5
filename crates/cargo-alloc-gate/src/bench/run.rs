//! [`BenchRun`]: builds the selected benches, runs them, and reads what they measured.
//! A bench that fails is an error. `check` shows the verdicts on the other scenarios, and fails
//! with the same error.

use std::fs;
use std::path::PathBuf;

use alloc_gate::rules::Pattern;
use alloc_gate::sites::Unexplained;
use alloc_gate::{Measurements, MeasurementsError, ScenarioId, Selection, UncheckedBench, counted};
use alloc_results::{BenchId, Stream};

use crate::bench::build::Built;
use crate::bench::excerpt::excerpt;
use crate::bench::process::{BenchProcess, Ended};
use crate::bench::selection::{ids, selected};
use crate::children;
use crate::failure::Failure;
use crate::files;
use crate::output::progress::Progress;
use crate::output::shell::Shell;
use crate::project::BenchRun;

/// The folder below the target folder in which results are kept.
const FOLDER: &str = "alloc-gate";

/// The most bytes of names that every system has room for on a command line.
const MOST_NAMES: usize = 16 << 10;

pub(crate) struct MatchingScenarios {
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

/// The errors for scenarios and benches that failed. Only errors of lost benches are printed yet.
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
    pub(crate) fn measure(&self, wanted: &[Pattern]) -> Result<RunResults, Failure> {
        if wanted.is_empty() {
            return self.measure_benches(&self.all()?);
        }
        self.remove_results();
        let mut matching = self.matching(wanted)?;
        for (bench, names) in &mut matching.benches {
            let is_its = |other: &ScenarioId| other.bench == bench.name;
            if !matching.left_out.iter().any(is_its) {
                names.clear();
            }
        }
        let mut results = self.measure_benches(&matching.benches)?;
        results.leave_out(matching.left_out);
        Ok(results)
    }

    /// Builds the benches, and measures all their scenarios in two processes one after the
    /// other. The results of the second one are kept.
    pub(crate) fn measure_twice(&self) -> Result<[Measurements; 2], Failure> {
        let benches = self.all()?;
        let once = || self.measure_benches(&benches)?.whole(self.shell);
        Ok([once()?.measurements, once()?.measurements])
    }

    /// Builds the benches, each to be measured whole.
    fn all(&self) -> Result<Vec<(Built, Vec<String>)>, Failure> {
        self.remove_results();
        let built = self.compile()?.into_iter();
        Ok(built.map(|bench| (bench, Vec::new())).collect())
    }

    /// Removes older results of the benches before they are built: they must not pass as
    /// results of this run, even if it fails.
    fn remove_results(&self) {
        for bench in &self.benches.names {
            let _ = fs::remove_file(self.results_path(bench));
        }
    }

    /// Builds the benches, and lists their scenarios that a pattern of `wanted` matches, or
    /// all without patterns.
    pub(crate) fn matching(&self, wanted: &[Pattern]) -> Result<MatchingScenarios, Failure> {
        let mut benches = Vec::new();
        for bench in self.compile()? {
            let names = self.scenarios_of(&bench)?;
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

    fn scenarios_of(&self, bench: &Built) -> Result<Vec<String>, Failure> {
        let name = bench.name.to_string();
        let (listed, output) = BenchProcess::new(self, bench, false)?.list();
        children::check()?;
        listed.map_err(|error| {
            if !output.trim().is_empty() {
                self.shell
                    .say(&excerpt(&name, &output, self.output.verbose));
            }
            let usual = "create the suite with `Suite::from_args()` in `main`";
            Failure::bench_failed(format!("{name} did not list its scenarios: {error}")).help(usual)
        })
    }

    /// Runs benches, each for its scenarios here, or for all if there are none.
    fn measure_benches(&self, built: &[(Built, Vec<String>)]) -> Result<RunResults, Failure> {
        let (mut streams, mut files) = (Vec::new(), Vec::new());
        let (mut failures, mut unprinted, mut has_lost) = (Vec::new(), Vec::new(), false);
        for (bench, only) in built {
            let Ended {
                results, failure, ..
            } = self.measure_bench(bench, only)?;
            if let Some(failure) = failure {
                failures.push((bench.name.to_string(), failure.clone()));
                if results.is_some() {
                    unprinted.push(failure);
                } else {
                    self.shell.error(&failure);
                    has_lost = true;
                }
            } else if let Some(results) = &results {
                let path = self.results_path(&bench.name);
                files::write(&path, results.text.as_bytes())?;
                files.push(path);
            }
            streams.extend(results.map(|results| results.stream));
        }
        let failed = all_of(failures, built.len()).map(|all| FailedScenarios {
            unprinted,
            all,
            has_lost,
        });
        let has_none = streams.iter().all(|stream| stream.scenarios.is_empty());
        let failed = match failed {
            Some(failed) if has_none => return Err(failed.printed(self.shell)),
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

    fn measure_bench(&self, bench: &Built, only: &[String]) -> Result<Ended, Failure> {
        let name = bench.name.to_string();
        let what = match only.len() {
            0 => name.clone(),
            some => format!("{} of {name}", counted(some, "scenario")),
        };
        self.shell.status("Measuring", &what);
        if self.output.verbose {
            let program = bench.executable.display();
            self.shell.status("Running", &format!("{program} --bench"));
        }
        let process = BenchProcess::new(self, bench, false)?;
        let ended = self.wait(process, only, &format!("measuring {name}"))?;
        if bench.is_rebuilt() {
            let what = format!("{name} was built again while it was measured");
            return Err(Failure::build_failed(what).help(
                "measure again when nothing else builds in its folder, or give this run another one with \
                 CARGO_TARGET_DIR",
            ));
        }
        let output = &ended.output;
        if (ended.failure.is_some() || self.output.verbose) && !output.trim().is_empty() {
            self.shell.say(&excerpt(&name, output, self.output.verbose));
        }
        Ok(ended)
    }

    /// Runs a bench with progress.
    fn wait(
        &self,
        process: BenchProcess<'_>,
        only: &[String],
        what: &str,
    ) -> Result<Ended, Failure> {
        let progress = Progress::new(self.shell, what, self.config.run.timeout);
        let ended = process.measure(only, &progress);
        drop(progress);
        children::check()?;
        Ok(ended)
    }

    /// Runs the same executable for scenarios of these names, with call stacks. The stream may
    /// have other scenarios as well, and may lack some that failed.
    pub(crate) fn capture(
        &self,
        bench: &Built,
        names: &[String],
    ) -> Result<Result<Stream, Unexplained>, Failure> {
        let process = match BenchProcess::new(self, bench, true) {
            Ok(process) => process,
            Err(failure) => return Ok(Err(Unexplained::Because(failure.what))),
        };
        let bytes: usize = names.iter().map(String::len).sum();
        let only = if bytes < MOST_NAMES { names } else { &[] };
        let what = format!("recording the call stacks of {}", bench.name);
        let ended = self.wait(process, only, &what)?;
        let results = ended.results.map(|results| results.stream);
        let stream = results.or(ended.so_far.map(|stream| *stream));
        Ok(stream.ok_or(match ended.failure {
            Some(failure) if !ended.has_wrong_sites => Unexplained::Because(failure.what),
            Some(_) | None => Unexplained::Inexact,
        }))
    }

    /// The file that keeps the results of a bench, for `--results`. In a folder that the
    /// user named, the files of other targets have other names.
    fn results_path(&self, bench: &BenchId) -> PathBuf {
        let name = format!("{}.{}", bench.package, bench.target);
        let Some(folder) = &self.folder else {
            let target = self.workspace.target_directory();
            return target.join(FOLDER).join(format!("{name}.jsonl"));
        };
        let triple = self.workspace.triple(self.arguments.target.as_deref());
        let triple = triple.unwrap_or("unknown");
        folder.join(format!("{name}.{triple}.jsonl"))
    }
}

impl FailedScenarios {
    /// Prints the error of each bench, and returns one for all.
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
