//! `merge`: joins the results of several machines in one file. It judges nothing.

use std::path::{Path, PathBuf};

use alloc_gate::counted;
use clap::Args;

use super::{Call, Runnable};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::{self, shown};
use crate::measurements::join;
use crate::outputs;
use crate::partitions::join_parts;
use crate::project::Project;
use crate::recorded::runs;
use crate::result_files;

/// Join recorded results of several machines in one file
#[derive(Debug, Args)]
pub(crate) struct MergeArguments {
    /// Result files, and folders with such files
    #[arg(value_name = "PATH", required = true)]
    results: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

impl Runnable for MergeArguments {
    fn report_files(&self) -> Vec<&Path> {
        vec![&self.output]
    }

    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = Project::load_with_optional_rules(call.workspace, shell)?;
        let paths = result_files::find(&self.results)?;
        let paths: Vec<PathBuf> = paths.into_iter().map(|file| file.path).collect();
        outputs::refuse_inputs(&self.report_files(), &project.rules, &paths)?;
        let mut all = Vec::new();
        for path in &paths {
            all.extend(result_files::read(path)?);
        }
        let results = join_parts(all)?;
        let runs = runs(results.clone());
        let environments = runs.len();
        let mut scenarios = 0;
        for run in runs {
            // The same bench twice would be refused by whoever reads the file.
            scenarios += join(run)?.scenarios().len();
        }
        let text = result_files::text(&results);
        let text = text.map_err(|error| files::failed(&self.output, &error))?;
        files::write(&self.output, &text)?;
        shell.status("Wrote", &shown(&self.output));
        shell.verdict(&format!(
            "alloc-gate: merged {} of {}, from {} (`merge` checks no gates)",
            counted(scenarios, "scenario"),
            counted(environments, "environment"),
            counted(paths.len(), "file")
        ));
        Ok(Code::Held)
    }
}
