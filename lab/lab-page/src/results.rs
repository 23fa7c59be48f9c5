//! The results as data: [`Results`] with the [`Run`]s that measured and the merged [`Cell`]s.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Everything that the committed file has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// The runs that cells are from, in the order in which they were merged.
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
    /// The command that measured.
    pub command: String,
    /// The commit of the sources.
    pub commit: String,
    /// The compiler, as `rustc --version` prints it.
    pub rustc: String,
    /// The variables with flags for the compiler: `RUSTFLAGS="--cfg frusa"`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rustflags: String,
    /// The target triple.
    pub target: String,
    /// The cargo profile.
    pub profile: String,
    /// The features of the lab, sorted.
    pub features: Vec<String>,
    /// The model of the processor.
    pub cpu: String,
    /// The number of threads that can run at once.
    pub cores: u64,
    /// The memory of the machine in bytes.
    pub memory_bytes: u64,
    /// The kernel and its version.
    pub kernel: String,
    /// The C library and its version.
    pub libc: String,
    /// The mode of transparent huge pages: `always`, `madvise` or `never`.
    pub huge_pages: String,
    /// The variables with settings of allocators that were set; `default` if none was, and empty
    /// if it is not known.
    pub settings: String,
    /// How the subjects that a C or C++ compiler builds were compiled.
    pub compiled: Vec<Compiled>,
    /// Whether the bench ran with `--quick`, with fewer iterations.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub quick: bool,
    /// The crates of the subjects.
    pub crates: Vec<SubjectCrate>,
}

/// How one subject was compiled from C or C++.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Compiled {
    /// The subject.
    pub subject: String,
    /// The package that compiles it.
    pub package: String,
    /// The version of the package.
    pub version: String,
    /// The command of the compiler, with its flags.
    pub command: String,
}

/// The crate of one subject.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SubjectCrate {
    /// The subject.
    pub subject: String,
    /// The name of the crate.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence, as an SPDX expression.
    pub licence: String,
}

/// One scenario of one bench, with the figures of all its processes merged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Cell {
    /// The index of its run in [`Results::runs`]. A line of the file has [`Run::id`] instead.
    #[serde(skip)]
    pub run: usize,
    /// The bench target: `lab`.
    pub bench: String,
    /// The full name of the scenario: `pair/subject=system,size=64`.
    pub scenario: String,
    /// The axes and their values, in order. The file has them if the name does not tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<(String, String)>,
    /// The threads that ran the body at once.
    pub threads: u64,
    /// The processes that measured it.
    pub processes: u64,
    /// The elements of work of one call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<u64>,
    /// The timed windows of all processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Windows>,
    /// The figures that the scenario measures itself, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, Metric>,
    /// The requests of all calls.
    #[serde(default)]
    pub requests: u64,
    /// The requests that failed, by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub faults: BTreeMap<String, u64>,
    /// Why the scenario could not be measured on the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    /// How the scenario failed, such as the message of a panic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// A note of the scenario's author.
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
    /// The slowest window.
    pub slowest: f64,
    /// The number of windows.
    pub windows: u64,
}

/// A figure that a scenario measures itself, over the counted calls of all processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "MetricRecord", into = "MetricRecord")]
pub struct Metric {
    /// The unit of the values.
    pub unit: Unit,
    /// The smallest value.
    pub min: i64,
    /// The median, by nearest rank.
    pub p50: i64,
    /// The 99th percentile, by nearest rank.
    pub p99: i64,
    /// The largest value.
    pub max: i64,
    /// The number of values.
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
        let Metric {
            unit,
            min,
            p50,
            p99,
            max,
            n,
            first,
        } = metric;
        let is_constant = min == max && first.iter().all(|value| *value == min);
        match is_constant {
            true => Self::Constant(unit, min, n, first.len()),
            false => Self::Spread(unit, [min, p50, p99, max], n, first),
        }
    }
}

/// The unit of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A number of things.
    Count,
    /// Bytes.
    Bytes,
    /// Nanoseconds.
    Nanoseconds,
}
