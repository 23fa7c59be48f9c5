//! `run`: measure, print, and say where the results are kept. Nothing is judged.

use std::io;

use alloc_gate::report::{counted, terminal};
use alloc_gate::{Config, Measurements, Partiality, pivot};

use crate::arguments::RunArguments;
use crate::cargo::Workspace;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::results::{Job, no_scenario, shown};
use crate::rules::Rules;
use crate::shell::Shell;

pub(crate) fn run(arguments: &RunArguments, shell: &Shell) -> Result<Code, Failure> {
    let workspace = Workspace::load(&arguments.workspace)?;
    let rules = Rules::load_if_there(&workspace, &arguments.workspace)?
        .unwrap_or_else(|| Rules::none(&workspace));
    let job = Job::new(
        &workspace,
        &rules.config,
        &arguments.build,
        &arguments.workspace,
    )?;
    let run = job.run(shell)?;

    let mut text = Vec::new();
    tables(
        &rules.config,
        &run.measurements,
        job.partiality(),
        &mut text,
    )
    .map_err(|error| {
        Failure::new(
            Code::OutputFailed,
            format!("failed to render the tables: {error}"),
        )
    })?;
    shell.report(&text)?;
    for file in &run.files {
        shell.status("Recorded", &shown(file));
    }
    if run.measurements.scenarios().is_empty() {
        return Err(no_scenario());
    }
    shell.verdict(&format!(
        "alloc-gate: nothing judged, as asked: {} measured",
        counted(run.measurements.scenarios().len(), "scenario")
    ));
    Ok(Code::Held)
}

/// Writes the figures of all scenarios, and the tables that the rules ask for.
fn tables(
    config: &Config,
    measurements: &Measurements,
    partiality: Partiality,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    terminal::table(measurements.scenarios(), out)?;
    let (tables, findings) = pivot(config, measurements, partiality);
    terminal::tables(&tables, out)?;
    terminal::findings(&findings, config.file(), out)
}
