//! [`Writer`]: writes records as lines. Each line is flushed, so that the records
//! of a process that dies later can be read.

use std::io::{self, Write};

use crate::environment::EnvironmentRecord;
use crate::json::ToJson;
use crate::record::{self, EndRecord, FailureRecord, SCHEMA, ScenarioRecord};

/// Writes one stream. Each record is written and flushed before the call returns.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    end: EndRecord,
}

impl<W: Write> Writer<W> {
    /// Begins a stream with its environment record.
    ///
    /// # Errors
    ///
    /// When `out` can't be written.
    pub fn new(out: W, environment: &EnvironmentRecord) -> io::Result<Self> {
        let mut writer = Self {
            out,
            end: EndRecord {
                scenarios: 0,
                failed: 0,
            },
        };
        writer.line(record::ENVIRONMENT, environment)?;
        Ok(writer)
    }

    /// Adds a measured scenario.
    ///
    /// # Errors
    ///
    /// When the output can't be written.
    pub fn scenario(&mut self, scenario: &ScenarioRecord) -> io::Result<()> {
        self.scenario_line(&scenario_line(scenario))
    }

    /// Adds a measured scenario as the [`scenario_line`] that another process wrote.
    ///
    /// # Errors
    ///
    /// When the output can't be written.
    pub fn scenario_line(&mut self, line: &str) -> io::Result<()> {
        self.end.scenarios += 1;
        self.write(line)
    }

    /// Adds a scenario that panicked.
    ///
    /// # Errors
    ///
    /// When the output can't be written.
    pub fn failure(&mut self, failure: &FailureRecord) -> io::Result<()> {
        self.end.failed += 1;
        self.line(record::FAILURE, failure)
    }

    /// Ends the stream. Readers refuse a stream without an end.
    ///
    /// # Errors
    ///
    /// When the output can't be written.
    pub fn end(mut self) -> io::Result<W> {
        let end = self.end;
        self.line(record::END, &end)?;
        Ok(self.out)
    }

    fn line(&mut self, kind: &str, body: &dyn ToJson) -> io::Result<()> {
        self.write(&line(kind, body))
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        self.out.write_all(line.as_bytes())?;
        self.out.flush()
    }
}

/// The line of a measured scenario, for [`Writer::scenario_line`].
#[must_use]
pub fn scenario_line(scenario: &ScenarioRecord) -> String {
    line(record::SCENARIO, scenario)
}

fn line(kind: &str, body: &dyn ToJson) -> String {
    let mut line = format!("{{\"schema\":{SCHEMA},\"record\":\"{kind}\",");
    let mut json = String::new();
    body.write(&mut json);
    // Every record is an object with at least one field.
    line.push_str(json.strip_prefix('{').unwrap_or(&json));
    line.push('\n');
    line
}
