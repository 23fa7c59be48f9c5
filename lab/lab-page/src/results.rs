//! The results as data: [`Results`] with the [`Run`]s that measured and the merged [`Cell`]s.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    pub runs: Vec<Run>,
    /// The cells, in the order of the bench that measured them.
    pub cells: Vec<Cell>,
}

/// One run of the lab: when, with what and where it measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[serde(default)]
pub struct Run {
    /// Its number in the file; it never changes.
    pub id: u64,
    /// The day in UTC: `2026-11-23`.
    pub date: String,
    pub command: String,
    pub commit: String,
    pub rustc: String,
    /// The variables with flags for the compilers: `RUSTFLAGS="--cfg frusa"`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rustflags: String,
    pub target: String,
    pub profile: String,
    /// The features of the lab, sorted.
    pub features: Vec<String>,
    pub cpu: String,
    pub cores: u64,
    pub memory_bytes: u64,
    pub kernel: String,
    pub libc: String,
    /// The mode of transparent huge pages: `always`, `madvise` or `never`.
    pub huge_pages: String,
    /// The variables with settings of allocators that were set; `default` if none was, and empty
    /// if it is not known.
    pub settings: String,
    pub crates: Vec<SubjectCrate>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SubjectCrate {
    pub subject: String,
    pub name: String,
    pub version: String,
    pub licence: String,
}

/// One scenario of one bench, with the figures of all its processes merged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Cell {
    /// The index of its run in [`Results::runs`]. A line of the file has [`Run::id`] instead.
    #[serde(skip)]
    pub run: usize,
    pub bench: String,
    /// The full name of the scenario: `pair/subject=system,size=64`.
    pub scenario: String,
    /// The axes and their values, in order. The file has them if the name does not tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<(String, String)>,
    /// The threads that ran the body at once.
    pub threads: u64,
    pub processes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<u64>,
    /// The timed windows of all processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Windows>,
    /// The figures that the scenario measures itself, by name.
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
/// of calls between two readings of the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Windows {
    /// The fastest window, which is the headline.
    pub fastest: f64,
    /// The median, by nearest rank.
    pub p50: f64,
    /// The 99th percentile, by nearest rank.
    pub p99: f64,
    pub slowest: f64,
    pub windows: u64,
}

/// A figure that a scenario measures itself, over the counted calls of all processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "MetricRecord", into = "MetricRecord")]
pub struct Metric {
    pub unit: Unit,
    pub min: i64,
    /// The median, by nearest rank.
    pub p50: i64,
    /// The 99th percentile, by nearest rank.
    pub p99: i64,
    pub max: i64,
    pub n: u64,
    /// The value of the first, cold call of each process.
    pub first: Vec<i64>,
}

/// A metric in the file. Most are the same in every call, and short.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum MetricRecord {
    /// The unit, the value, the number of values and that of processes.
    Constant(Unit, i64, u64, usize),
    /// The unit, `min`, `p50`, `p99` and `max`, the number of values, and `first`.
    Spread(Unit, [i64; 4], u64, Vec<i64>),
}

impl From<MetricRecord> for Metric {
    fn from(record: MetricRecord) -> Self {
        let (unit, [min, p50, p99, max], n, first) = match record {
            MetricRecord::Constant(unit, value, n, processes) => {
                (unit, [value; 4], n, vec![value; processes])
            }
            MetricRecord::Spread(unit, values, n, first) => (unit, values, n, first),
        };
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
        let mut all = values.iter().chain(&metric.first);
        match all.all(|value| *value == metric.min) {
            true => Self::Constant(metric.unit, metric.min, metric.n, metric.first.len()),
            false => Self::Spread(metric.unit, values, metric.n, metric.first),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    Count,
    Bytes,
    Nanoseconds,
}
