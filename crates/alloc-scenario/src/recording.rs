//! [`Recording`]: the result file of this process, if the environment asks for one, and
//! [`recorded`]: a scenario's line in it.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;

use alloc_results::{
    EnvironmentRecord, FailureRecord, ScenarioRecord, Writer, protocol, scenario_line,
};

use crate::plan::Defaults;
use crate::scenario::operation::Measurement;
use crate::selection::Entry;
use crate::table::Row;

/// A result file that is being written.
pub(crate) struct Recording {
    path: PathBuf,
    writer: Writer<File>,
}

impl Recording {
    /// Begins the file, if the environment asks for one.
    pub(crate) fn begin(environment: &EnvironmentRecord) -> Result<Option<Self>, String> {
        let Some(folder) = env::var_os(protocol::RESULTS).filter(|folder| !folder.is_empty())
        else {
            return Ok(None);
        };
        let name = format!("{}.{}.jsonl", environment.bench.target, process::id());
        let path = Path::new(&folder).join(name);
        let begun = fs::create_dir_all(&folder).and_then(|()| {
            // A file of this name has the stream of another suite of this process.
            // Both streams are kept, so that a reader sees that there are two.
            let file = File::options().append(true).create(true).open(&path)?;
            Writer::new(file, environment)
        });
        let writer = begun.map_err(|error| failed(&path, &error))?;
        Ok(Some(Self { path, writer }))
    }

    pub(crate) fn scenario(&mut self, line: &str) -> Result<(), String> {
        let written = self.writer.scenario_line(line);
        written.map_err(|error| failed(&self.path, &error))
    }

    pub(crate) fn failure(&mut self, record: &FailureRecord) -> Result<(), String> {
        let written = self.writer.failure(record);
        written.map_err(|error| failed(&self.path, &error))
    }

    pub(crate) fn end(self) -> Result<(), String> {
        let Self { path, writer } = self;
        let ended = writer.end();
        ended.map(drop).map_err(|error| failed(&path, &error))
    }
}

fn failed(path: &Path, error: &io::Error) -> String {
    format!("failed to write the results to {}: {error}", path.display())
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
    let outside = passes.left_out();
    ScenarioRecord {
        name: entry.name.clone(),
        group: entry.group.clone(),
        axes: entry.axes.clone(),
        location: entry.location(),
        scope: plan.scope,
        threads,
        output_drop: plan.output_drop,
        warmup: plan.warmup,
        iterations: plan.iterations,
        work,
        first: passes.first,
        mode: Some(passes.mode),
        samples: passes.samples,
        first_operations: passes
            .first_operations
            .map(|first| Box::new(first.to_string())),
        peak_pass: passes.peak_pass.map(Box::new),
        foreign: passes.outside.foreign,
        outside: Box::new(outside),
        time: passes.time,
        fresh,
        sites: passes.sites.map(Box::new),
        sites_unavailable: sites_unavailable.map(Box::new),
        metrics: custom,
        note: note.map(Box::new),
    }
}
