//! The measuring run: proof, passes, records, table.

use alloc_results::{FailureRecord, Location, ScenarioRecord, Scope};
use counting_alloc::prove;

use crate::failure::catch;
use crate::recording::Recording;
use crate::suite::{Entry, Selection};
use crate::sweep::{Defaults, Measurement, Swept};
use crate::{console, environment, table};

/// Measures the selected scenarios, records them where the environment asks for
/// it, and prints the table; whether all went well.
pub(crate) fn run(
    selection: &Selection<'_>,
    definitions: &mut [Box<dyn Swept + '_>],
    defaults: Defaults,
) -> bool {
    match measure_all(selection, definitions, defaults) {
        Ok(succeeded) => succeeded,
        Err(error) => {
            console::error(&error);
            false
        }
    }
}

fn measure_all(
    selection: &Selection<'_>,
    definitions: &mut [Box<dyn Swept + '_>],
    defaults: Defaults,
) -> Result<bool, String> {
    let proof = prove();
    let mut recording = Recording::begin(&environment::record(&proof, selection))?;
    // A dead counter is in the record too, so that the gate can say so.
    environment::check(&proof)?;

    let mut records = Vec::new();
    let mut failures = Vec::new();
    for (index, entry) in selection.entries.iter().enumerate() {
        console::progress(&format!(
            "measuring {}/{} {}",
            index + 1,
            selection.len(),
            entry.name
        ));
        let (swept, point) = entry.find(definitions);
        let measured = catch(|| swept.measure(point, defaults));
        console::progress("");
        match measured {
            Ok(Ok(measurement)) => {
                let record = scenario_record(entry, measurement);
                recording.scenario(&record)?;
                records.push(record);
            }
            Ok(Err(failure)) => failures.push(failure_record(entry, failure.to_string())),
            Err(message) => failures.push(failure_record(entry, format!("panicked: {message}"))),
        }
        if let Some(failure) = failures.last()
            && failure.name == entry.name
        {
            recording.failure(failure)?;
        }
    }
    recording.end()?;

    console::print(&table::render(&records, selection.left_out));
    for failure in &failures {
        console::error(&format!(
            "scenario `{}` (at {}:{}) {}",
            failure.name, failure.location.file, failure.location.line, failure.message
        ));
    }
    Ok(failures.is_empty())
}

fn scenario_record(entry: &Entry, measurement: Measurement) -> ScenarioRecord {
    let Measurement {
        plan,
        threads,
        work,
        passes,
        custom,
        note,
    } = measurement;
    ScenarioRecord {
        name: entry.name.clone(),
        group: entry.group.clone(),
        axes: entry.axes.clone(),
        location: location(entry),
        scope: match plan.scope {
            counting_alloc::Scope::Thread => Scope::Thread,
            counting_alloc::Scope::Process => Scope::Process,
        },
        threads,
        output_drop: plan.output_drop,
        warmup: plan.warmup,
        iterations: plan.iterations,
        work,
        first: passes.first,
        mode: Some(passes.mode),
        samples: passes.samples,
        peak_pass: passes.peak_pass.map(Box::new),
        foreign: passes.foreign,
        time: passes.time,
        outcome: None,
        fresh: false,
        custom,
        note,
    }
}

fn failure_record(entry: &Entry, message: String) -> FailureRecord {
    FailureRecord {
        name: entry.name.clone(),
        location: location(entry),
        message,
    }
}

fn location(entry: &Entry) -> Location {
    Location {
        // Windows' separators differ; a record should not.
        file: entry.location.file().replace('\\', "/"),
        line: entry.location.line(),
    }
}
