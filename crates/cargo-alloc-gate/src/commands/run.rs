//! `run`: measures, prints the values, and keeps the results. It judges nothing.

use std::fs;
use std::path::PathBuf;
use std::slice;

use alloc_gate::report::{Evaluations, measured};
use alloc_gate::unjudged;
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{BuildArguments, OutputArguments, ScenarioArguments, TableArguments};
use crate::bench::run::no_scenario;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::{self, shown};
use crate::git::Git;
use crate::output::reports;
use crate::project::{Project, Rules};

/// Run benches and record the results, without checking gates
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    build: BuildArguments,
    #[command(flatten)]
    selection: ScenarioArguments,
    /// Write the results to this folder instead of the target folder
    #[arg(long = "output", value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    table: TableArguments,
}

impl Runnable for RunArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = Project::load(call.workspace, shell, Rules::load_if_there)?;
        reports::prepare(&self.output, false, &project, &[])?;
        let rules = &project.rules;
        if let Some(folder) = &self.folder {
            // A folder that can't be made is found before the benches run.
            fs::create_dir_all(folder).map_err(|error| files::failed(folder, &error))?;
        }
        let mut run = project.bench_run(&self.build)?;
        // Later rules may limit times.
        run.is_timed = true;
        run.folder.clone_from(&self.folder);
        let results = run.measure(&self.selection.scenarios)?;
        let results = results.whole(shell)?;

        let measurements = &results.measurements;
        let evaluation = unjudged(&rules.config, measurements, results.selection);
        let git = reports::repository(&self.output, project.workspace.root());
        let report = Evaluations {
            runs: slice::from_ref(&evaluation),
            view: self.table.view(call.workspace),
            repository: git.as_ref().map(Git::repository),
        };
        let failures = reports::write(report, &self.output, shell);
        let file = reports::keep(report, project.workspace.target_directory(), shell);
        for file in &results.files {
            shell.status("Recorded", &shown(file));
        }
        let scenarios = measurements.scenarios().len();
        // A part can be empty.
        if scenarios == 0 && results.left_out.is_empty() {
            return Err(no_scenario());
        }
        reports::all_written(failures, shell)?;
        let measured = measured(scenarios, results.left_out.len());
        let line = format!("alloc-gate: measured {measured} (`run` checks no gates)");
        shell.verdict(&reports::with_file(line, file.as_deref()));
        Ok(Code::Held)
    }
}
