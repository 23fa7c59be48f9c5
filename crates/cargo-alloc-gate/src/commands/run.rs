//! `run`: measure, print, and say where the results are kept. Nothing is judged.

use alloc_gate::report::measured;
use alloc_gate::{TablesUpdate, unjudged};

use crate::arguments::RunArguments;
use crate::cargo::Workspace;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::results::{Job, no_scenario, shown};
use crate::rules::Rules;
use crate::shell::Shell;
use crate::{accepted_past, outputs, tables_page};

pub(crate) fn run(
    arguments: &RunArguments,
    command_line: &str,
    shell: &Shell,
) -> Result<Code, Failure> {
    let workspace = Workspace::load(&arguments.workspace)?;
    let rules = Rules::load_if_there(&workspace, &arguments.workspace)?
        .unwrap_or_else(|| Rules::none(&workspace));
    let page = arguments.page.update_tables.as_deref();
    if let Some(path) = page {
        tables_page::check(path, &rules.config, shell)?;
    }
    let job = Job::new(
        &workspace,
        &rules.config,
        &arguments.build,
        &arguments.workspace,
    )?;
    let run = job.run_only(&arguments.selection.scenarios, shell)?;

    let measurements = accepted_past::beside(run.measurements, &rules);
    let evaluation = unjudged(&rules.config, &measurements, run.partiality);
    let mut failures = outputs::write_unjudged(&evaluation, &arguments.output, shell);
    for file in &run.files {
        shell.status("Recorded", &shown(file));
    }
    let scenarios = measurements.scenarios().len();
    if scenarios == 0 {
        return Err(no_scenario());
    }
    if let Some(path) = page {
        let update = TablesUpdate {
            tables: &evaluation.tables,
            measurements: &measurements,
            partiality: run.partiality,
            command: command_line,
        };
        let written = tables_page::write(path, &rules.config, &update, &run.left_out, shell);
        failures.extend(written.err());
    }
    if let Some(last) = failures.pop() {
        for failure in &failures {
            shell.error(failure);
        }
        return Err(last);
    }
    shell.verdict(&format!(
        "alloc-gate: nothing judged, as asked: {} measured",
        measured(scenarios, run.left_out.len())
    ));
    Ok(Code::Held)
}
