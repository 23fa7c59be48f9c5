//! [`RunResults`]: the measurements of several benches, and the errors for scenarios that
//! failed.

use std::collections::BTreeSet;
use std::path::PathBuf;

use alloc_gate::{Measurements, ScenarioId, Selection, UncheckedBench};
use alloc_results::Stream;

use crate::compile::Built;
use crate::failure::Failure;
use crate::shell::Shell;

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
    /// The scenarios that failed. All others were measured.
    pub(crate) failed: Option<FailedScenarios>,
}

/// The errors for scenarios that failed. None is printed yet.
pub(crate) struct FailedScenarios {
    /// Of each bench.
    pub(super) each: Vec<Failure>,
    /// Of all benches together.
    pub(super) all: Failure,
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
        self.all.is_reported = true;
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
pub(super) fn all_of(
    mut failures: Vec<(String, Failure)>,
    benches: usize,
    not_started: usize,
) -> Option<Failure> {
    let failed = if failures.len() > 1 {
        let names: Vec<String> = failures.iter().map(|(name, _)| name.clone()).collect();
        let what = format!(
            "{} of {benches} benches failed: {}",
            names.len(),
            names.join(", ")
        );
        Failure::bench_failed(what).help("fix the errors above, and measure again")
    } else {
        let (_, mut failure) = failures.pop()?;
        failure.is_printed = true;
        failure
    };
    Some(match not_started {
        0 => failed,
        1 => failed.consequence("1 bench was not started"),
        several => failed.consequence(format!("{several} benches were not started")),
    })
}

/// The scenarios that a bench left to other parts, of the `wanted` ones or, if these are
/// none, of all.
pub(super) fn in_other_parts(stream: &Stream, wanted: &[String]) -> Vec<ScenarioId> {
    let environment = &stream.environment;
    let Some(partition) = &environment.partition else {
        return Vec::new();
    };
    let unavailable = environment.unavailable.iter().map(|one| &one.name);
    let here: BTreeSet<&String> = environment.planned.iter().chain(unavailable).collect();
    let wanted = match wanted {
        [] => &partition.registered,
        wanted => wanted,
    };
    let others = wanted.iter().filter(|name| !here.contains(name));
    let with_bench = |name: &String| ScenarioId {
        bench: environment.bench.clone(),
        name: name.clone(),
    };
    others.map(with_bench).collect()
}
