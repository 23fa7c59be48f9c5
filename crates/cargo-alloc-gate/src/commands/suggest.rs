//! `suggest`: measures twice or reads results, and prints gates for them; with `--write`, adds
//! them to gates.toml, in place of the gate of `init`'s sample. It judges nothing.

use std::path::PathBuf;

use alloc_gate::counted;
use alloc_gate::suggest::{Suggestions, Which, gates};
use alloc_gate::{Config, Inputs, Measurements};
use clap::Args;

use super::init::sample::Sample;
use super::{Call, Runnable};
use crate::arguments::{BuildArguments, StaleArguments};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::shown;
use crate::measurements::no_scenario;
use crate::project::Project;
use crate::recorded::Recorded;
use crate::rules::invalid;
use crate::selection::warn_of_unchecked;
use crate::shell::Shell;
use crate::{files, inputs};

/// Measure twice, and print gates for the scenarios that have none
#[derive(Debug, Args)]
pub(crate) struct SuggestArguments {
    #[command(flatten)]
    build: BuildArguments,
    /// Suggest gates for all scenarios, not only for those without one
    #[arg(long)]
    all: bool,
    /// Append the gates to gates.toml as well
    #[arg(long)]
    write: bool,
    /// Suggest gates from recorded results, and run no bench
    ///
    /// A figure that differs between iterations gets no limit.
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["package", "bench"],
        help_heading = "Results"
    )]
    results: Vec<PathBuf>,
    #[command(flatten)]
    stale: StaleArguments,
}

impl Runnable for SuggestArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = if self.write {
            Project::load(call.workspace, shell)?
        } else {
            Project::load_with_optional_rules(call.workspace, shell)?
        };
        let rules = &project.rules;
        let (measurements, again) = if self.results.is_empty() {
            let run = project.bench_run(&self.build)?;
            warn_of_unchecked(&run.benches.unchecked, &rules.config, shell);
            let [first, again] = run.measure_twice(shell)?;
            (first, Some(again))
        } else {
            let recorded = Recorded {
                paths: &self.results,
                allow_stale: self.stale.allow_stale,
                workspace: &project.workspace,
                rules: &project.rules,
                shell,
            };
            (recorded.read()?, None)
        };
        let which = if self.all { Which::All } else { Which::Ungated };
        let suggestions = suggestions(&rules.config, &measurements, again.as_ref(), which)?;
        shell.list(&suggestions.text)?;
        if self.write {
            write(&suggestions, &project, &measurements, shell)?;
        }
        if suggestions.scenarios + suggestions.left_out == 0 {
            shell.verdict("alloc-gate: every scenario has a gate");
            return Ok(Code::Held);
        }
        let left_out = match suggestions.left_out {
            0 => String::new(),
            count => format!(", none for {}", counted(count, "scenario")),
        };
        shell.verdict(&format!(
            "alloc-gate: suggested {} for {}{left_out} (`suggest` checks no gates)",
            counted(suggestions.names.len(), "gate"),
            counted(suggestions.scenarios, "scenario"),
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

/// Gates for the measurements, the second of which shows what differs from run to run. Without
/// a scenario it fails.
pub(super) fn suggestions(
    config: &Config,
    measurements: &Measurements,
    again: Option<&Measurements>,
    which: Which,
) -> Result<Suggestions, Failure> {
    if measurements.scenarios().is_empty() {
        return Err(no_scenario());
    }
    let cfgs = inputs::cfgs(config, measurements)?;
    let inputs = Inputs::new(config, measurements, &cfgs, inputs::current_day());
    gates(&inputs, again, which).map_err(|error| {
        Failure::invalid_rules(format!("no gate is suggested: {error}"))
            .help("nothing was written; this is a bug in alloc-gate; please report it")
    })
}
