//! `lab-page run`: measures the lab in rounds, and writes the results and the pages.
//!
//! A round is one run of the benches, in which each scenario has a process of its own. Several
//! rounds measure each cell in several processes, minutes apart: a machine that is busy for a
//! minute slows the subjects of one round, and not one subject in all of them.
//!
//! A process that runs while a neighbour of the machine has the other half of its core takes up
//! to twice as long from its beginning to its end, so that its fastest window says nothing. One
//! of several processes, minutes apart, finds the core alone. What the first round shows to be
//! short is therefore measured in more of them.

mod lab;
mod machine;
mod verify;

use std::env;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use lab_page::error::Error;
use lab_page::page::{ALLOCATORS, DEVICES};
use lab_page::results::{Cell, Results, Run, Unit};
use lab_page::summary::Summary;
use lab_page::{heat, markdown, rounds};

use self::lab::Lab;
use crate::{console, replace, write_pages};

/// How many processes more measure a short scenario on one thread: one finds the core alone.
const MORE: u32 = 6;

/// How many more measure a longer one, or several threads.
const MORE_OF_LONG: u32 = 2;

/// A scenario on one thread is short if the windows of one process take less nanoseconds.
const SHORT: f64 = 10e6;

/// What `--quick` measures: enough for the heat map, in less than 90 seconds on two cores.
/// `sizes=mixed` is the half of `concurrent` with the sizes of programs.
const QUICK: &str = "pair/ batch/ frame/ vectors/ threads=1,sizes=mixed threads=2,sizes=mixed \
                     handover/ replay/ phases/";

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
    /// Base number of processes for each scenario; short ones of one thread get six more and others
    /// two, and the ones without a clock have only one
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
    let run = Run {
        command: command_line(env::args()),
        crates: machine::crates(&lab.metadata),
        ..machine::describe()
    };
    console::line(format!("lab: building {}", lab.packages.join(" and ")));
    if !lab.build()? {
        return Ok(false);
    }
    if arguments.verify {
        return verify::verify(&lab, &Results::read(&ALLOCATORS.results())?);
    }
    let (results, all_succeeded) = measure(&lab, arguments, &run)?;
    if arguments.quick {
        print(&heat::markdown(&Summary::new(&results)));
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
        let first = results.cells.first();
        let reason = first.and_then(|cell| cell.unavailable.as_deref());
        let reason = reason.unwrap_or("there are no scenarios");
        let message = format!("nothing was measured, so nothing is written: {reason}");
        return Err(Error::Wrong(message));
    }
    let files = match arguments.devices {
        true => DEVICES,
        false => ALLOCATORS,
    };
    replace(&files.results(), &results.text())?;
    write_pages(&files, results)
}

/// Measures all rounds; tells whether each bench exited with success.
fn measure(lab: &Lab, arguments: &Arguments, run: &Run) -> Result<(Results, bool), Error> {
    let begin = Instant::now();
    lab.clear()?;
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut all_succeeded = true;
    let mut measure = |number: u32, bench: &str, with: &[&str]| {
        let round = format!("round {number} of the bench `{bench}`");
        console::line(format!("lab: {round}, after {:.0?}", begin.elapsed()));
        let folder = lab.folder(number, bench);
        if !lab.measure(&folder, bench, with)? {
            // A scenario that failed has a record, and so a cell that says it. A bench that
            // did not come to its end has no last record, and its round can't be read.
            all_succeeded = false;
            console::error(format!("{round} failed; see {}/log", folder.display()));
        }
        folders.push(folder.clone());
        rounds::read(&[folder], run)
    };
    let mut selection: Vec<&str> = arguments.filters.iter().map(String::as_str).collect();
    if arguments.quick {
        selection.push("--quick");
        if arguments.filters.is_empty() {
            selection.extend(QUICK.split(' '));
        }
    }
    let mut plan = Vec::new();
    for (bench, most) in &lab.benches {
        let first = measure(1, bench, &selection)?;
        let needed = |cell| processes(&first, cell, arguments.rounds).min(*most);
        let cells = first.cells.iter();
        let needed = cells.map(|cell| (cell.scenario.clone(), needed(cell)));
        plan.push((bench, needed.collect::<Vec<_>>()));
    }
    for filter in &arguments.filters {
        let mut names = plan.iter().flat_map(|(_, needed)| needed);
        if !names.any(|(name, _)| name.contains(filter)) {
            let message = format!("there is no scenario whose name contains `{filter}`");
            return Err(Error::Wrong(message));
        }
    }
    for number in 2..=arguments.rounds + MORE {
        for (bench, needed) in &plan {
            let due = needed.iter().filter(|(_, processes)| number <= *processes);
            let mut with = vec!["--exact"];
            with.extend(due.map(|(name, _)| name.as_str()));
            if with.len() > 1 {
                measure(number, bench, &with)?;
            }
        }
    }
    console::line(format!("lab: measured after {:.0?}", begin.elapsed()));
    Ok((rounds::read(&folders, run)?, all_succeeded))
}

/// The number of processes that measure a scenario, by what the first ones of a bench measured. It
/// is the same for all subjects.
fn processes(first: &Results, cell: &Cell, rounds: u32) -> u32 {
    let baseline = cell
        .comparison()
        .and_then(|one| first.peer(cell, one.baseline));
    let typical = baseline.unwrap_or(cell);
    let mut metrics = typical.metrics.values();
    let has_clock =
        typical.time.is_some() || metrics.any(|metric| metric.unit == Unit::Nanoseconds);
    let is_short = typical.threads_at_work() == 1
        && typical
            .time
            .is_none_or(|time| time.p50 * (time.windows as f64) < SHORT);
    match cell.unavailable.is_none() && has_clock {
        false => 1,
        true => rounds + if is_short { MORE } else { MORE_OF_LONG },
    }
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
    use lab_page::results::Windows;

    use super::*;

    #[test]
    fn short_scenarios_are_measured_more_often_and_those_without_a_clock_once() {
        let cell = |scenario: &str, milliseconds: f64| Cell {
            scenario: scenario.to_owned(),
            time: (milliseconds > 0.0).then(|| Windows {
                p50: milliseconds * 1e6 / 5.0,
                windows: 5,
                ..Windows::default()
            }),
            ..Cell::default()
        };
        let results = Results {
            cells: vec![
                cell("pair/subject=system", 9.0),
                // It needs as many processes as the baseline.
                cell("pair/subject=slow", 900.0),
                cell("stress/subject=system", 11.0),
                cell("concurrent/subject=system,threads=2", 9.0),
                cell("fill/subject=system", 0.0),
                Cell {
                    unavailable: Some("no memory".to_owned()),
                    ..cell("pair/subject=absent", 0.0)
                },
            ],
            ..Results::default()
        };
        let cells = results.cells.iter();
        let counts = cells.map(|cell| processes(&results, cell, 3));
        assert_eq!(counts.collect::<Vec<_>>(), [9, 9, 5, 5, 1, 1]);
    }

    #[test]
    fn the_command_is_shown_as_it_is_typed() {
        let words = ["lab-page", "run", "-F", "c,jemalloc", "a b"];
        assert_eq!(
            command_line(words.map(str::to_owned).into_iter()),
            "cargo xtask lab -F c,jemalloc 'a b'"
        );
    }
}
