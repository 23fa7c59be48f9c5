//! `suggest`: measures twice, and prints gates; with `--write`, adds them to gates.toml. It judges
//! nothing.

use alloc_gate::counted;
use alloc_gate::suggest::{Suggestions, gates};
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::BuildArguments;
use crate::bench::cargo;
use crate::bench::run::no_scenario;
use crate::bench::selection::warn_of_unchecked;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::{self, shown};
use crate::output::shell::Shell;
use crate::project::{Project, Rules, invalid};

/// Suggest gates for scenarios that have none
#[derive(Debug, Args)]
pub(crate) struct SuggestArguments {
    #[command(flatten)]
    build: BuildArguments,
    /// Also append the gates to gates.toml
    #[arg(long)]
    write: bool,
}

impl Runnable for SuggestArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let read = match self.write {
            true => Rules::load,
            false => Rules::load_if_there,
        };
        let project = Project::load(call.workspace, shell, read)?;
        let config = &project.rules.config;
        let run = project.bench_run(&self.build)?;
        warn_of_unchecked(&run.benches.unchecked, config, shell);
        let [first, again] = run.measure_twice()?;
        if first.scenarios().is_empty() {
            return Err(no_scenario());
        }
        let cfgs = cargo::needed_cfgs(config, &first)?;
        let suggestions = gates(config, &cfgs, &first, &again);
        shell.list(&suggestions.text)?;
        if self.write {
            write(&suggestions, &project.rules, shell)?;
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

/// Adds the gates to gates.toml.
fn write(suggestions: &Suggestions, rules: &Rules, shell: &Shell) -> Result<(), Failure> {
    if suggestions.names.is_empty() {
        return Ok(());
    }
    let file = rules.config.file();
    let path = rules.unchanged_file()?;
    let text = suggestions.appended_to(file, rules.config.text());
    let text = text.map_err(|diagnostics| {
        invalid(file, &diagnostics).help(
            "nothing was written: write `[[gate]]` tables instead of an array, or copy the gates \
             from above",
        )
    })?;
    files::write(path, text.as_bytes())?;
    shell.status("Wrote", &shown(path));
    Ok(())
}
