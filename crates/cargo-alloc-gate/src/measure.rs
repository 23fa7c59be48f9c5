//! [`MeasureArguments`]: measurements of benches that run now, or of recorded results.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::{BuildArguments, ScenarioArguments, StaleArguments};
use crate::bench_run::{ListedBench, RunResults};
use crate::failure::Failure;
use crate::project::Project;
use crate::recorded::Recorded;
use crate::selection::{SelectedBenches, warn_of_unchecked};
use crate::shell::Shell;

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
        value_name = "FILE",
        num_args = 1..,
        conflicts_with = "scenarios",
        help_heading = "Results"
    )]
    results: Vec<PathBuf>,
    #[command(flatten)]
    stale: StaleArguments,
}

impl MeasureArguments {
    /// Runs the benches, or reads the results. Benches may lack scenarios that failed.
    pub(crate) fn measure(
        &self,
        project: &Project<'_>,
        shell: &Shell,
    ) -> Result<RunResults, Failure> {
        if self.results.is_empty() {
            let run = project.bench_run(&self.build)?;
            return run.measure_matching(&self.selection.scenarios, shell);
        }
        let config = &project.rules.config;
        let benches = SelectedBenches::new(&project.workspace, config, &self.build)?;
        let (measurements, unchecked) = self.recorded(project, shell).read_all_of(&benches)?;
        Ok(RunResults {
            measurements,
            files: Vec::new(),
            selection: benches.selection,
            left_out: Vec::new(),
            unchecked,
            failed: None,
        })
    }

    /// The files of recorded results.
    pub(crate) fn recorded_files(&self) -> &[PathBuf] {
        &self.results
    }

    /// Lists the scenarios of the benches, or of the results; and how many were left
    /// out.
    pub(crate) fn list(
        &self,
        project: &Project<'_>,
        shell: &Shell,
    ) -> Result<(Vec<ListedBench>, usize), Failure> {
        if self.results.is_empty() {
            let run = project.bench_run(&self.build)?;
            warn_of_unchecked(&run.benches.unchecked, &project.rules.config, shell);
            return run.list(&self.selection.scenarios, shell);
        }
        Ok((self.recorded(project, shell).list()?, 0))
    }

    fn recorded<'r>(&'r self, project: &'r Project<'_>, shell: &'r Shell) -> Recorded<'r> {
        Recorded {
            paths: &self.results,
            allow_stale: self.stale.allow_stale,
            workspace: &project.workspace,
            shell,
        }
    }
}
