//! [`MeasureArguments`]: measurements of benches that run now, or of recorded results.

use std::path::PathBuf;

use alloc_gate::Selection;
use clap::Args;

use crate::arguments::{BuildArguments, ScenarioArguments};
use crate::bench_run::{ListedBench, RunResults};
use crate::failure::Failure;
use crate::project::Project;
use crate::recorded;
use crate::selection::warn_of_unlisted;
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
        conflicts_with_all = ["package", "bench", "scenarios"],
        help_heading = "Results"
    )]
    results: Vec<PathBuf>,
}

impl MeasureArguments {
    /// Runs the benches, or reads the results.
    pub(crate) fn measure(
        &self,
        project: &Project<'_>,
        shell: &Shell,
    ) -> Result<RunResults, Failure> {
        if self.results.is_empty() {
            let run = project.bench_run(&self.build)?;
            return run.measure_matching(&self.selection.scenarios, shell);
        }
        Ok(RunResults {
            measurements: recorded::read(&self.results)?,
            files: Vec::new(),
            selection: Selection::Whole,
            left_out: Vec::new(),
            unlisted: Vec::new(),
        })
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
            warn_of_unlisted(&run.benches.unlisted, &project.rules.config, shell);
            return run.list(&self.selection.scenarios, shell);
        }
        Ok((recorded::list(&self.results)?, 0))
    }
}
