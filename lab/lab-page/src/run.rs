//! `lab-page run`: measures the lab in rounds, and writes the results and the pages.
//!
//! A round is one run of the benches, in which each scenario has a process of its own. Several
//! rounds measure each cell in several processes, minutes apart: a machine that is busy for a
//! minute slows the subjects of one round, and not one subject in all of them.

mod lab;
mod machine;
mod plan;
mod verify;

use std::env;
use std::fs;
use std::time::Instant;

use clap::Args;
use lab_page::error::Error;
use lab_page::page::{ALLOCATORS, DEVICES};
use lab_page::results::{Results, Run};
use lab_page::summary::Summary;
use lab_page::value::counted;
use lab_page::{heat, markdown, rounds};

use self::lab::Lab;
use crate::{console, write_pages};

/// The arguments of `lab-page run`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only scenarios whose full names contain one of these: their tables are printed, and nothing
    /// is written
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Features of the benches, such as allocators that a C compiler builds
    #[arg(short = 'F', long, value_name = "FEATURES")]
    features: Vec<String>,
    /// Base number of processes for each scenario; short ones get six more, and the ones
    /// without a clock only one
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// One round of a part of the workloads, and their heat map; nothing is written
    #[arg(long, conflicts_with = "rounds")]
    quick: bool,
    /// Compare the order of each answer with the order in a loop that shares nothing with the lab;
    /// nothing is written
    #[arg(long, conflicts_with_all = ["rounds", "quick", "filters", "devices"])]
    verify: bool,
    /// Memory of a graphics card instead of the allocators
    #[arg(long, conflicts_with = "quick")]
    devices: bool,
}

/// Does what the arguments say; tells whether everything succeeded.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, Error> {
    let lab = Lab::new(arguments)?;
    // The commit is the one of the sources that are built.
    let machine = machine::describe();
    console::line(format!("lab: building {}", lab.packages.join(" and ")));
    if !lab.build()? {
        return Ok(false);
    }
    if arguments.verify {
        return verify::verify(&lab, &Results::read(&ALLOCATORS.results())?);
    }
    let (results, all_succeeded) = measure(&lab, arguments, machine)?;
    if arguments.quick {
        print(&heat::terminal(&Summary::new(&results)));
    } else if !arguments.filters.is_empty() {
        print(&markdown::tables(&results));
    } else {
        write(&results, arguments)?;
    }
    for cell in &results.cells {
        if let Some(message) = &cell.failure {
            console::error(format!("{}: {message}", cell.scenario));
        }
    }
    Ok(all_succeeded && results.cells.iter().all(|cell| cell.failure.is_none()))
}

fn print(text: &str) {
    text.lines().for_each(console::line);
}

/// Writes the results of a whole run and their pages.
fn write(results: &Results, arguments: &Arguments) -> Result<(), Error> {
    if results.cells.iter().all(|cell| cell.unavailable.is_some()) {
        let reason = results
            .cells
            .first()
            .and_then(|cell| cell.unavailable.as_deref());
        let reason = reason.unwrap_or("there are no scenarios");
        let message = format!("nothing was measured, so nothing is written: {reason}");
        return Err(Error::Wrong(message));
    }
    let files = if arguments.devices {
        DEVICES
    } else {
        ALLOCATORS
    };
    let path = files.results();
    fs::write(&path, results.text()).map_err(Error::file("write", &path))?;
    let cells = counted(results.cells.len(), "cell");
    console::line(format!("wrote {cells} to {}", path.display()));
    write_pages(&files, results)
}

/// Measures all rounds; tells whether each bench exited with success.
fn measure(lab: &Lab, arguments: &Arguments, machine: Run) -> Result<(Results, bool), Error> {
    let begin = Instant::now();
    let plan = lab.plan(arguments)?;
    lab.clear()?;
    let mut folders = Vec::new();
    let mut all_succeeded = true;
    for round in plan {
        console::line(format!("lab: {round}, after {:.0?}", begin.elapsed()));
        if !lab.measure(&round, arguments.quick)? {
            // A scenario that failed has a record, and so a cell that says it. A bench that
            // did not come to its end has no last record, and its round can't be read. One that
            // failed before has no record at all.
            all_succeeded = false;
            let log = lab.log(&round);
            console::error(format!("{round} failed; see {}", log.display()));
        }
        let folder = lab.folder(&round);
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    console::line(format!("lab: measured after {:.0?}", begin.elapsed()));
    let run = Run {
        command: command_line(env::args()),
        crates: machine::crates(&lab.metadata),
        ..machine
    };
    Ok((rounds::read(&folders, &run)?, all_succeeded))
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
