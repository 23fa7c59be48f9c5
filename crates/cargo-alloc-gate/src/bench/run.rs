//! [`BenchRun`]: builds the selected benches, runs them, and reads what they measured.
//! A bench that fails is an error. `check` shows the verdicts on the other scenarios, and fails
//! with the same error.

mod list;
mod results;

use std::fs;
use std::path::PathBuf;
use std::slice;

use alloc_gate::rules::{Pattern, Reaction};
use alloc_gate::{Config, Measurements, Selection, counted, grouped};
use alloc_results::{BenchId, Stream};

use crate::arguments::{BuildArguments, WorkspaceArguments};
use crate::bench::build::{
    Build, Built, Variant, features_of, groups, options, refuse_missing_features,
};
use crate::bench::cargo::Workspace;
use crate::bench::problem::BenchProblem;
use crate::bench::problem::excerpt;
use crate::bench::process::{BenchProcess, BenchResults, Ended, Settings, Wanted};
use crate::bench::selection::SelectedBenches;
use crate::bench::selection::{nothing_selected, refuse_too_many, warn_of_idle};
use crate::children;
use crate::failure::Failure;
use crate::files::Scratch;
use crate::files::{self, shown};
use crate::git::Checkout;
use crate::line_tables;
use crate::output::progress::Progress;
use crate::output::shell::{Shell, quoted};

pub(crate) use list::{ListedBench, MatchingScenarios};
use results::Collected;
pub(crate) use results::{RunResults, ambiguous, join, no_scenario};

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

impl BenchRun<'_> {
    /// Builds the benches and measures all their scenarios.
    pub(crate) fn measure_all(&self, shell: &Shell) -> Result<RunResults, Failure> {
        self.measure(&self.all(shell)?, shell)?.whole(shell)
    }

    /// Builds the benches, and measures all their scenarios in two processes one after the
    /// other. The results of the second one are kept.
    pub(crate) fn measure_twice(&self, shell: &Shell) -> Result<[Measurements; 2], Failure> {
        let benches = self.all(shell)?;
        let first = self.measure(&benches, shell)?.whole(shell)?.measurements;
        let again = self.measure(&benches, shell)?.whole(shell)?.measurements;
        Ok([first, again])
    }

    /// Builds the benches, each to be measured whole.
    fn all(&self, shell: &Shell) -> Result<Vec<(Built, Vec<String>)>, Failure> {
        self.remove_results();
        let built = self.compile(shell)?.into_iter();
        Ok(built.map(|bench| (bench, Vec::new())).collect())
    }

    /// Builds the benches and measures the scenarios that a pattern of `wanted`
    /// matches; without patterns, all. A pattern without a match is a warning, unless
    /// none has one. The results may lack scenarios that failed.
    pub(crate) fn measure_matching(
        &self,
        wanted: &[Pattern],
        shell: &Shell,
    ) -> Result<RunResults, Failure> {
        if wanted.is_empty() {
            return self.measure(&self.all(shell)?, shell);
        }
        self.remove_results();
        let matching = self.matching(wanted, shell)?;
        if matching.benches.is_empty() {
            return Err(nothing_selected("--scenarios", &matching.idle));
        }
        warn_of_idle(&matching.idle, shell);
        self.measure_selected(matching, shell)
    }

    /// The same for `accept`, where each pattern has to match a scenario.
    pub(crate) fn measure_each_of(
        &self,
        wanted: &[Pattern],
        shell: &Shell,
    ) -> Result<RunResults, Failure> {
        self.remove_results();
        let matching = self.matching(wanted, shell)?;
        if let Some(glob) = matching.idle.first() {
            return Err(nothing_selected("--scenarios", slice::from_ref(glob)));
        }
        self.measure_selected(matching, shell)?.whole(shell)
    }

    fn measure_selected(
        &self,
        matching: MatchingScenarios<'_>,
        shell: &Shell,
    ) -> Result<RunResults, Failure> {
        let MatchingScenarios {
            mut benches,
            left_out,
            ..
        } = matching;
        for (bench, names) in &mut benches {
            if left_out.iter().all(|other| other.bench != bench.name) {
                names.clear();
            }
            refuse_too_many(&bench.name, names)?;
        }
        let mut results = self.measure(&benches, shell)?;
        results.leave_out(left_out);
        Ok(results)
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

    /// Runs benches, each for the scenarios beside it, or for all if there are none.
    fn measure(
        &self,
        built: &[(Built, Vec<String>)],
        shell: &Shell,
    ) -> Result<RunResults, Failure> {
        let mut collected = Collected::default();
        for (bench, only) in built {
            match self.measure_bench(bench, only, shell)? {
                Ok(results) => {
                    let path = self.results_path(&bench.name);
                    files::write(&path, results.text.as_bytes())?;
                    collected.files.push(path);
                    collected.streams.push(results.stream);
                }
                Err(problem) => {
                    let alone = self.alone(&bench.name);
                    collected.fail(&bench.name, problem, &alone, shell);
                }
            }
        }
        let failed = collected.failed(built.len());
        let Collected {
            streams, has_lost, ..
        } = collected;
        let has_none = streams.iter().all(|stream| stream.scenarios.is_empty());
        let failed = match failed {
            Some(failed) if has_none => return Err(failed.printed(shell)),
            failed => failed,
        };
        // What a bench without results has is as little known as of one that was not selected.
        let selection = if has_lost {
            Selection::Selected
        } else {
            self.benches.selection
        };
        Ok(RunResults {
            measurements: join(streams)?,
            built: built.iter().map(|(bench, _)| bench.clone()).collect(),
            files: collected.files,
            selection,
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
        let wanted = match only {
            [] => Wanted::All,
            only => Wanted::Named(only),
        };
        let Ended { results, output } =
            self.start(bench, wanted, &format!("measuring {name}"), shell)?;
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

    /// One run of a bench.
    fn process<'b>(
        &'b self,
        bench: &'b Built,
        settings: Settings<'b>,
    ) -> Result<BenchProcess<'b>, Failure> {
        BenchProcess::new(self.workspace, bench, settings, &self.scratch)
    }

    /// Runs one bench, with progress under this label.
    fn start(
        &self,
        bench: &Built,
        wanted: Wanted<'_>,
        label: &str,
        shell: &Shell,
    ) -> Result<Ended, Failure> {
        let process = self.process(bench, self.settings(&bench.name))?;
        let progress = Progress::new(shell, label.to_owned(), self.config.run.timeout);
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
        let settings = Settings {
            sites: true,
            ..self.settings(&bench.name)
        };
        let process = match self.process(bench, settings) {
            Ok(process) => process,
            Err(failure) => return Ok(Err(NotCaptured::Failed(failure.what))),
        };
        let label = format!("recording the call stacks of {}", bench.name);
        // A command line has room for so many names.
        let wanted = match refuse_too_many(&bench.name, names) {
            Ok(()) => Wanted::Named(names),
            Err(_) => Wanted::All,
        };
        let progress = Progress::new(shell, label, self.config.run.timeout);
        let ended = process.measure(wanted, &progress);
        drop(progress);
        children::check()?;
        Ok(match ended.results {
            Ok(results) => Ok(results.stream),
            Err(BenchProblem::ScenariosFailed(stream)) => Ok(*stream),
            Err(BenchProblem::WrongSites(_)) => Err(NotCaptured::Inexact),
            Err(problem) => {
                let what = problem.into_failure(&bench.name, "").what;
                Err(NotCaptured::Failed(what))
            }
        })
    }

    /// Removes older results of the benches before they are built: they must not pass for
    /// those of this run, even if it fails.
    fn remove_results(&self) {
        for bench in &self.benches.names {
            let _ = fs::remove_file(self.results_path(bench));
        }
    }

    /// Builds the benches, those of one variant together where cargo can. They stay in order.
    pub(crate) fn compile(&self, shell: &Shell) -> Result<Vec<Built>, Failure> {
        let names = &self.benches.names;
        refuse_missing_features(self.workspace, self.config, names, self.arguments)?;
        if !self.workspace.is_elsewhere() && self.config.policy.unlisted != Reaction::Allow {
            for file in self.workspace.modules_as_benches() {
                let folder = file.with_extension("").join("mod.rs");
                shell.warning(
                    &format!(
                        "{} is a module of other benches, and cargo takes it for a bench",
                        shown(file)
                    ),
                    &format!("move it to {}", shown(&folder)),
                );
            }
        }
        let noun = if names.len() == 1 { "bench" } else { "benches" };
        let variants = grouped(names.iter().cloned(), |group, name| {
            self.variant(&group[0]) == self.variant(name)
        });
        let groups = variants.into_iter().flat_map(|benches| {
            let variant = self.variant(&benches[0]);
            let targets = benches.iter().map(|bench| self.config.target_of(bench));
            let groups = groups(self.workspace, targets.collect()).into_iter();
            groups.map(move |group| (variant.clone(), group))
        });
        let groups: Vec<(Variant, Vec<BenchId>)> = groups.collect();
        let builds = groups.iter().map(|(variant, group)| {
            let line_tables = if self.config.run.line_tables {
                let target = self.arguments.target.as_deref();
                line_tables::options(self.workspace, &variant.profile, target)
            } else {
                Vec::new()
            };
            Build {
                workspace: self.workspace,
                benches: group,
                variant,
                features: self.features_of(group),
                arguments: self.arguments,
                more: line_tables,
                output: self.output,
                shell,
            }
        });
        shell.status("Building", &format!("{} {noun}", names.len()));
        let mut checkout = Checkout::of(self.workspace.root(), shell);
        let mut built = Vec::new();
        for build in builds {
            for mut bench in build.run()? {
                let is_it = |name: &&BenchId| {
                    self.config.target_of(name) == bench.name
                        && self.variant(name) == *build.variant
                };
                if let Some(name) = names.iter().find(is_it) {
                    bench.name = name.clone();
                }
                built.push(bench);
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

    /// The features of the command line for benches that are built.
    fn features_of(&self, built: &[BenchId]) -> Vec<String> {
        features_of(built, &self.benches.names, self.workspace, self.arguments)
    }

    fn variant(&self, bench: &BenchId) -> Variant {
        Variant::new(self.arguments, self.config.bench(bench))
    }

    fn settings(&self, bench: &BenchId) -> Settings<'_> {
        let variant = self.variant(bench);
        Settings {
            warmup: self.config.run.warmup,
            iterations: self.config.run.iterations,
            timeout: self.config.run.timeout,
            scenario_timeout: self.config.run.scenario_timeout,
            quick: self.arguments.quick,
            sites: false,
            is_timed: self.is_timed,
            features: variant.recorded_features(self.arguments),
            profile: variant.profile,
            target: self.arguments.target.as_deref(),
            env: self.config.bench(bench).map_or(&[], |rule| &rule.env),
        }
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
}
