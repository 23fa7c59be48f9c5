//! `suggest`: measure or read, and print gates for what was measured; with
//! `--write`, add them to gates.toml. Nothing is judged.

use alloc_gate::report::counted;
use alloc_gate::suggest::{Suggestions, Which, gates};
use alloc_gate::{Config, Inputs, Measurements, Partiality};

use crate::arguments::SuggestArguments;
use crate::cargo::Workspace;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::results::{Job, no_scenario, shown};
use crate::rules::{Rules, invalid};
use crate::shell::Shell;
use crate::{files, judging, recorded};

pub(crate) fn suggest(arguments: &SuggestArguments, shell: &Shell) -> Result<Code, Failure> {
    let workspace = Workspace::load(&arguments.workspace)?;
    let rules = if arguments.write {
        Rules::load(&workspace, &arguments.workspace)?
    } else {
        Rules::load_if_there(&workspace, &arguments.workspace)?
            .unwrap_or_else(|| Rules::none(&workspace))
    };
    let measurements = if arguments.results.is_empty() {
        let job = Job::new(
            &workspace,
            &rules.config,
            &arguments.build,
            &arguments.workspace,
        )?;
        job.run(shell)?.measurements
    } else {
        recorded::read(&arguments.results)?
    };
    let which = if arguments.all {
        Which::All
    } else {
        Which::Ungated
    };
    let suggestions = suggestions(&rules.config, &measurements, which)?;
    shell.report(suggestions.text().as_bytes())?;
    if suggestions.names().is_empty() {
        shell.verdict("alloc-gate: nothing judged, as asked: every scenario has a gate");
        return Ok(Code::Held);
    }
    if arguments.write {
        let file = rules.config.file();
        let path = rules.unchanged_file()?;
        let text = suggestions
            .appended_to(file, rules.config.text())
            .map_err(|diagnostics| {
                invalid(file, &diagnostics).next(
                    "nothing was written: write `[[gate]]` tables instead of an array, or copy the \
                     gates from above",
                )
            })?;
        files::write(path, text.as_bytes())?;
        shell.status("Wrote", &shown(path));
    }
    shell.verdict(&format!(
        "alloc-gate: nothing judged, as asked: {} suggested for {}",
        counted(suggestions.names().len(), "gate"),
        counted(suggestions.scenarios(), "scenario"),
    ));
    Ok(Code::Held)
}

/// Gates for what was measured; there has to be something.
pub(super) fn suggestions(
    config: &Config,
    measurements: &Measurements,
    which: Which,
) -> Result<Suggestions, Failure> {
    if measurements.scenarios().is_empty() {
        return Err(no_scenario());
    }
    let inputs = Inputs {
        config,
        measurements,
        baseline: None,
        document: None,
        partiality: Partiality::Whole,
        cfgs: &judging::cfgs(config, measurements)?,
        today: judging::today(),
    };
    gates(&inputs, which).map_err(|error| {
        Failure::new(Code::InvalidRules, format!("no gate is suggested: {error}"))
            .next("this is a mistake of alloc-gate, which nothing was written of; please report it")
    })
}
