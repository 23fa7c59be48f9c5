//! Runs a bench that was built once more, to record the call stacks of scenarios.

use alloc_results::Stream;

use super::BenchRun;
use crate::bench_problem::BenchProblem;
use crate::bench_process::{Settings, Wanted};
use crate::children;
use crate::compile::Built;
use crate::failure::Failure;
use crate::globs::refuse_too_many;
use crate::progress::Progress;
use crate::shell::Shell;

/// Why a bench recorded no call stacks.
pub(crate) enum NotCaptured {
    /// The rows of a scenario don't add up to its readings.
    Inexact,
    /// The run failed.
    Failed(String),
}

impl BenchRun<'_> {
    /// Runs the same executable for scenarios of these names, with call stacks. The stream may
    /// have other scenarios as well, and may lack some that failed.
    pub(crate) fn capture(
        &self,
        bench: &Built,
        names: &[String],
        shell: &Shell,
    ) -> Result<Result<Stream, NotCaptured>, Failure> {
        let settings = Settings {
            sites: true,
            ..self.settings(&bench.name)
        };
        let process = match self.process(bench, settings) {
            Ok(process) => process,
            Err(failure) => return Ok(Err(NotCaptured::Failed(failure.what))),
        };
        let label = format!("recording the call stacks of {}", bench.name);
        // A command line has room for so many names.
        let wanted = match refuse_too_many(&bench.name, names) {
            Ok(()) => Wanted::Named(names),
            Err(_) => Wanted::All,
        };
        let ended = process.measure(wanted, &Progress::new(shell.draw_target(), label));
        children::check()?;
        Ok(match ended.results {
            Ok(results) => Ok(results.stream),
            Err(BenchProblem::ScenariosFailed(stream)) => Ok(*stream),
            Err(BenchProblem::WrongSites(_)) => Err(NotCaptured::Inexact),
            Err(problem) => {
                let what = problem.into_failure(&bench.name, "").what;
                Err(NotCaptured::Failed(what))
            }
        })
    }
}
