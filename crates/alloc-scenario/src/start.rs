//! [`start`]: what the command line asks of the registered scenarios, as far as none of them runs.

use std::collections::HashMap;
use std::process::ExitCode;

use crate::arguments::{Action, Arguments, HELP, UsageError};
use crate::console;
use crate::selection::{Entry, Selection};
use crate::sweep::Defaults;

/// libtest's exit code for a failed run.
const FAILED: u8 = 101;

/// What remains to be done.
pub(crate) enum Start {
    /// Nothing: it was done, or a mistake was reported.
    Done(ExitCode),
    /// To run the scenarios once.
    Smoke(Selection),
    /// To measure the scenarios.
    Measure(Selection, Box<Defaults>),
}

/// Reports mistakes in the arguments and in the names, of which `problem` is one, and lists the
/// scenarios if the arguments ask for that.
pub(crate) fn start(
    arguments: Result<Arguments, UsageError>,
    entries: &[Entry],
    problem: Option<String>,
    defaults: Defaults,
) -> Start {
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(error) => {
            console::error(&format!("{error}; see --help"));
            return Start::Done(ExitCode::from(2));
        }
    };
    if let Some(problem) = name_problem(entries).or(problem) {
        return Start::Done(exit_code(Err(problem)));
    }
    if !arguments.ignored.is_empty() {
        console::note(&format!(
            "options of other harnesses have no effect on this bench: `{}`",
            arguments.ignored.join("`, `")
        ));
    }
    let selection = Selection::new(entries, &arguments.filter);
    match arguments.action {
        Action::Help => console::print(HELP),
        Action::List => {
            selection.list();
            console::print(&format!("\n0 tests, {} benchmarks\n", selection.len()));
        }
        Action::ListTersely => selection.list(),
        Action::Smoke => return Start::Smoke(selection),
        Action::Measure => {
            let measure = || {
                let defaults = defaults.with_environment(arguments.quick)?;
                Ok(Start::Measure(selection, Box::new(defaults)))
            };
            return measure().unwrap_or_else(|error| Start::Done(exit_code(Err(error))));
        }
    }
    Start::Done(ExitCode::SUCCESS)
}

/// The exit code for `main` after a run: whether it succeeded, or why there is none.
pub(crate) fn exit_code(run: Result<bool, String>) -> ExitCode {
    let succeeded = run.unwrap_or_else(|error| {
        console::error(&error);
        false
    });
    if succeeded {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    }
}

/// The first problem with the names of scenarios.
pub(crate) fn name_problem(entries: &[Entry]) -> Option<String> {
    let mut seen: HashMap<&str, &Entry> = HashMap::new();
    entries.iter().find_map(|entry| {
        if entry.name.trim().is_empty() {
            return Some(format!("the scenario at {} has no name", entry.location));
        }
        let first = seen.insert(&entry.name, entry)?;
        Some(format!(
            "two scenarios are called `{}`: at {} and at {}; rename one, or put it into a \
             group",
            entry.name, first.location, entry.location
        ))
    })
}
