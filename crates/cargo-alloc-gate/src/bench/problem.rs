//! [`BenchProblem`]: why a bench gave no usable measurement, and what to do about it; and what the
//! bench printed, marked line by line: it can't be mistaken for a message of the program, change the
//! terminal, or give commands to a CI system.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use alloc_gate::{counted, one_line};
use alloc_results::{BenchId, FailureRecord, Stream};
use anstream::adapter::strip_str;

use crate::failure::{Failure, Spot};
use crate::files;

/// Why a bench gave no usable measurement. `during` is the scenario that it was
/// measuring.
pub(crate) enum BenchProblem {
    /// The bench could not be started or waited for, or the disk is full.
    NotStarted(io::Error),
    /// The bench ran longer than `timeout` allows. Processes with the ids in `left` could not be
    /// stopped. Some scenarios were measured before.
    TimedOut {
        limit: Duration,
        during: Option<String>,
        so_far: Option<Box<Stream>>,
        left: Vec<u32>,
    },
    /// The bench ended with another code than 0, without whole results.
    Crashed {
        status: ExitStatus,
        during: Option<String>,
    },
    /// The bench ended with 0 and wrote no results.
    NoResults,
    /// The bench ended with 0, and its results stop half-way.
    Incomplete(String),
    /// The bench ended with 0, and wrote something other than one stream of results.
    Unusable(String),
    /// The call stacks of a scenario don't add up to its readings.
    WrongSites(String),
    /// The counter was not installed.
    DeadCounter(String),
    /// Scenarios panicked or timed out. The stream is whole, and has the others.
    ScenariosFailed(Box<Stream>),
    /// The results are whole, and the bench ended with another code than 0.
    FailedAfterwards { status: ExitStatus },
}

impl BenchProblem {
    /// The results of the other scenarios, if only some failed.
    pub(crate) fn partial(&self) -> Option<Stream> {
        match self {
            Self::ScenariosFailed(stream) => Some(stream.as_ref().clone()),
            Self::NotStarted(_)
            | Self::TimedOut { .. }
            | Self::Crashed { .. }
            | Self::NoResults
            | Self::Incomplete(_)
            | Self::Unusable(_)
            | Self::WrongSites(_)
            | Self::DeadCounter(_)
            | Self::FailedAfterwards { .. } => None,
        }
    }

    /// The problem of the bench `bench` as an error; `alone` is how to run it by itself.
    pub(crate) fn into_failure(self, bench: &BenchId, alone: &str) -> Failure {
        let name = bench.to_string();
        let failure = |what: String, help: &str| Failure::bench_failed(what).help(help);
        let whilst = |during: Option<String>| {
            during.map_or_else(String::new, |scenario| {
                format!(" while it measured `{scenario}`")
            })
        };
        match self {
            Self::NotStarted(error) => failure(
                format!("failed to run {name}: {error}"),
                files::help_with(
                    &error,
                    "run a bench that was built for another target on a machine of that target, or with \
                 a `runner` in `[target.TRIPLE]` of .cargo/config.toml, such as qemu",
                ),
            ),
            Self::TimedOut {
                limit,
                during,
                left,
                so_far: _,
            } => failure(
                format!(
                    "{name} timed out after {} s{}{}",
                    limit.as_secs_f64(),
                    whilst(during),
                    still_running(&left)
                ),
                &format!(
                    "if it hangs, {alone}; if it is slow, raise `timeout` under `[run]` in \
                     gates.toml"
                ),
            ),
            Self::Crashed { status, during } => failure(
                format!("{name} crashed ({status}){}", whilst(during)),
                alone,
            ),
            Self::NoResults => failure(
                format!("{name} exited without writing results"),
                "register scenarios with `alloc_scenario::Suite` and return the result of \
                 `finish` from `main`; `cargo alloc-gate init` says how a bench of criterion counts; remove one of another harness from gates.toml",
            ),
            Self::Incomplete(what) => failure(
                format!("{name} exited with code 0, but its results are incomplete: {what}"),
                "don't exit the process in a scenario; return the result of `Suite::finish` from \
                 `main`",
            )
            .cause(&format!(
                "{name} exited before it had measured all scenarios"
            )),
            Self::Unusable(what) => failure(
                format!("{name} wrote unusable results: {what}"),
                "call `Suite::finish` once; nothing else may write to the folder in \
                 ALLOC_GATE_BENCH_RESULTS",
            )
            .cause(&format!("{name} wrote unusable results")),
            Self::WrongSites(what) => failure(
                format!("{name} wrote unusable results: {what}"),
                "please report this bug of alloc-scenario",
            ),
            Self::DeadCounter(what) => failure(
                format!("{name}: {what}"),
                "fix the counter; nothing was measured, because every gate would pass with counts \
                 of zero",
            )
            .cause(&format!("the counter of {name} is not live")),
            Self::ScenariosFailed(stream) => scenarios_failed(&name, &stream.failures),
            Self::FailedAfterwards { status } => failure(
                format!("{name} failed after it had measured all scenarios ({status})"),
                "return the result of `Suite::finish` from `main`, and do nothing after it",
            ),
        }
    }
}

/// The error for scenarios of a bench that failed.
fn scenarios_failed(bench: &str, failures: &[FailureRecord]) -> Failure {
    let count = counted(failures.len(), "scenario");
    let mut what = format!("{bench}: {count} not measured:");
    let mut spots = Vec::new();
    for failed in failures {
        let FailureRecord { name, message, .. } = failed;
        let (file, line) = (&failed.location.file, failed.location.line);
        what.push_str(&format!("\n  `{name}` ({file}:{line}){}", quoted(message)));
        spots.push(Spot {
            file: file.clone(),
            line: line.to_string(),
            message: format!("`{name}` of {bench}: {message}"),
        });
    }
    let cause = match failures {
        [one] => format!("`{}` of {bench} {}", one.name, problem_of(one)),
        several => format!("{} scenarios of {bench} were not measured", several.len()),
    };
    let mut failure = Failure::bench_failed(what)
        .help("fix the scenario; the check fails until every scenario is measured")
        .cause(&cause);
    failure.spots = spots.into();
    failure
}

/// Says which processes a person has to stop.
fn still_running(ids: &[u32]) -> String {
    if ids.is_empty() {
        return String::new();
    }
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    format!(
        "; still running, as they can't be stopped: {}",
        ids.join(", ")
    )
}

/// What became of a scenario, in words.
fn problem_of(failed: &FailureRecord) -> &'static str {
    if failed.timed_out {
        "timed out"
    } else if failed.message.starts_with("panicked") {
        "panicked"
    } else {
        "was not measured"
    }
}

/// The most lines that are shown of a bench that failed.
const MAX_LINES: usize = 40;

/// The end of a bench's output, or the whole of it.
pub(crate) fn excerpt(name: &str, output: &str, whole: bool) -> String {
    let mut lines = lines(output);
    let mut skipped = 0;
    if !whole {
        lines = without_stacks(lines);
        skipped = lines.len().saturating_sub(MAX_LINES);
    }
    let mut text = format!("--- output of {name}");
    if skipped > 0 {
        text.push_str(&format!(", its last {MAX_LINES} lines"));
    }
    text.push_str(&marked(&lines[skipped..]));
    text.push_str("\n---");
    text
}

/// The lines without the frames of panics' stacks, which std prints if the caller's
/// `RUST_BACKTRACE` says so.
fn without_stacks(lines: Vec<String>) -> Vec<String> {
    let is_frame = |line: &str| {
        let line = line.trim_start();
        let (number, rest) = line.split_once(':').unwrap_or_default();
        line.starts_with("at ") || number.parse::<u32>().is_ok() && rest.starts_with(' ')
    };
    let mut kept = Vec::new();
    let mut lines = lines.into_iter().peekable();
    while let Some(line) = lines.next() {
        if line != "stack backtrace:" {
            kept.push(line);
            continue;
        }
        let mut frames = 0;
        while lines.next_if(|line| is_frame(line)).is_some() {
            frames += 1;
        }
        kept.push(format!("{line} {frames} lines; `-v` shows them"));
        lines.next_if(|line| line.starts_with("note: Some details are omitted"));
    }
    kept
}

/// A message of a bench, on marked lines of its own.
pub(crate) fn quoted(message: &str) -> String {
    marked(&lines(message))
}

/// Marks lines: CI systems read commands at the beginning of a line, even after spaces.
fn marked(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  | {line}")).collect()
}

/// The lines without control characters. A carriage return ends a line, because
/// terminals and CI systems start a new line there.
fn lines(text: &str) -> Vec<String> {
    let text = strip_str(text).to_string().replace("\r\n", "\n");
    let mut lines: Vec<String> = text.split(['\n', '\r']).map(printable).collect();
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// A line whose tabs stay.
fn printable(line: &str) -> String {
    let parts: Vec<String> = line.split('\t').map(one_line).collect();
    parts.join("\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_a_bench_begins_at_the_margin() {
        assert_eq!(
            quoted("a\r\n::error::b\rc\u{1b}[31mred\u{1b}[0m\u{9b}2J\td\n\ne\n"),
            "\n  | a\n  | ::error::b\n  | cred\\u{9b}2J\td\n  | \n  | e"
        );
        assert_eq!(quoted(""), "");
    }

    #[test]
    fn only_the_end_is_shown() {
        let output: String = (1..=42).map(|line| format!("{line}\n")).collect();
        let shown = excerpt("demo/a", &output, false);
        assert!(shown.starts_with("--- output of demo/a, its last 40 lines\n  | 3\n"));
        assert!(shown.ends_with("\n  | 42\n---"));
        assert!(excerpt("demo/a", &output, true).starts_with("--- output of demo/a\n  | 1\n"));
    }

    #[test]
    fn stacks_are_one_line_unless_all_is_asked_for() {
        let output = "thread 'main' panicked at a.rs:1:2:\nno more\nstack backtrace:
   0: core::panicking::panic_fmt
             at /rustc/5980/library/core/src/panicking.rs:80:14
   1: main
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
later\n";
        let shown = "--- output of demo/a
  | thread 'main' panicked at a.rs:1:2:
  | no more
  | stack backtrace: 3 lines; `-v` shows them
  | later
---";
        assert_eq!(excerpt("demo/a", output, false), shown);
        assert_eq!(excerpt("demo/a", output, true).lines().count(), 10);
    }
}
