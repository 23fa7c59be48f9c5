//! Reads the rounds of a run, which are folders of result records, and pools the values of
//! each scenario over all of them.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use alloc_results::{Distribution, ScenarioRecord, read_streams};

use crate::error::Error;
use crate::results::{Cell, Metric, Results, Run, Unit, Windows};

/// Reads the folders of rounds on a machine and pools them.
pub fn read(folders: &[PathBuf], machine: &Run) -> Result<Results, Error> {
    let mut run = machine.clone();
    let mut all: Vec<Samples> = Vec::new();
    for folder in folders {
        for file in result_files(folder)? {
            let text = fs::read_to_string(&file).map_err(Error::file("read", &file))?;
            for stream in read_streams(&file.display().to_string(), &text)? {
                for record in &stream.scenarios {
                    of(&mut all, &record.name).add(record);
                }
                for failure in stream.failures {
                    of(&mut all, &failure.name).cell.failure = Some(failure.message);
                }
                let environment = stream.environment;
                for missing in environment.unavailable {
                    of(&mut all, &missing.name).cell.unavailable = Some(missing.reason);
                }
                run.rustc = environment.rustc;
                run.target = environment.target;
                run.profile = environment.profile;
                run.features = environment.features;
                run.cores = environment.cores.unwrap_or_default();
            }
        }
    }
    let cells = all.into_iter().map(Samples::finish).collect();
    Ok(Results { run, cells })
}

/// The files `*.jsonl` of a folder.
fn result_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let list = || {
        let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
        paths.collect::<io::Result<Vec<_>>>()
    };
    let mut files = list().map_err(Error::file("read", folder))?;
    files.retain(|path| path.extension() == Some("jsonl".as_ref()));
    match files.is_empty() {
        true => Err(Error::Wrong(format!("{} has no results", folder.display()))),
        false => Ok(files),
    }
}

/// The samples of a scenario, in the order in which they were added.
fn of<'s>(all: &'s mut Vec<Samples>, name: &str) -> &'s mut Samples {
    let known = all.iter().position(|one| one.cell.scenario == name);
    let index = known.unwrap_or_else(|| {
        let mut samples = Samples::default();
        samples.cell.scenario = name.to_owned();
        all.push(samples);
        all.len() - 1
    });
    &mut all[index]
}

/// The metric of the windows of several threads.
const WALL_TIME: &str = "wall-time";

/// The metric that is 0 for a window in which they did not work at the same time.
const TOGETHER: &str = "together";

/// All that was measured of one scenario.
#[derive(Default)]
struct Samples {
    cell: Cell,
    /// Picoseconds of a call in each window of each process; more digits are noise.
    windows: Vec<Counted>,
    metrics: BTreeMap<String, Values>,
}

/// The values of a process, each with the number of its calls or windows.
type Counted = Vec<(i128, u64)>;

/// All values of a metric.
struct Values {
    unit: Unit,
    /// Of the counted calls of each process.
    counted: Vec<Counted>,
    first: Vec<i64>,
}

impl Samples {
    fn add(&mut self, record: &ScenarioRecord) {
        self.cell.processes += 1;
        self.cell.elements = record.work.elements;
        self.cell.threads = record.threads;
        self.cell.note = record.note.as_deref().cloned();
        let mut windows = wall_times(record);
        if let Some(time) = &record.time {
            let calls = i128::from(time.batch.max(1));
            let picoseconds = |window: &u64| (i128::from(*window) * 1_000 + calls / 2) / calls;
            let times = time.nanoseconds.iter().map(picoseconds);
            windows.extend(times.map(|window| (window, 1)));
        }
        self.windows.push(windows);
        for metric in &record.metrics {
            if [WALL_TIME, TOGETHER].contains(&&*metric.name) {
                continue;
            }
            let entry = self.metrics.entry(metric.name.clone());
            let values = entry.or_insert(Values {
                unit: Unit::from(metric.unit),
                counted: Vec::new(),
                first: Vec::new(),
            });
            values.counted.push(metric.samples.values().collect());
            values.first.push(metric.first);
        }
    }

    fn finish(self) -> Cell {
        let mut cell = self.cell;
        let has_threads = cell.threads_at_work() > 1;
        if cell.failure.is_some() || cell.processes > 0 {
            // A round of several could not measure it: what the others did stays.
            cell.unavailable = None;
        }
        cell.time = pooled_windows(&self.windows, has_threads);
        let metrics = self.metrics.into_iter();
        let pooled = metrics.filter_map(|(name, values)| Some((name, values.pooled(has_threads)?)));
        cell.metrics.extend(pooled);
        cell
    }
}

/// The windows of a scenario that measures its threads itself. There are none if in one of them
/// the threads did not work at the same time.
fn wall_times(record: &ScenarioRecord) -> Counted {
    let custom = |wanted| Some(&record.custom_metric(wanted)?.samples);
    let is_together = custom(TOGETHER).is_some_and(|together| together.min() > 0);
    let windows = custom(WALL_TIME).filter(|_| is_together).into_iter();
    let values = windows.flat_map(|windows| windows.values().collect::<Vec<_>>());
    values
        .map(|(value, times)| (value * 1_000, times))
        .collect()
}

/// The median of all values. Of several threads it is the least one of a process: what else a host
/// does, such as running two cores of a machine on one of its own, lasts longer than a process.
fn median(processes: &[Counted], all: &Distribution, has_threads: bool) -> i128 {
    let processes = processes.iter().filter(|_| has_threads).cloned();
    let each = processes.filter_map(Distribution::new);
    let least = each.map(|process| process.percentile(50)).min();
    least.unwrap_or_else(|| all.percentile(50))
}

/// The percentiles of all windows together, by nearest rank; `None` without windows.
fn pooled_windows(picoseconds: &[Counted], has_threads: bool) -> Option<Windows> {
    let all = Distribution::new(picoseconds.concat())?;
    let nanoseconds = |picoseconds: i128| picoseconds as f64 / 1_000.0;
    Some(Windows {
        fastest: nanoseconds(all.min()),
        p50: nanoseconds(median(picoseconds, &all, has_threads)),
        p99: nanoseconds(all.percentile(99)),
        slowest: nanoseconds(all.max()),
        windows: all.iterations(),
    })
}

impl Values {
    fn pooled(self, has_threads: bool) -> Option<Metric> {
        let values = Distribution::new(self.counted.concat())?;
        let has_threads = has_threads && self.unit == Unit::Nanoseconds;
        // Values are from -2^63 to 2^63-1, as the format says.
        let narrow = |value: i128| i64::try_from(value).unwrap_or(i64::MAX);
        Some(Metric {
            unit: self.unit,
            min: narrow(values.min()),
            p50: narrow(median(&self.counted, &values, has_threads)),
            p99: narrow(values.percentile(99)),
            max: narrow(values.max()),
            n: values.iterations(),
            first: self.first,
        })
    }
}

impl From<alloc_results::Unit> for Unit {
    fn from(unit: alloc_results::Unit) -> Self {
        match unit {
            alloc_results::Unit::Count => Self::Count,
            alloc_results::Unit::Bytes => Self::Bytes,
            alloc_results::Unit::Nanoseconds => Self::Nanoseconds,
            // A unit of a later format: its values are shown as they are.
            _ => Self::Count,
        }
    }
}
