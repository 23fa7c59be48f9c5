//! The program `lab-page`: merges rounds of allocator-lab into a file of results, and makes the
//! page from that file.

mod console;
mod run;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use lab_page::error::Error;
use lab_page::heat;
use lab_page::page;
use lab_page::results::{Cell, Results, Run};
use lab_page::sections::sections;
use lab_page::summary::Summary;
use lab_page::{merge as merging, rounds, store};

use crate::console::Console;

/// Merges runs of allocator-lab, and makes the page with their tables.
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
    /// Merge the rounds of a run into the file of results; exit with 1 if a request failed
    Merge(Merge),
    /// Write the sections between the markers of the pages, or a whole page if there is none
    Page(Files),
    /// Check that the pages are what the results give; exit with 1 if one is not
    Check(Files),
}

#[derive(Args)]
struct Merge {
    /// The folders with the result records of each round
    #[arg(long, required = true, num_args = 1.., value_name = "DIR")]
    rounds: Vec<PathBuf>,
    /// The description of the run: date, CPU, kernel and versions, as JSON
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    /// The file of results, which is made if there is none
    #[arg(long, value_name = "FILE")]
    results: PathBuf,
}

#[derive(Args)]
struct Files {
    /// The file of results
    #[arg(long, value_name = "FILE")]
    results: PathBuf,
    /// The pages; the picture lies beside the first
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    page: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let mut console = Console::standard();
    let done = match Cli::parse().command {
        Command::Run(arguments) => measure(&arguments, &mut console),
        Command::Merge(arguments) => merge_rounds(&arguments, &mut console),
        Command::Page(files) => write_pages(&files, &mut console),
        Command::Check(files) => check_pages(&files, &mut console),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(failure) => {
            console.error(&failure.to_string());
            ExitCode::from(2)
        }
    }
}

/// Measures, and writes the results and the page; tells whether all requests succeeded.
fn measure(arguments: &run::Arguments, console: &mut Console) -> Result<bool, Error> {
    if arguments.verify {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../design/allocators.jsonl");
        let results = store::read(arguments.results.as_ref().unwrap_or(&own))?;
        return run::verify(arguments, &results, console);
    }
    let Some(measured) = run::measure(arguments, console)? else {
        return Ok(false);
    };
    let is_sound = if arguments.quick {
        let results = Merged::new(&measured.rounds, measured.run, Results::default())?.results;
        for line in heat::terminal(&Summary::new(&results)).lines() {
            console.line(line);
        }
        report_failures(&results.cells, console)
    } else {
        let (merged, files) = merge_where_it_belongs(&measured, console)?;
        // No file is replaced if another one can't be.
        let pages = NewPages::new(&merged.results, &files.pages)?;
        merged.write(&files.results, console)?;
        pages.write(console)?;
        report_failures(&merged.cells, console)
    };
    Ok(is_sound && measured.all_succeeded)
}

/// Merges into the results, or, if those are of another machine or build, into results elsewhere:
/// of this machine, or none.
fn merge_where_it_belongs<'m>(
    measured: &'m run::Measured,
    console: &mut Console,
) -> Result<(Merged, &'m run::Files), Error> {
    let merged = |old| Merged::new(&measured.rounds, measured.run.clone(), old);
    let files = &measured.files;
    let first = merged(store::read_or_default(&files.results)?);
    let (reason, elsewhere) = match (first, &measured.elsewhere) {
        (Err(Error::OtherMachine(reason)), Some(elsewhere)) => (reason, elsewhere),
        (merged, _) => return Ok((merged?, files)),
    };
    let file = files.results.display();
    console.line(&format!("note: {file} stays as it is: {reason}"));
    let folder = elsewhere.results.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(Error::file("write", folder))?;
    let old = store::read_or_default(&elsewhere.results)?;
    let merged = match merged(old) {
        Err(Error::OtherMachine(_)) => merged(Results::default())?,
        merged => merged?,
    };
    Ok((merged, elsewhere))
}

/// Merges, and tells whether all requests succeeded.
fn merge_rounds(arguments: &Merge, console: &mut Console) -> Result<bool, Error> {
    let described = match &arguments.run {
        Some(path) => read_run(path)?,
        None => Run::default(),
    };
    let old = store::read_or_default(&arguments.results)?;
    let merged = Merged::new(&arguments.rounds, described, old)?;
    merged.write(&arguments.results, console)?;
    Ok(report_failures(&merged.cells, console))
}

/// Rounds, and the results with them.
struct Merged {
    results: Results,
    /// The cells of the rounds.
    cells: Vec<Cell>,
    rounds: usize,
}

impl Merged {
    fn new(rounds: &[PathBuf], described: Run, mut results: Results) -> Result<Self, Error> {
        let pooled = rounds::read(rounds)?;
        let run = merging::describe(described, &pooled.run)?;
        let cells = pooled.cells.clone();
        merging::merge(&mut results, run, pooled)?;
        Ok(Self {
            results,
            cells,
            rounds: rounds.len(),
        })
    }

    fn write(&self, file: &Path, console: &mut Console) -> Result<(), Error> {
        store::write(file, &store::text(&self.results))?;
        console.line(&format!(
            "merged {} of {} into {}",
            counted(self.cells.len(), "cell"),
            counted(self.rounds, "round"),
            file.display()
        ));
        Ok(())
    }
}

/// Names each failure, and tells whether there was none.
fn report_failures(cells: &[Cell], console: &mut Console) -> bool {
    let failed = cells.iter().filter(|cell| cell.has_failed());
    let lines: Vec<_> = failed.map(failure_line).collect();
    for line in &lines {
        console.error(line);
    }
    lines.is_empty()
}

/// `mimalloc failed in pair (pair/subject=mimalloc,size=64): FAIL null, 3 of 100`.
fn failure_line(cell: &Cell) -> String {
    let subject = cell.subject().unwrap_or("the scenario");
    let (workload, scenario) = (cell.workload(), &cell.scenario);
    let of = format!("{subject} failed in {workload} ({scenario})");
    if let Some(message) = &cell.failure {
        return format!("{of}: {message}");
    }
    let kinds = cell.faults.iter();
    let kinds = kinds.map(|(kind, times)| format!("{kind}, {times} of {}", cell.requests));
    format!("{of}: FAIL {}", kinds.collect::<Vec<_>>().join("; "))
}

fn read_run(path: &Path) -> Result<Run, Error> {
    let text = store::read_text(path)?;
    serde_json::from_str(&text).map_err(|error| {
        let (path, advice) = (path.display(), "write it with `cargo xtask lab`");
        let what = "not a description of a run";
        Error::Wrong(format!("{path}: {what} ({error}); {advice}"))
    })
}

/// Pages with their picture, each with its file, and the sections that none has markers for.
struct NewPages {
    files: Vec<(PathBuf, String)>,
    without: Vec<String>,
}

impl NewPages {
    /// The new texts of the pages at `paths`. The picture lies beside the first, and has its name.
    fn new(results: &Results, paths: &[PathBuf]) -> Result<Self, Error> {
        let summary = Summary::new(results);
        let first = paths.first().map_or(Path::new(""), PathBuf::as_path);
        let stem = first.file_stem().unwrap_or_default().to_string_lossy();
        let picture = format!("{stem}-heat.svg");
        let sections = sections(results, &summary, &picture);
        let svg = heat::picture::svg(&summary).map(|svg| (first.with_file_name(picture), svg));
        let mut files: Vec<_> = svg.into_iter().collect();
        let pages = files.len();
        for path in paths {
            let text = match fs::exists(path) {
                Ok(false) => page::whole(&sections),
                _ => page::update(&store::read_text(path)?, &sections).map_err(|error| {
                    let path = path.display();
                    Error::Wrong(format!("{path}: {error}"))
                })?,
            };
            files.push((path.clone(), text));
        }
        let is_on = |name: &str, text: &str| text.contains(&page::begin(name));
        let sections = sections.into_iter().filter(|section| section.is_measured);
        let names = sections.map(|section| section.name);
        let without =
            names.filter(|name| !files[pages..].iter().any(|(_, text)| is_on(name, text)));
        let without = without.collect();
        Ok(Self { files, without })
    }

    fn write(&self, console: &mut Console) -> Result<(), Error> {
        for (file, text) in &self.files {
            store::write(file, text)?;
            if file.extension().is_some_and(|ending| ending == "md") {
                console.line(&format!("wrote {}", file.display()));
            }
        }
        for name in &self.without {
            console.line(&format!(
                "note: no page has a place for `{name}`; add `<!-- lab-page: begin {name} -->` \
                 and `<!-- lab-page: end {name} -->`"
            ));
        }
        Ok(())
    }
}

fn write_pages(files: &Files, console: &mut Console) -> Result<bool, Error> {
    NewPages::new(&store::read(&files.results)?, &files.page)?.write(console)?;
    Ok(true)
}

fn check_pages(files: &Files, console: &mut Console) -> Result<bool, Error> {
    let new = NewPages::new(&store::read(&files.results)?, &files.page)?;
    for (file, text) in &new.files {
        if store::read_text(file)? != *text {
            let pages = files.page.iter().map(|page| page.display().to_string());
            let pages = pages.collect::<Vec<_>>().join(" ");
            let (file, results) = (file.display(), files.results.display());
            console.error(&format!(
                "{file} is out of date; run `lab-page page --results {results} --page {pages}`"
            ));
            return Ok(false);
        }
    }
    Ok(true)
}

/// `1 round`, `12 rounds`.
fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
