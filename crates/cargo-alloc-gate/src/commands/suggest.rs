//! `suggest`: measures twice, and prints gates; with `--write`, adds them to gates.toml, in place
//! of the gate of `init`'s sample. It judges nothing.

use alloc_gate::suggest::{Suggestions, gates};
use alloc_gate::{Measurements, counted};
use clap::Args;

use super::init::sample::Sample;
use super::{Call, Runnable};
use crate::arguments::BuildArguments;
use crate::bench::cargo;
use crate::bench::run::no_scenario;
use crate::bench::selection::warn_of_unchecked;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files;
use crate::files::shown;
use crate::output::shell::Shell;
use crate::project::Project;
use crate::project::invalid;

/// Measure twice, and print gates for the scenarios that have none
#[derive(Debug, Args)]
pub(crate) struct SuggestArguments {
    #[command(flatten)]
    build: BuildArguments,
    /// Append the gates to gates.toml as well
    #[arg(long)]
    write: bool,
}

impl Runnable for SuggestArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = if self.write {
            Project::load(call.workspace, shell)?
        } else {
            Project::load_with_optional_rules(call.workspace, shell)?
        };
        let config = &project.rules.config;
        let run = project.bench_run(&self.build)?;
        warn_of_unchecked(&run.benches.unchecked, config, shell);
        let [first, again] = run.measure_twice(shell)?;
        if first.scenarios().is_empty() {
            return Err(no_scenario());
        }
        let cfgs = cargo::needed_cfgs(config, &first)?;
        let suggestions = gates(config, &cfgs, &first, &again);
        shell.list(&suggestions.text)?;
        if self.write {
            write(&suggestions, &project, &first, shell)?;
        }
        for scenario in &suggestions.unsteady {
            shell.warning(
                &format!("no gate for `{scenario}`: its counts differ between iterations or runs"),
                "write one with a limit on `max`",
            );
        }
        if suggestions.names.is_empty() && suggestions.unsteady.is_empty() {
            shell.verdict("alloc-gate: every scenario has a gate");
            return Ok(Code::Held);
        }
        shell.verdict(&format!(
            "alloc-gate: suggested {} (`suggest` checks no gates)",
            counted(suggestions.names.len(), "gate"),
        ));
        Ok(Code::Held)
    }
}

/// Adds the gates to gates.toml, and removes those of a sample that was replaced.
fn write(
    suggestions: &Suggestions,
    project: &Project<'_>,
    measurements: &Measurements,
    shell: &Shell,
) -> Result<(), Failure> {
    let rules = &project.rules;
    let mut text = rules.config.text().to_owned();
    let packages = project.workspace.package_names().into_iter();
    let samples = packages.flat_map(|name| [Sample::alone(name), Sample::beside_others(name)]);
    let removed: Vec<Sample> = samples
        .filter(|sample| sample.remove_gate(&mut text, measurements))
        .collect();
    if suggestions.names.is_empty() && removed.is_empty() {
        return Ok(());
    }
    let file = rules.config.file();
    let path = rules.unchanged_file()?;
    let text = suggestions
        .appended_to(file, &text)
        .map_err(|diagnostics| {
            invalid(file, &diagnostics).help(
                "nothing was written: write `[[gate]]` tables instead of an array, or copy the \
                 gates from above",
            )
        })?;
    files::write(path, text.as_bytes())?;
    for sample in &removed {
        shell.status("Removed", &format!("the sample's gate `{}`", sample.gate()));
    }
    shell.status("Wrote", &shown(path));
    Ok(())
}
