//! `proof-peers instructions` counts instructions and holds ours to limits;
//! `proof-peers write FOLDER` takes times as well, and writes the page and the
//! plot in that folder. `cargo xtask pairs` and `cargo xtask counters` build all
//! that it needs and start it.

mod racers;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use counting_alloc::CountingAlloc;
use proof_peers::error::Error;
use proof_peers::instructions::{self, Table};
use proof_peers::{callgrind, files, machine, page, plot, times};
use proof_shared::console;

/// Windows with peak are among what is timed, and measure nothing without it.
#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["instructions"] => count_instructions(),
        ["write", folder] => write(Path::new(folder)),
        _ => return ExitCode::from(2),
    };
    match done {
        Ok(exceeded) => ExitCode::from(u8::from(exceeded)),
        Err(error) => {
            console::note(&format!("error: failed to {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Prints the table; whether a limit is exceeded.
fn count_instructions() -> Result<bool, Error> {
    let table = instructions::measure(&programs()?)?;
    say(&table.text())?;
    say_exceeded(&table)
}

/// The same, and writes the page and the plot. Nothing is written before
/// everything is measured.
fn write(folder: &Path) -> Result<bool, Error> {
    callgrind::version()?;
    let path = folder.join("performance.md");
    let old = fs::read_to_string(&path).map_err(Error::reading(&path))?;
    // A page without its markers is known before a minute of measuring.
    page::with_part(&old, "")?;
    let machine = machine::description()?;
    say("instructions")?;
    let table = instructions::measure(&programs()?)?;
    say(&table.text())?;
    let boards = times::measure(racers::FIELD, say)?;
    let part = page::part(&machine, &table, &boards);
    let plot_path = folder.join("counter-times.svg");
    files::replace(&[
        (path, page::with_part(&old, &part)?),
        (plot_path, plot::svg(&boards)?),
    ])?;
    say(&part)?;
    say_exceeded(&table)
}

fn say_exceeded(table: &Table) -> Result<bool, Error> {
    let exceeded = table.exceeded();
    for sentence in &exceeded {
        say(sentence)?;
    }
    Ok(!exceeded.is_empty())
}

/// The folder of this program, where cargo puts the pairs programs too.
fn programs() -> Result<PathBuf, Error> {
    let mut path = env::current_exe().map_err(Error::reading("the path of this program"))?;
    path.pop();
    Ok(path)
}

/// Prints a line to stdout, at once.
fn say(line: &str) -> Result<(), Error> {
    console::print(&format!("{line}\n")).map_err(Error::writing("stdout"))
}
