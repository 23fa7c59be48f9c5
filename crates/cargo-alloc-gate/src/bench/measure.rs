//! [`MeasureArguments`]: measurements of benches that run now, or of recorded results.

use std::path::{Path, PathBuf};

use alloc_gate::ScenarioId;
use alloc_gate::rules::Pattern;
use clap::Args;

use crate::arguments::{BuildArguments, ScenarioArguments, StaleArguments};
use crate::bench::cargo::Workspace;
use crate::bench::recorded::{Recorded, find_results};
use crate::bench::run::{BenchRun, ListedBench, RunResults};
use crate::bench::selection::{self, IdleGlob, matches, nothing_selected, warn_of_idle};
use crate::bench::selection::{SelectedBenches, left_out, warn_of_unchecked};
use crate::failure::Failure;
use crate::output::shell::Shell;
use crate::project::Project;

/// What to measure, or which results to read.
#[derive(Debug, Args)]
pub(crate) struct MeasureArguments {
    #[command(flatten)]
    build: BuildArguments,
    #[command(flatten)]
    selection: ScenarioArguments,
    /// Read recorded results, and run no bench
    #[arg(
        long,
        value_name = "PATH",
        num_args = 1..,
        help_heading = "Results"
    )]
    results: Vec<PathBuf>,
    #[command(flatten)]
    stale: StaleArguments,
}

impl MeasureArguments {
    /// Runs the benches, or reads the results of one or several environments. There is at least
    /// one.
    pub(crate) fn measure_each(
        &self,
        project: &Project<'_>,
        shell: &Shell,
    ) -> Result<Vec<RunResults>, Failure> {
        let wanted = &self.selection.scenarios;
        if self.results.is_empty() {
            let run = project.bench_run(&self.build)?;
            return Ok(vec![run.measure_matching(wanted, shell)?]);
        }
        let config = &project.rules.config;
        let benches = SelectedBenches::new(&project.workspace, config, &self.build)?;
        let runs = self.recorded(project, shell).read_all_of(&benches)?;
        let runs = runs.into_iter().map(|run| RunResults {
            measurements: run.measurements,
            built: Vec::new(),
            files: Vec::new(),
            selection: benches.selection,
            left_out: Vec::new(),
            unchecked: run.unchecked,
            failed: None,
        });
        let runs = runs.collect();
        if wanted.is_empty() {
            return Ok(runs);
        }
        select(runs, wanted, shell)
    }

    /// A run of the benches.
    pub(crate) fn bench_run<'p>(
        &'p self,
        project: &'p Project<'_>,
    ) -> Result<BenchRun<'p>, Failure> {
        project.bench_run(&self.build)
    }

    /// The target folder.
    pub(crate) fn target<'t>(&'t self, workspace: &'t Workspace) -> &'t Path {
        self.build.target(workspace)
    }

    /// How many benches the rules leave out here. Nobody misses them who selects some.
    pub(crate) fn benches_left_out(&self, project: &Project<'_>) -> Result<usize, Failure> {
        if !self.build.selects_all() {
            return Ok(0);
        }
        Ok(left_out(&project.rules.config, &self.build)?.len())
    }

    /// The files of recorded results.
    pub(crate) fn recorded_files(&self) -> Result<Vec<PathBuf>, Failure> {
        let files = find_results(&self.results)?;
        Ok(files.into_iter().map(|file| file.path).collect())
    }

    /// Lists the scenarios of the benches, or of the results; and how many were left
    /// out.
    pub(crate) fn list(
        &self,
        project: &Project<'_>,
        shell: &Shell,
    ) -> Result<(Vec<ListedBench>, usize), Failure> {
        let wanted = &self.selection.scenarios;
        if self.results.is_empty() {
            let run = project.bench_run(&self.build)?;
            warn_of_unchecked(&run.benches.unchecked, &project.rules.config, shell);
            return run.list(wanted, shell);
        }
        let mut benches = self.recorded(project, shell).list()?;
        if wanted.is_empty() {
            return Ok((benches, 0));
        }
        let all = benches.iter();
        let all = all.flat_map(|bench| selection::ids(&bench.name, &bench.scenarios));
        let (matched, idle) = matches(wanted, &all.collect::<Vec<_>>());
        refuse_idle(wanted, &idle, shell)?;
        let mut left_out = 0;
        for bench in &mut benches {
            let is_kept = |name: &str| matched.contains(&(&bench.name, name).into());
            left_out += bench.scenarios.len();
            bench.scenarios.retain(|name| is_kept(name));
            left_out -= bench.scenarios.len();
            bench.unavailable.retain(|one| is_kept(&one.name));
        }
        benches.retain(|bench| !bench.scenarios.is_empty());
        Ok((benches, left_out))
    }

    fn recorded<'r>(&'r self, project: &'r Project<'_>, shell: &'r Shell) -> Recorded<'r> {
        Recorded {
            paths: &self.results,
            allow_stale: self.stale.allow_stale,
            workspace: &project.workspace,
            rules: &project.rules,
            shell,
        }
    }
}

/// The scenarios that a pattern matches. Runs without one are left out.
fn select(
    runs: Vec<RunResults>,
    wanted: &[Pattern],
    shell: &Shell,
) -> Result<Vec<RunResults>, Failure> {
    let all = runs.iter().flat_map(|run| run.measurements.ids());
    let all: Vec<ScenarioId> = all.map(ScenarioId::from).collect();
    let (kept, idle) = matches(wanted, &all);
    refuse_idle(wanted, &idle, shell)?;
    let mut selected = Vec::new();
    for mut run in runs {
        let ids = run.measurements.ids().map(ScenarioId::from);
        let (here, others): (Vec<_>, Vec<_>) = ids.partition(|id| kept.contains(id));
        if here.is_empty() {
            continue;
        }
        run.measurements = run.measurements.restricted_to(|id| kept.contains(id));
        run.leave_out(others);
        selected.push(run);
    }
    Ok(selected)
}

/// Refuses globs of which each is idle, and warns of those that are.
fn refuse_idle(wanted: &[Pattern], idle: &[IdleGlob<'_>], shell: &Shell) -> Result<(), Failure> {
    if idle.len() == wanted.len() {
        return Err(nothing_selected("--scenarios", idle));
    }
    warn_of_idle(idle, shell);
    Ok(())
}
