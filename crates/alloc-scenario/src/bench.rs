//! The measuring run of a bench: it proves the counter, measures each scenario,
//! writes the records and prints the table.

use alloc_results::{
    EnvironmentRecord, FailureRecord, ScenarioRecord, Scope, protocol, scenario_line,
};
use counting_alloc::prove;

use crate::failure::{NotMeasured, catch};
use crate::recording::Recording;
use crate::selection::{Entry, Selection};
use crate::sweep::{Defaults, Failure, Measurement, Swept};
use crate::table::Row;
use crate::variables::is_on;
use crate::{child_process, console, environment, outside, table};

/// Measures the selected scenarios, records them if the environment asks for it, and
/// prints the table, unless who started it does. Returns whether all scenarios were measured.
pub(crate) fn run(
    selection: &Selection,
    definitions: &mut [Box<dyn Swept + '_>],
    defaults: &Defaults,
) -> Result<bool, String> {
    let mut bench = BenchRun::begin(selection, defaults)?;
    let started_for = child_process::fresh_process_for();
    let is_own =
        matches!(&selection.entries[..], [entry] if started_for.as_ref() == Some(&entry.name));
    for entry in &selection.entries {
        let Ok((swept, point)) = entry.find(definitions) else {
            continue;
        };
        bench.progress(entry);
        if is_own {
            child_process::begin()?;
        }
        let measured = if swept.is_fresh() && started_for.is_none() {
            child_process::measure(entry, defaults)
        } else {
            let is_fresh = is_own && swept.is_fresh();
            let measured = measured(catch(|| swept.measure(point, defaults)));
            measured.map(|measurement| recorded(entry, measurement, defaults, is_fresh))
        };
        console::progress("");
        if is_own {
            child_process::hand_over(&measured, swept.is_fresh())?;
        }
        bench.add(entry, measured)?;
    }
    bench.end(selection)
}

/// The records of a measuring run so far.
pub(crate) struct BenchRun {
    environment: EnvironmentRecord,
    recording: Recording,
    rows: Vec<Row>,
    failures: Vec<FailureRecord>,
}

impl BenchRun {
    /// Proves the counter and begins the results.
    pub(crate) fn begin(selection: &Selection, defaults: &Defaults) -> Result<Self, String> {
        let proof = prove();
        let environment = environment::record(&proof, selection, defaults);
        let recording = Recording::begin(&environment)?;
        // The record also shows a dead counter, so that the gate can report it.
        environment::check(&proof, defaults.is_called)?;
        Ok(Self {
            environment,
            recording,
            rows: Vec::new(),
            failures: Vec::new(),
        })
    }

    /// Shows which scenario is measured next.
    pub(crate) fn progress(&self, entry: &Entry) {
        console::progress(&format!(
            "measuring {}/{} {}",
            self.rows.len() + self.failures.len() + 1,
            self.environment.planned.len(),
            entry.name
        ));
    }

    /// Records a scenario's line and row, or why it has none.
    pub(crate) fn add(
        &mut self,
        entry: &Entry,
        measured: Result<(String, Row), NotMeasured>,
    ) -> Result<(), String> {
        match measured {
            Ok((line, row)) => {
                self.recording.scenario(&line)?;
                self.rows.push(row);
            }
            Err(NotMeasured { message, timed_out }) => {
                let failure = FailureRecord {
                    name: entry.name.clone(),
                    location: entry.location(),
                    message,
                    timed_out,
                };
                self.recording.failure(&failure)?;
                self.failures.push(failure);
            }
        }
        Ok(())
    }

    /// Ends the results and prints the table. Returns whether all scenarios were measured.
    pub(crate) fn end(self, selection: &Selection) -> Result<bool, String> {
        self.recording.end()?;
        if !is_on(protocol::SILENT) {
            let unavailable = &self.environment.unavailable;
            console::print(&table::render(&self.rows, unavailable, selection.left_out));
            self.failures.iter().for_each(print_failure);
        }
        Ok(self.failures.is_empty())
    }
}

fn print_failure(failure: &FailureRecord) {
    console::error(&format!(
        "scenario `{}` (at {}:{}) {}",
        failure.name, failure.location.file, failure.location.line, failure.message
    ));
}

/// The measurement of a scenario, or why it has none: `result` is a panic's message as well.
pub(crate) fn measured(
    result: Result<Result<Measurement, Failure>, String>,
) -> Result<Measurement, NotMeasured> {
    match result {
        Ok(Ok(measurement)) => Ok(measurement),
        Ok(Err(failure)) => Err(NotMeasured {
            message: failure.to_string(),
            timed_out: matches!(failure, Failure::TooSlow(_)),
        }),
        Err(message) => Err(format!("panicked: {message}").into()),
    }
}

/// The scenario's line of the results, and its row of the table.
pub(crate) fn recorded(
    entry: &Entry,
    measurement: Measurement,
    defaults: &Defaults,
    fresh: bool,
) -> (String, Row) {
    let record = scenario_record(entry, measurement, defaults, fresh);
    (scenario_line(&record), Row::new(&record))
}

fn scenario_record(
    entry: &Entry,
    measurement: Measurement,
    defaults: &Defaults,
    fresh: bool,
) -> ScenarioRecord {
    let Measurement {
        threads,
        work,
        passes,
        custom,
        note,
    } = measurement;
    let plan = passes.plan;
    // As the end of a sentence.
    let sites_unavailable = (defaults.sites && passes.sites.is_none()).then(|| {
        if plan.sites {
            String::from("not exact: another thread worked as an iteration began or ended")
        } else {
            format!("not available on {}", env!("ALLOC_SCENARIO_TARGET"))
        }
    });
    let (foreign, outside) = outside::record(passes.outside_first, passes.outside);
    ScenarioRecord {
        name: entry.name.clone(),
        group: entry.group.clone(),
        axes: entry.axes.clone(),
        location: entry.location(),
        scope: if plan.scope == counting_alloc::Scope::Process {
            Scope::Process
        } else {
            Scope::Thread
        },
        threads,
        output_drop: plan.output_drop,
        warmup: plan.warmup,
        iterations: plan.iterations,
        work,
        first: passes.first,
        mode: passes.mode,
        samples: passes.samples,
        first_operations: passes
            .first_operations
            .map(|first| Box::new(first.to_string())),
        peak_pass: passes.peak_pass.map(Box::new),
        foreign,
        outside: Box::new(outside),
        time: passes.time,
        fresh,
        sites: passes.sites.map(Box::new),
        sites_unavailable: sites_unavailable.map(Box::new),
        metrics: custom,
        note: note.map(Box::new),
    }
}
