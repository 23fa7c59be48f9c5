//! [`RunResults`]: the measurements of several benches, and the errors for scenarios and
//! benches that failed.

use std::mem;
use std::path::PathBuf;

use alloc_gate::{Measurements, MeasurementsError, ScenarioId, Selection, UncheckedBench};
use alloc_results::{BenchId, Stream};

use crate::bench::build::Built;
use crate::bench::problem::BenchProblem;
use crate::failure::Failure;
use crate::output::shell::Shell;

/// The measurements of several benches.
pub(crate) struct RunResults {
    pub(crate) measurements: Measurements,
    /// The benches that were measured; empty for recorded results.
    pub(crate) built: Vec<Built>,
    /// The files in which the results are kept; empty for recorded results.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) selection: Selection,
    /// The scenarios of these benches that were not selected.
    pub(crate) left_out: Vec<ScenarioId>,
    /// The benches that were not measured.
    pub(crate) unchecked: Vec<UncheckedBench>,
    /// The scenarios and benches that failed. All others were measured.
    pub(crate) failed: Option<FailedScenarios>,
}

/// The results and the errors of the benches that ran so far.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) streams: Vec<Stream>,
    /// The files of the results.
    pub(super) files: Vec<PathBuf>,
    /// Whether a bench has no results.
    pub(super) has_lost: bool,
    /// The errors, with the names of the benches.
    failures: Vec<(String, Failure)>,
    /// Those of them that a report can show instead.
    unprinted: Vec<Failure>,
}

impl Collected {
    /// Adds a bench that failed, with the results of its other scenarios. `alone` says how to run
    /// it by itself.
    pub(super) fn fail(
        &mut self,
        bench: &BenchId,
        problem: BenchProblem,
        alone: &str,
        shell: &Shell,
    ) {
        let partial = problem.partial();
        let failure = problem.into_failure(bench, alone);
        self.failures.push((bench.to_string(), failure.clone()));
        match partial {
            Some(stream) => {
                self.streams.push(stream);
                self.unprinted.push(failure);
            }
            None => {
                shell.error(&failure);
                self.has_lost = true;
            }
        }
    }

    /// Takes the errors, if there are some, of a run of so many benches.
    pub(super) fn failed(&mut self, benches: usize) -> Option<FailedScenarios> {
        Some(FailedScenarios {
            all: all_of(mem::take(&mut self.failures), benches)?,
            each: mem::take(&mut self.unprinted),
            has_lost: self.has_lost,
        })
    }
}

/// The errors for scenarios and benches that failed. Only those of lost benches are printed yet.
pub(crate) struct FailedScenarios {
    /// Of each bench.
    each: Vec<Failure>,
    /// Of all benches together.
    all: Failure,
    /// Whether a bench has no results, which no report shows.
    has_lost: bool,
}

impl FailedScenarios {
    /// Prints the error of each bench, and returns that of all.
    pub(super) fn printed(self, shell: &Shell) -> Failure {
        self.each.iter().for_each(|failure| shell.error(failure));
        self.all
    }

    /// The error of all benches, for a report that shows each scenario.
    pub(crate) fn reported(mut self) -> Failure {
        self.all.is_printed = true;
        self.all.is_reported = !self.has_lost;
        self.all
    }
}

impl RunResults {
    /// The results, if no scenario failed.
    pub(crate) fn whole(mut self, shell: &Shell) -> Result<Self, Failure> {
        match self.failed.take() {
            Some(failed) => Err(failed.printed(shell)),
            None => Ok(self),
        }
    }

    /// Notes scenarios of the benches that were not selected.
    pub(crate) fn leave_out(&mut self, scenarios: Vec<ScenarioId>) {
        self.left_out.extend(scenarios);
        if !self.left_out.is_empty() {
            self.selection = Selection::Scenarios {
                left_out: self.left_out.len(),
            };
        }
    }
}

/// One error for the benches that failed, by name. That of a single bench is not printed again.
fn all_of(mut failures: Vec<(String, Failure)>, benches: usize) -> Option<Failure> {
    if failures.len() > 1 {
        let names: Vec<String> = failures.iter().map(|(name, _)| name.clone()).collect();
        let what = format!(
            "{} of {benches} benches failed: {}",
            names.len(),
            names.join(", ")
        );
        return Some(Failure::bench_failed(what).help("fix the errors above, and measure again"));
    }
    let (_, mut failure) = failures.pop()?;
    failure.is_printed = true;
    Some(failure)
}

/// Joins the streams of several benches.
pub(crate) fn join(streams: Vec<Stream>) -> Result<Measurements, Failure> {
    Measurements::new(streams).map_err(ambiguous)
}

/// The error for measurements with a scenario of a bench twice.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it is an argument of `map_err`"
)]
pub(crate) fn ambiguous(error: MeasurementsError) -> Failure {
    Failure::bench_failed(error.to_string())
        .help("gates are checked once each scenario has one measurement")
}

/// The error for benches without any scenario.
pub(crate) fn no_scenario() -> Failure {
    Failure::nothing_selected("the benches have no scenarios").help(
        "register one with `Suite::scenario`, and return the result of `Suite::finish` from `main`",
    )
}
