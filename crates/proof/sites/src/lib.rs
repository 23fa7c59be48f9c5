//! Checks the call stacks in the results of benches, and compares the counts of two runs.

#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use alloc_results::{SampleSites, ScenarioRecord, Stream, Tally, read_streams};

/// Why results are wrong.
#[derive(Debug, thiserror::Error)]
pub enum SitesError {
    /// A file can't be read.
    #[error("read {path}: {source}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The reader refuses a file, for example for rows that don't add up.
    #[error("{0}")]
    Refused(String),
    /// The scenario of a bench is wrong.
    #[error("{target}: {scenario}: {reason}")]
    Scenario {
        /// The bench.
        target: String,
        /// The name of the scenario.
        scenario: String,
        /// What is wrong.
        reason: String,
    },
}

/// Reads all results in a folder. The reader checks that the rows of each sample add up to
/// its reading in every field, and to its peak where that is known.
///
/// # Errors
///
/// When a file can't be read, or its rows don't add up.
pub fn read(folder: &Path) -> Result<Vec<Stream>, SitesError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        |source| SitesError::File { path, source }
    };
    let mut streams = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
        let path = entry.map_err(unreadable(folder))?.path();
        let text = fs::read_to_string(&path).map_err(unreadable(&path))?;
        let read = read_streams(&path.to_string_lossy(), &text);
        streams.extend(read.map_err(|error| SitesError::Refused(error.to_string()))?);
    }
    Ok(streams)
}

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The scenarios with call stacks.
    pub scenarios: u64,
    /// Those whose peak was divided as well.
    pub peaks: u64,
    /// The stacks.
    pub stacks: u64,
    /// The operations.
    pub operations: u64,
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.scenarios += other.scenarios;
        self.peaks += other.peaks;
        self.stacks += other.stacks;
        self.operations += other.operations;
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            scenarios,
            peaks,
            stacks,
            operations,
        } = self;
        write!(
            f,
            "{scenarios} scenarios, {peaks} with their peaks; {operations} operations at {stacks} \
             stacks"
        )
    }
}

/// Checks that each scenario was measured, and has rows for every reading and its peak.
///
/// # Errors
///
/// For the first scenario without them.
pub fn check(stream: &Stream) -> Result<Totals, SitesError> {
    let wrong = |scenario: &str, reason| SitesError::Scenario {
        target: stream.environment.bench.target.clone(),
        scenario: scenario.into(),
        reason,
    };
    if let Some(failure) = stream.failures.first() {
        return Err(wrong(&failure.name, failure.message.clone()));
    }
    let mut totals = Totals::default();
    for scenario in &stream.scenarios {
        totals += checked(scenario).map_err(|reason| wrong(&scenario.name, reason))?;
    }
    Ok(totals)
}

fn checked(scenario: &ScenarioRecord) -> Result<Totals, String> {
    let Some(sites) = &scenario.sites else {
        let reason = scenario.sites_unavailable.as_deref();
        // The threads of a pool may do so.
        if reason.is_some_and(|reason| reason.starts_with("not exact: another thread")) {
            return Ok(Totals::default());
        }
        return Err(reason.map_or_else(|| "it has no call stacks".into(), Clone::clone));
    };
    let own = sites.samples.iter().flatten();
    let all = || own.clone().chain([&sites.first]).chain(&sites.others);
    let has_peak = scenario.first.peak_bytes.is_some();
    let is_whole = |sites: &SampleSites| {
        let before = sites.before;
        before.is_some_and(|before| before.peak_bytes.is_some() == has_peak)
    };
    if !all().all(is_whole) {
        return Err("the live blocks of a sample are missing".into());
    }
    let rows = all().flat_map(|sites| &sites.rows);
    Ok(Totals {
        scenarios: 1,
        peaks: has_peak.into(),
        stacks: sites.stacks.0.len() as u64,
        operations: rows.map(|row| operations(&row.counts)).sum(),
    })
}

fn operations(counts: &Tally) -> u64 {
    counts.allocs + counts.deallocs
}

/// The scenarios by bench and name.
type ByName<'s> = BTreeMap<(&'s str, &'s str), &'s ScenarioRecord>;

fn by_name(streams: &[Stream]) -> ByName<'_> {
    let mut scenarios = ByName::new();
    for stream in streams {
        for record in &stream.scenarios {
            scenarios.insert((&stream.environment.bench.target, &record.name), record);
        }
    }
    scenarios
}

/// The scenarios that two runs of the same benches counted, and those with other counts or
/// peaks in the second run, as `BENCH: SCENARIO`.
#[must_use]
pub fn differences(one: &[Stream], other: &[Stream]) -> (usize, Vec<String>) {
    let (one, other) = (by_name(one), by_name(other));
    let figures = |record: &&ScenarioRecord| {
        let (samples, peak_pass) = (record.samples.clone(), record.peak_pass.clone());
        (record.first.clone(), samples, peak_pass)
    };
    let names: BTreeSet<_> = one.keys().chain(other.keys()).collect();
    let is_same = |name| one.get(name).map(figures) == other.get(name).map(figures);
    let differ = names.iter().filter(|name| !is_same(**name));
    let differ = differ.map(|(target, name)| format!("{target}: {name}"));
    (names.len(), differ.collect())
}
