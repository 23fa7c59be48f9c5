//! The results of a run, and their file: JSON Lines, first the run, then a line for each cell.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::Error;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    pub run: Run,
    /// In the order of the benches that measured them.
    pub cells: Vec<Cell>,
}

/// When, with what and where the lab measured. What is not known is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Run {
    /// The day in UTC: `2026-11-23`.
    pub date: String,
    pub command: String,
    pub commit: String,
    pub rustc: String,
    /// The variables for compilers and allocators that were set: `RUSTFLAGS="--cfg frusa"`.
    pub variables: String,
    pub target: String,
    pub profile: String,
    /// The features of the lab, sorted.
    pub features: Vec<String>,
    pub cpu: String,
    pub cores: u64,
    pub memory: String,
    pub kernel: String,
    pub libc: String,
    /// The modes of transparent huge pages, with the current one in brackets.
    pub huge_pages: String,
    pub crates: Vec<SubjectCrate>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubjectCrate {
    pub subject: String,
    pub name: String,
    pub version: String,
    pub licence: String,
}

/// One scenario, with the values of all its processes pooled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The full name of the scenario: `pair/subject=system,size=64`.
    pub scenario: String,
    /// The threads that ran the body at once.
    pub threads: u64,
    pub processes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<u64>,
    /// The timed windows of all processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Windows>,
    /// What the scenario measures itself, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, Metric>,
    /// Why the scenario could not be measured on the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    /// How the scenario failed: the faults of its blocks, or the message of another panic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The timed windows of all processes of a cell: nanoseconds of one call. A window is a batch
/// of calls between two readings of the clock. Percentiles are by nearest rank; the median of several
/// threads is the least one of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Windows {
    pub fastest: f64,
    pub p50: f64,
    pub p99: f64,
    pub slowest: f64,
    pub windows: u64,
}

/// What a scenario measures itself, over the counted calls of all processes. The median of a time of
/// several threads is the least one of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "MetricRecord", into = "MetricRecord")]
pub struct Metric {
    pub unit: Unit,
    pub min: i64,
    pub p50: i64,
    pub p99: i64,
    pub max: i64,
    pub n: u64,
    /// The value of the first, cold call of each process.
    pub first: Vec<i64>,
}

/// The unit, `min`, `p50`, `p99` and `max`, `n`, and `first`: a metric in the file, which is short.
type MetricRecord = (Unit, [i64; 4], u64, Vec<i64>);

impl From<MetricRecord> for Metric {
    fn from((unit, [min, p50, p99, max], n, first): MetricRecord) -> Self {
        Self {
            unit,
            min,
            p50,
            p99,
            max,
            n,
            first,
        }
    }
}

impl From<Metric> for MetricRecord {
    fn from(metric: Metric) -> Self {
        let values = [metric.min, metric.p50, metric.p99, metric.max];
        (metric.unit, values, metric.n, metric.first)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    Count,
    Bytes,
    Nanoseconds,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
enum Line {
    Run(Run),
    Cell(Cell),
}

impl Results {
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = fs::read_to_string(path).map_err(Error::file("read", path))?;
        Self::parse(&path.display().to_string(), &text)
    }

    /// The results in the text of a file with this name.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        let mut results = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let error = |reason: &str| {
                let advice = "measure again with `cargo xtask lab`";
                Error::Wrong(format!("{name}:{number}: {reason}; {advice}"))
            };
            let line = serde_json::from_str(line);
            let line = line.map_err(|wrong| error(&format!("not a line of results ({wrong})")))?;
            match line {
                Line::Run(run) if number == 1 => results.run = run,
                Line::Cell(cell) if number > 1 => results.cells.push(cell),
                Line::Run(_) | Line::Cell(_) => {
                    return Err(error("the first line is the run, and all others are cells"));
                }
            }
        }
        Ok(results)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let run = Line::Run(self.run.clone());
        let cells = self.cells.iter().cloned().map(Line::Cell);
        let lines = [run].into_iter().chain(cells).map(|line| {
            let line = serde_json::to_string(&line);
            line.expect("strings and numbers are JSON") + "\n"
        });
        lines.collect()
    }
}
