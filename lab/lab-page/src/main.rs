//! The program `lab-page`: measures the lab into a file of results, and writes the pages from
//! that file.

mod console;
mod run;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lab_page::error::Error;
use lab_page::page::{ALLOCATORS, DEVICES, Files};
use lab_page::results::Results;

/// Measures the lab, and writes its pages.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure in rounds, and write the results and the pages; exit with 1 if a request failed
    Run(run::Arguments),
    /// Write the pages again from the results
    Page,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Page => [ALLOCATORS, DEVICES]
            .iter()
            .try_for_each(|files| write_pages(files, &Results::read(&files.results())?))
            .map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(failure) => {
            console::error(failure);
            ExitCode::from(2)
        }
    }
}

fn write_pages(files: &Files, results: &Results) -> Result<(), Error> {
    for (path, text) in files.pages(results)? {
        replace(&path, &text)?;
    }
    Ok(())
}

/// Writes a file beside the old one and renames it, so that whoever stops a run has one of the two.
fn replace(path: &Path, text: &str) -> Result<(), Error> {
    let new = path.with_extension("new");
    let written = fs::write(&new, text).and_then(|()| fs::rename(&new, path));
    written.map_err(Error::file("write", path))?;
    console::line(format!("wrote {}", path.display()));
    Ok(())
}
