//! [`BenchProblem`]: why a bench gave no usable measurement, and what to do about it.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use alloc_gate::counted;
use alloc_results::{BenchId, FailureRecord, Stream};

use crate::bench_output::quoted;
use crate::failure::{Failure, Spot};
use crate::files;

/// Why a bench gave no usable measurement. `during` is the scenario that it was
/// measuring.
pub(crate) enum BenchProblem {
    /// The bench could not be started or waited for, or the disk is full.
    NotStarted(io::Error),
    /// The bench ran longer than `timeout` allows. Processes with the ids in `left` could not be
    /// stopped.
    TimedOut {
        limit: Duration,
        during: Option<String>,
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
