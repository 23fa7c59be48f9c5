//! `cargo xtask lab`: measures the allocators of allocator-lab and writes their page. The
//! gate runs the benches and updates the tables, and another program draws two of them.

use std::process::ExitCode;
use std::time::Instant;

use cargo_metadata::MetadataCommand;

use crate::ci::CommandLine;
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

/// Measures the `scenarios`, or all if there is no glob, with these features of the lab,
/// and writes the page and the plots, except with `no_page`.
pub(crate) fn run(
    scenarios: &[String],
    features: &[String],
    no_page: bool,
) -> Result<ExitCode, Error> {
    let metadata = MetadataCommand::new()
        .no_deps()
        .exec()
        .map_err(Error::Metadata)?;
    let begin = Instant::now();
    let mut code = ExitCode::SUCCESS;
    for command in commands(scenarios, features, no_page) {
        say(&format!("lab: {command}"))?;
        if !command
            .run(metadata.workspace_root.as_std_path())?
            .success()
        {
            code = ExitCode::FAILURE;
            break;
        }
    }
    let word = if code == ExitCode::SUCCESS {
        "done"
    } else {
        "FAILED"
    };
    say(&format!(
        "lab: {word} after {}",
        took(begin.elapsed().as_secs())
    ))?;
    Ok(code)
}

fn commands(scenarios: &[String], features: &[String], no_page: bool) -> Vec<CommandLine> {
    let mut measuring = CommandLine::cargo(
        "xtask alloc-gate run --config-file crates/allocator-lab/lab.toml \
         --package allocator-lab",
    );
    for features in features {
        measuring = measuring.and("--features").and(features);
    }
    for (nth, glob) in scenarios.iter().enumerate() {
        if nth == 0 {
            measuring = measuring.and("--scenarios");
        }
        measuring = measuring.and(glob);
    }
    measuring = measuring.and("--report").and(&format!("json={REPORT}"));
    if no_page {
        return vec![measuring];
    }
    measuring = measuring.and("--update-tables").and(PAGE);
    let mut drawing = CommandLine::cargo(
        "run --release --locked --quiet --package proof-plot --bin lab-plots --",
    )
    .and(REPORT);
    if !scenarios.is_empty() {
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
    use super::*;

    fn lines(scenarios: &[&str], features: &[&str], no_page: bool) -> Vec<String> {
        let owned =
            |words: &[&str]| -> Vec<String> { words.iter().map(|&word| word.to_owned()).collect() };
        let commands = commands(&owned(scenarios), &owned(features), no_page);
        commands.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn everything_is_measured_before_the_plots_are_drawn() {
        assert_eq!(
            lines(&[], &[], false),
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
        let part = lines(&["pair/*", "one pair"], &["mimalloc"], false);
        assert_eq!(
            part[0],
            "cargo xtask alloc-gate run --config-file crates/allocator-lab/lab.toml \
             --package allocator-lab --features mimalloc \
             --scenarios 'pair/*' 'one pair' --report json=target/alloc-gate/lab.json \
             --update-tables design/allocators.md"
        );
        assert!(part[1].contains("lab.json --where-measured concurrent-pairs="));
        let report = lines(&["pair/*"], &[], true);
        assert_eq!(report.len(), 1);
        assert!(report[0].ends_with("'pair/*' --report json=target/alloc-gate/lab.json"));
    }

    #[test]
    fn times_are_shown_in_minutes_and_seconds() {
        assert_eq!(took(42), "42 s");
        assert_eq!(took(187), "3 min 07 s");
    }
}
