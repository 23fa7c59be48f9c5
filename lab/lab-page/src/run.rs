//! `lab-page run`: measures the lab in rounds, and writes the results and the page.
//!
//! A round is one run of the bench, in which each scenario has a process of its own. Several
//! rounds measure each cell in several processes, minutes apart: a machine that is busy for a
//! minute slows the subjects of one round, and not one subject in all of them.

mod crates;
mod lab;
mod machine;
mod plan;
mod verify;

use std::env;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use lab_page::error::Error;
use lab_page::results::Run;
use lab_page::rounds::{self, Pooled};

use self::lab::Lab;
pub(crate) use self::verify::verify;
use crate::console;

/// The arguments of `lab-page run`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only scenarios whose full names contain one of these; the results of all others stay
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Features of the bench's package, such as allocators that a C compiler builds
    #[arg(short = 'F', long, value_name = "FEATURES")]
    features: Vec<String>,
    /// Base number of processes for each scenario; short ones get six more, and those
    /// without a clock fewer
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// One round of a part of the workloads, and their heat map alone; nothing is written
    #[arg(long, conflicts_with_all = ["rounds", "results", "page"])]
    pub(crate) quick: bool,
    /// Compare the order of each answer with that of a loop that shares nothing with the lab;
    /// nothing is written
    #[arg(long, conflicts_with_all = ["rounds", "quick", "page", "filters", "devices"])]
    pub(crate) verify: bool,
    /// Measure the memory of graphics cards instead of allocators
    #[arg(long)]
    devices: bool,
    /// The file of results [default: lab/design/allocators.jsonl, or devices.jsonl]
    #[arg(long, value_name = "FILE")]
    pub(crate) results: Option<PathBuf>,
    /// The pages [default: those of the results in lab]
    #[arg(long, num_args = 1.., value_name = "FILE")]
    page: Vec<PathBuf>,
}

/// What was measured, and the files that it is for.
pub(crate) struct Measured {
    pub(crate) pooled: Pooled,
    /// The number of rounds.
    pub(crate) rounds: usize,
    /// Whether each bench exited with success.
    pub(crate) all_succeeded: bool,
    pub(crate) files: Files,
    /// Where the results and the page go if they don't belong to those of `files`.
    pub(crate) elsewhere: Files,
}

/// The files of results and pages.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    pub(crate) results: PathBuf,
    pub(crate) pages: Vec<PathBuf>,
}

/// Builds and measures. `None` if the build failed; cargo has printed why.
pub(crate) fn measure(arguments: &Arguments) -> Result<Option<Measured>, Error> {
    let begin = Instant::now();
    let lab = Lab::new(arguments)?;
    // The commit is that of the sources that are built.
    let machine = machine::describe();
    console::line(format!(
        "lab: building {}",
        lab.benches.packages.join(" and ")
    ));
    if !lab.build()? {
        return Ok(None);
    }
    let plan = lab.plan(arguments)?;
    lab.clear()?;
    let mut rounds = Vec::new();
    let mut all_succeeded = true;
    for round in plan {
        console::line(format!("lab: {round}, after {:.0?}", begin.elapsed()));
        if !lab.measure(&round, arguments.quick)? {
            // A scenario that failed has a record, and so a cell that says it. A bench that
            // did not come to its end has no last record, and is refused by the merge. One that
            // failed before has no record at all.
            all_succeeded = false;
            let log = lab.log(&round);
            console::error(format!("{round} failed; see {}", log.display()));
        }
        let folder = lab.folder(&round);
        if !rounds.contains(&folder) {
            rounds.push(folder);
        }
    }
    console::line(format!("lab: measured after {:.0?}", begin.elapsed()));
    let run = Run {
        command: command_line(env::args()),
        crates: crates::of_subjects(&lab.metadata),
        ..machine
    };
    Ok(Some(Measured {
        pooled: rounds::read(&rounds, &run)?,
        rounds: rounds.len(),
        all_succeeded,
        files: lab.files,
        elsewhere: lab.elsewhere,
    }))
}

/// What was typed, as one types it in this repository.
fn command_line(arguments: impl Iterator<Item = String>) -> String {
    let words = arguments.skip(1).skip_while(|word| word == "run");
    let words = words.map(|word| match word.contains([' ', '*', '\'']) {
        true => format!("'{}'", word.replace('\'', r"'\''")),
        false => word,
    });
    words.fold("cargo xtask lab".to_owned(), |line, word| {
        line + " " + &word
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_shown_as_it_is_typed() {
        let words = ["lab-page", "run", "-F", "c,jemalloc", "a b"];
        assert_eq!(
            command_line(words.map(str::to_owned).into_iter()),
            "cargo xtask lab -F c,jemalloc 'a b'"
        );
    }
}
