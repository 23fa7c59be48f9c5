//! Counts instructions, and checks the limits of counting-alloc. `cargo xtask pairs` builds the
//! programs that it needs and starts it.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use proof_peers::error::Error;
use proof_peers::instructions;
use proof_peers::pair_cost::Meter;
use proof_peers::tables;
use proof_shared::console;

fn main() -> ExitCode {
    match count_instructions() {
        Ok(exceeded) => ExitCode::from(u8::from(exceeded)),
        Err(error) => {
            console::note(&format!("error: failed to {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Prints the tables. Returns whether a limit is exceeded.
fn count_instructions() -> Result<bool, Error> {
    let table = instructions::measure(&mut Meter::new(&target()?)?)?;
    say(&tables::instructions(&table))?;
    let exceeded = table.exceeded();
    for sentence in &exceeded {
        say(sentence)?;
    }
    Ok(!exceeded.is_empty())
}

/// Cargo's target folder: this program is in the folder of its profile there.
fn target() -> Result<PathBuf, Error> {
    let mut path = env::current_exe().map_err(Error::reading("the path of this program"))?;
    path.pop();
    path.pop();
    Ok(path)
}

/// Prints a line to stdout.
fn say(line: &str) -> Result<(), Error> {
    console::print(&format!("{line}\n")).map_err(Error::writing("stdout"))
}
