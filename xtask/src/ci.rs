//! `cargo xtask ci`: runs the steps and says how each ended. It knows no
//! tool's insides: a step passes when its commands exit with 0.

mod command;
mod fuzzing;
mod optional;
mod probe;
mod site;
mod step;
mod summary;

use std::process::ExitCode;
use std::time::Instant;

use clap::ValueEnum;

use crate::console::say;
use crate::error::Error;
use crate::tidy;
pub(crate) use command::CommandLine;
use site::Site;
pub(crate) use step::Step;
use step::Work;
use summary::{Outcome, Record};

/// Runs `steps`, or all there are, and fails when one of them did.
pub(crate) fn run(steps: &[Step]) -> Result<ExitCode, Error> {
    let steps = match steps {
        [] => Step::value_variants(),
        named => named,
    };
    let site = Site::find()?;
    let mut records = Vec::with_capacity(steps.len());
    for &step in steps {
        let start = Instant::now();
        site.open_group(step)?;
        let outcome = perform(&step.work(&site), &site)?;
        site.close_group()?;
        say(&format!("{}: {outcome}", step.name()))?;
        records.push(Record {
            step,
            outcome,
            duration: start.elapsed(),
        });
    }
    say(&summary::table(&records))?;
    say(&summary::closing_line(&records))?;
    Ok(summary::exit_code(&records))
}

/// Does the work of one step. What goes wrong in it is its outcome; only a
/// line that cannot be printed ends the run.
fn perform(work: &Work, site: &Site) -> Result<Outcome, Error> {
    match work {
        Work::Skip(reason) => Ok(Outcome::Skipped(reason.clone())),
        Work::Mistake(mistake) => Ok(Outcome::Failed(mistake.clone())),
        Work::Tidy => {
            say("+ cargo xtask tidy (in this process)")?;
            match tidy::report() {
                Ok(0) => Ok(Outcome::Passed),
                Ok(findings) => Ok(Outcome::Failed(tidy::counted(findings))),
                Err(error) => Ok(Outcome::Failed(format!("failed to {error}"))),
            }
        }
        Work::Commands { commands, note } => {
            if let Some(note) = note {
                say(note)?;
            }
            run_commands(commands, site)
        }
    }
}

/// Runs one command after the other, up to the first that fails.
fn run_commands(commands: &[CommandLine], site: &Site) -> Result<Outcome, Error> {
    for command in commands {
        say(&format!("+ {command}"))?;
        match command.run(site.root()) {
            Ok(status) if status.success() => {}
            Ok(status) => return Ok(Outcome::Failed(format!("`{command}`: {status}"))),
            Err(error) => return Ok(Outcome::Failed(format!("failed to {error}"))),
        }
    }
    Ok(Outcome::Passed)
}
