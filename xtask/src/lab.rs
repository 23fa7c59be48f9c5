//! `cargo xtask lab`: measures the allocators of allocator-lab and writes their page. The
//! gate runs the benches and updates the tables, and another program draws two of them.

mod c_flags;

use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use cargo_metadata::MetadataCommand;
use clap::Args;

use crate::ci::{CommandLine, run_all};
use crate::console::say;
use crate::error::Error;

/// The page, whose tables stand between markers.
const PAGE: &str = "design/allocators.md";

/// The report; a relative path, since the page shows the command line.
const REPORT: &str = "target/alloc-gate/lab.json";

/// Tables, and the plots of them.
const PLOTS: [(&str, &str); 2] = [
    ("concurrent-pairs", "design/allocators-threads.svg"),
    ("pair-by-size", "design/allocators-sizes.svg"),
];

/// What was typed after `lab`.
#[derive(Debug, PartialEq, Eq, Args)]
pub(crate) struct LabArguments {
    /// Only the scenarios whose full names one of the globs matches; tables that have
    /// others, too, stay as they are
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) scenarios: Vec<String>,
    /// Features of allocator-lab, such as allocators that a C compiler builds
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub(crate) features: Vec<String>,
    /// Write the report alone, and leave the page and the plots as they are
    #[arg(long)]
    pub(crate) no_page: bool,
}

/// Measures, and writes the page and the plots.
pub(crate) fn run(arguments: &LabArguments) -> Result<ExitCode, Error> {
    let begin = Instant::now();
    let metadata = MetadataCommand::new().no_deps().exec();
    let root = metadata.map_err(Error::Metadata)?.workspace_root;
    let Some(compiled) = c_flags::of_bench(root.as_std_path(), &arguments.features)? else {
        return Ok(ExitCode::FAILURE);
    };
    for one in &compiled {
        say(&format!("lab: {}", one.line()))?;
    }
    let announce = |command: &CommandLine| say(&format!("lab: {command}"));
    let (word, code) = match run_all(commands(arguments), announce)? {
        true => ("done", ExitCode::SUCCESS),
        false => ("FAILED", ExitCode::FAILURE),
    };
    // The page keeps the flags of its whole run: those of a part are printed alone.
    if code == ExitCode::SUCCESS && !arguments.no_page && arguments.scenarios.is_empty() {
        let page = root.join(PAGE);
        let text = fs::read_to_string(&page).map_err(Error::reading(page.as_std_path()))?;
        let text = c_flags::in_page(&text, &compiled);
        fs::write(&page, text).map_err(Error::writing(page.as_std_path()))?;
    }
    let took = took(begin.elapsed().as_secs());
    say(&format!("lab: {word} after {took}"))?;
    Ok(code)
}

fn commands(arguments: &LabArguments) -> Vec<CommandLine> {
    let mut measuring = CommandLine::cargo(
        "xtask alloc-gate run --config-file crates/allocator-lab/lab.toml \
         --package allocator-lab",
    );
    for features in &arguments.features {
        measuring = measuring.and("--features").and(features);
    }
    let scenarios = arguments.scenarios.iter().map(String::as_str);
    measuring = measuring.and_all("--scenarios", scenarios);
    measuring = measuring.and("--report").and(&format!("json={REPORT}"));
    if arguments.no_page {
        return vec![measuring];
    }
    measuring = measuring.and("--update-tables").and(PAGE);
    let mut drawing = CommandLine::cargo(
        "run --release --locked --quiet --package proof-plot --bin lab-plots --",
    )
    .and(REPORT);
    if !arguments.scenarios.is_empty() {
        drawing = drawing.and("--where-measured");
    }
    for (table, file) in PLOTS {
        drawing = drawing.and(&format!("{table}={file}"));
    }
    vec![measuring, drawing]
}

/// `42 s`, `3 min 07 s`.
fn took(seconds: u64) -> String {
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes} min {seconds:02} s"),
    }
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;

    /// The commands for what is typed after `lab`.
    fn lines(words: &[&str]) -> Vec<String> {
        let command = LabArguments::augment_args(clap::Command::new("lab").no_binary_name(true));
        let matches = command.get_matches_from(words);
        let arguments = LabArguments::from_arg_matches(&matches).unwrap();
        let commands = commands(&arguments);
        commands.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn everything_is_measured_before_the_plots_are_drawn() {
        assert_eq!(
            lines(&[]),
            [
                "cargo xtask alloc-gate run --config-file crates/allocator-lab/lab.toml \
                 --package allocator-lab --report json=target/alloc-gate/lab.json \
                 --update-tables design/allocators.md",
                "cargo run --release --locked --quiet --package proof-plot --bin lab-plots -- \
                 target/alloc-gate/lab.json concurrent-pairs=design/allocators-threads.svg \
                 pair-by-size=design/allocators-sizes.svg",
            ]
        );
    }

    #[test]
    fn a_part_keeps_the_other_plots_and_no_page_writes_the_report_alone() {
        let part = lines(&["--scenarios", "pair/*", "one pair", "-F", "mimalloc"]);
        assert_eq!(
            part[0],
            "cargo xtask alloc-gate run --config-file crates/allocator-lab/lab.toml \
             --package allocator-lab --features mimalloc \
             --scenarios 'pair/*' 'one pair' --report json=target/alloc-gate/lab.json \
             --update-tables design/allocators.md"
        );
        assert!(part[1].contains("lab.json --where-measured concurrent-pairs="));
        let report = lines(&["--no-page", "--scenarios", "pair/*"]);
        assert_eq!(report.len(), 1);
        assert!(report[0].ends_with("'pair/*' --report json=target/alloc-gate/lab.json"));
    }

    #[test]
    fn times_are_shown_in_minutes_and_seconds() {
        assert_eq!(took(42), "42 s");
        assert_eq!(took(187), "3 min 07 s");
    }
}
