//! The program `lab-page`: measures allocator-lab into a file of results, and makes the page from
//! that file.

mod console;
mod run;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use lab_page::error::Error;
use lab_page::figure::counted;
use lab_page::heat;
use lab_page::merge::merge;
use lab_page::page::Pages;
use lab_page::results::{Cell, Results};
use lab_page::store;
use lab_page::summary::Summary;

/// Measures allocator-lab, and makes the page with its tables.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure the lab in rounds, merge them, and write the page; exit with 1 if a request failed
    Run(run::Arguments),
    /// Write the sections between the markers of the pages, or a whole page if there is none
    Page(Files),
}

#[derive(Args)]
struct Files {
    /// The file of results
    #[arg(long, value_name = "FILE")]
    results: PathBuf,
    /// The pages
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    page: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run(arguments) => measure(&arguments),
        Command::Page(files) => store::read(&files.results)
            .and_then(|results| write_pages(&results, &files.page))
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

/// Measures, and writes the results and the page; tells whether all requests succeeded.
fn measure(arguments: &run::Arguments) -> Result<bool, Error> {
    if arguments.verify {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../design/allocators.jsonl");
        let results = store::read(arguments.results.as_ref().unwrap_or(&own))?;
        return run::verify(arguments, &results);
    }
    let Some(measured) = run::measure(arguments)? else {
        return Ok(false);
    };
    if arguments.quick {
        let results = merge(Results::default(), measured.pooled.clone())?;
        for line in heat::terminal(&Summary::new(&results)).lines() {
            console::line(line);
        }
    } else {
        let (results, files) = merge_where_it_belongs(&measured)?;
        store::write(&files.results, &store::text(&results))?;
        console::line(format!(
            "merged {} of {} into {}",
            counted(measured.pooled.cells.len(), "cell"),
            counted(measured.rounds, "round"),
            files.results.display()
        ));
        write_pages(&results, &files.pages)?;
    }
    Ok(report_failures(&measured.pooled.cells) && measured.all_succeeded)
}

/// Merges into the results, or, if those are of another machine or build, into results elsewhere:
/// of this machine, or none.
fn merge_where_it_belongs(measured: &run::Measured) -> Result<(Results, &run::Files), Error> {
    let merged = |old| merge(old, measured.pooled.clone());
    let files = &measured.files;
    let reason = match merged(store::read_or_default(&files.results)?) {
        Err(Error::OtherMachine(reason)) => reason,
        merged => return Ok((merged?, files)),
    };
    let (file, elsewhere) = (files.results.display(), &measured.elsewhere);
    console::line(format!("note: {file} stays as it is: {reason}"));
    let folder = elsewhere.results.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(Error::file("write", folder))?;
    let merged = match merged(store::read_or_default(&elsewhere.results)?) {
        Err(Error::OtherMachine(_)) => merged(Results::default())?,
        merged => merged?,
    };
    Ok((merged, elsewhere))
}

/// Names each failure, and tells whether there was none.
fn report_failures(cells: &[Cell]) -> bool {
    let mut all_succeeded = true;
    for cell in cells {
        if let Some(message) = &cell.failure {
            console::error(format!("{}: {message}", cell.scenario));
            all_succeeded = false;
        }
    }
    all_succeeded
}

/// Writes pages, and names sections that no page has a place for.
fn write_pages(results: &Results, paths: &[PathBuf]) -> Result<(), Error> {
    let pages = Pages::new(results, paths)?;
    for (file, text) in &pages.files {
        store::write(file, text)?;
        if paths.contains(file) {
            console::line(format!("wrote {}", file.display()));
        }
    }
    for name in &pages.without {
        console::line(format!(
            "note: no page has a place for `{name}`; add `<!-- lab-page: begin {name} -->` and \
             `<!-- lab-page: end {name} -->`"
        ));
    }
    Ok(())
}
