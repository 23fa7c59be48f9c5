//! [`Run`]: what a bench does with its scenarios. It measures each of them, or runs each once as
//! a smoke test, with the output of Rust's test harness. Both prove the counter first, so that a
//! missing one is found before the gate runs.

use std::process::ExitCode;
use std::time::Instant;

use alloc_results::{EnvironmentRecord, FailureRecord, ScenarioRecord, protocol, scenario_line};
use counting_alloc::prove;

use crate::arguments::{Action, Arguments, HELP};
use crate::child_process;
use crate::console;
use crate::environment;
use crate::failure::{NotMeasured, attempt};
use crate::plan::{Plan, is_on};
use crate::recording::Recording;
use crate::selection::{Entry, Selection, name_problem};
use crate::table::{self, Row};

/// libtest's exit code for a failed run.
const FAILED: u8 = 101;

/// A run so far.
pub(crate) enum Run {
    Measure(Box<Measuring>),
    Smoke(Smoke),
}

/// The records of a measuring run so far.
pub(crate) struct Measuring {
    plan: Plan,
    environment: EnvironmentRecord,
    recording: Option<Recording>,
    rows: Vec<Row>,
    failures: Vec<FailureRecord>,
    /// Whether no other scenario was selected.
    is_alone: bool,
}

/// A smoke test so far.
pub(crate) struct Smoke {
    begin: Instant,
    failed: usize,
    ignored: usize,
}

impl Run {
    /// Begins what the command line requests, with the selected scenarios. The error is the exit
    /// code if none of them runs: the arguments are wrong, the names are wrong (`problem`), the
    /// counter is not live, or only a list or the help was requested.
    pub(crate) fn begin(
        arguments: Result<Arguments, String>,
        entries: &[Entry],
        problem: Option<String>,
        plan: Plan,
    ) -> Result<(Self, Selection), ExitCode> {
        let arguments = arguments.map_err(|error| {
            console::error(&format!("{error}; see --help"));
            ExitCode::from(2)
        })?;
        if let Some(problem) = name_problem(entries).or(problem) {
            return Err(failed(&problem));
        }
        if !arguments.ignored.is_empty() {
            console::note(&format!(
                "options of other harnesses have no effect on this bench: `{}`",
                arguments.ignored.join("`, `")
            ));
        }
        let selection = Selection::new(entries, &arguments.filter);
        let run = match arguments.action {
            Action::Smoke => Smoke::begin(&selection, &plan).map(Self::Smoke),
            Action::Measure => plan
                .with_environment(arguments.quick)
                .and_then(|plan| Measuring::begin(&selection, plan))
                .map(|measuring| Self::Measure(Box::new(measuring))),
            Action::Help => {
                console::print(HELP);
                return Err(ExitCode::SUCCESS);
            }
            Action::List | Action::ListTersely => {
                // With unavailable scenarios, as Rust's test harness lists ignored tests.
                for entry in &selection.entries {
                    console::print(&format!("{}: benchmark\n", entry.name));
                }
                if arguments.action == Action::List {
                    let count = selection.entries.len();
                    console::print(&format!("\n0 tests, {count} benchmarks\n"));
                }
                return Err(ExitCode::SUCCESS);
            }
        };
        let begun = run.map(|run| (run, selection));
        begun.map_err(|error| failed(&error))
    }

    /// Measures a scenario by `body`, in a process of its own if it `is_fresh`. In the smoke test,
    /// runs it once: then `body` gets no plan, and what it returns is not looked at.
    pub(crate) fn scenario(
        &mut self,
        entry: &Entry,
        is_fresh: bool,
        body: impl FnOnce(Option<&Plan>) -> Result<Option<ScenarioRecord>, NotMeasured>,
    ) -> Result<(), String> {
        match self {
            Self::Measure(measuring) => measuring.scenario(entry, is_fresh, body),
            Self::Smoke(smoke) => {
                smoke.scenario(entry, || body(None));
                Ok(())
            }
        }
    }

    /// Passes over a scenario that is unavailable on this machine. The record of a measuring run
    /// has it already.
    pub(crate) fn ignore(&mut self, entry: &Entry, reason: &str) {
        if let Self::Smoke(smoke) = self {
            smoke.ignored += 1;
            console::print(&format!("test {} ... ignored, {reason}\n", entry.name));
        }
    }

    /// Ends the results and prints the table or the summary. Returns the exit code for `main`.
    pub(crate) fn end(self, selection: &Selection) -> ExitCode {
        let ended = match self {
            Self::Measure(measuring) => measuring.end(selection),
            Self::Smoke(smoke) => Ok(smoke.end(selection)),
        };
        match ended {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(FAILED),
            Err(error) => failed(&error),
        }
    }
}

/// Reports an error that ends the run.
pub(crate) fn failed(error: &str) -> ExitCode {
    console::error(error);
    ExitCode::from(FAILED)
}

impl Measuring {
    fn begin(selection: &Selection, plan: Plan) -> Result<Self, String> {
        let proof = prove();
        let environment = environment::record(&proof, selection, &plan);
        let recording = Recording::begin(&environment)?;
        // The record also shows a dead counter, so that the gate can report it.
        environment::check(&proof, plan.is_called)?;
        Ok(Self {
            plan,
            environment,
            recording,
            rows: Vec::new(),
            failures: Vec::new(),
            is_alone: selection.entries.len() == 1,
        })
    }

    /// Measures a scenario, and keeps its line of the results and its row of the table, or why it
    /// has none.
    fn scenario(
        &mut self,
        entry: &Entry,
        is_fresh: bool,
        body: impl FnOnce(Option<&Plan>) -> Result<Option<ScenarioRecord>, NotMeasured>,
    ) -> Result<(), String> {
        console::progress(&format!(
            "measuring {}/{} {}",
            self.rows.len() + self.failures.len() + 1,
            self.environment.planned.len(),
            entry.name
        ));
        let plan = &self.plan;
        let here = |fresh| {
            let record = attempt(|| body(Some(plan)))?;
            let mut record = record.ok_or("measured nothing")?;
            record.fresh = fresh;
            Ok((scenario_line(&record), Row::new(&record)))
        };
        let measured = child_process::measure(entry, is_fresh, self.is_alone, plan, here);
        console::progress("");
        match measured {
            Ok((line, row)) => {
                if let Some(recording) = &mut self.recording {
                    recording.scenario(&line)?;
                }
                self.rows.push(row);
            }
            Err(NotMeasured { message, timed_out }) => {
                let failure = FailureRecord {
                    name: entry.name.clone(),
                    location: entry.location(),
                    message,
                    timed_out,
                };
                if let Some(recording) = &mut self.recording {
                    recording.failure(&failure)?;
                }
                self.failures.push(failure);
            }
        }
        Ok(())
    }

    /// Returns whether all scenarios were measured. Who started this process may print the table.
    fn end(self, selection: &Selection) -> Result<bool, String> {
        if let Some(recording) = self.recording {
            recording.end()?;
        }
        if !is_on(protocol::SILENT) {
            let unavailable = &self.environment.unavailable;
            console::print(&table::render(&self.rows, unavailable, selection.left_out));
            for failure in &self.failures {
                console::error(&format!(
                    "scenario `{}` (at {}:{}) {}",
                    failure.name, failure.location.file, failure.location.line, failure.message
                ));
            }
        }
        Ok(self.failures.is_empty())
    }
}

impl Smoke {
    fn begin(selection: &Selection, plan: &Plan) -> Result<Self, String> {
        environment::check(&prove(), plan.is_called)?;
        let count = selection.entries.len();
        let plural = if count == 1 { "" } else { "s" };
        console::print(&format!("\nrunning {count} test{plural}\n"));
        Ok(Self {
            begin: Instant::now(),
            failed: 0,
            ignored: 0,
        })
    }

    /// Runs a scenario once.
    fn scenario(
        &mut self,
        entry: &Entry,
        run: impl FnOnce() -> Result<Option<ScenarioRecord>, NotMeasured>,
    ) {
        console::print(&format!("test {} ... ", entry.name));
        let Err(NotMeasured { message, .. }) = attempt(run) else {
            console::print("ok\n");
            return;
        };
        self.failed += 1;
        console::print("FAILED\n");
        let (name, place) = (&entry.name, entry.location);
        console::error(&format!("scenario `{name}` (at {place}) {message}"));
    }

    /// Returns whether all scenarios succeeded.
    fn end(self, selection: &Selection) -> bool {
        let Self {
            begin,
            failed,
            ignored,
        } = self;
        console::print(&format!(
            "\ntest result: {}. {} passed; {failed} failed; {ignored} ignored; 0 measured; \
             {} filtered out; finished in {:.2}s\n\n",
            if failed == 0 { "ok" } else { "FAILED" },
            selection.entries.len() - failed - ignored,
            selection.left_out,
            begin.elapsed().as_secs_f64(),
        ));
        failed == 0
    }
}
