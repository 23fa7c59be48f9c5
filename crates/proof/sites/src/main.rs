//! Runs benches of this workspace with checked call stacks, without and with line tables, and
//! compares their counts and peaks.

#![forbid(unsafe_code)]

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};

use alloc_results::Stream;
use alloc_scenario::protocol;
use proof_shared::child::{self, ChildError};
use proof_shared::console;
use proof_sites::{SitesError, Totals, check, differences, read};
use tempfile::TempDir;

/// The benches, as commands of cargo. `checks` of allocator-lab has the workloads of `lab`, which
/// would take half an hour; `compilation` starts compilers and counts nothing; `compress` of
/// proof-native needs a C compiler.
const BENCHES: [&[&str]; 4] = [
    &["bench", "-p", "nmx-codec", "--bench", "alloc_count"],
    &["bench", "-p", "alloc-gate", "--bench", "engine"],
    &[
        "bench",
        "--manifest-path",
        "lab/Cargo.toml",
        "-p",
        "allocator-lab",
        "--bench",
        "checks",
    ],
    &[
        "run",
        "--profile",
        "measured",
        "-p",
        "proof-sites",
        "--bin",
        "kinds",
    ],
];

const PLAIN: &str = "profile.bench.debug=false";
const LINES: &str = "profile.bench.debug=\"line-tables-only\"";
/// How often both builds run again before a difference is the line tables'. A figure that has two
/// values by the scheduler's choice agrees with itself in two runs often enough.
const ROUNDS: usize = 3;

/// Why nothing was compared.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("failed to {0}")]
    Child(#[from] ChildError),
    #[error("{0}")]
    Sites(#[from] SitesError),
    #[error("failed to make a folder or to print: {0}")]
    Io(#[from] io::Error),
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            console::note(&error);
            ExitCode::FAILURE
        }
    }
}

/// Returns whether both builds count the same.
fn run() -> Result<bool, Error> {
    let plain = captured("without line tables", PLAIN)?;
    let again = captured("without line tables, again", PLAIN)?;
    let lines = captured("with line tables", LINES)?;
    // The scheduler decides what the threads of some scenarios do.
    let (number, mut varying) = differences(&plain, &again);
    let (_, mut differing) = differences(&plain, &lines);
    differing.retain(|name| !varying.contains(name));
    for round in 1..=ROUNDS {
        if differing.is_empty() {
            break;
        }
        for (first, title, debug) in [
            (&plain, "without line tables", PLAIN),
            (&lines, "with line tables", LINES),
        ] {
            let again = captured(&format!("{title}, round {round}"), debug)?;
            let (_, varies) = differences(first, &again);
            varying.extend(differing.extract_if(.., |name| varies.contains(name)));
        }
    }
    let same = number - varying.len() - differing.len();
    let mut text = format!("counts and peaks of {same} scenarios are the same in both builds\n");
    for name in &varying {
        text += &format!("{name}: not compared, two runs of one build differ\n");
    }
    for name in &differing {
        text += &format!("{name}: FAILED, counts or peaks differ with line tables\n");
    }
    console::print(&text)?;
    Ok(differing.is_empty())
}

/// Builds and runs all benches, and checks their call stacks.
fn captured(title: &str, debug: &str) -> Result<Vec<Stream>, Error> {
    let folder = TempDir::new()?;
    for bench in BENCHES {
        run_bench(bench, debug, folder.path())?;
    }
    let streams = read(folder.path())?;
    let mut totals = Totals::default();
    for stream in &streams {
        totals += check(stream)?;
    }
    console::print(&format!("{title}: {totals}\n"))?;
    Ok(streams)
}

fn run_bench(bench: &[&str], debug: &str, folder: &Path) -> Result<(), ChildError> {
    let mut cargo = Command::new("cargo");
    cargo
        .args(bench)
        .args(["--locked", "--quiet", "--config", debug, "--", "--bench"])
        .env(protocol::SITES, "1")
        .env(protocol::QUICK, "1")
        .env(protocol::RESULTS, folder)
        .env("COUNTING_ALLOC_CHECK_SITES", "1");
    child::stdout(&mut cargo).map(drop)
}
