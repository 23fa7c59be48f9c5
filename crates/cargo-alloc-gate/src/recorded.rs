//! Measurements from recorded result files. A broken file is an error, never a smaller
//! measurement.

use std::collections::BTreeSet;
use std::path::PathBuf;

use alloc_gate::Measurements;
use alloc_results::{BenchId, EnvironmentRecord, Stream, read_streams};

use crate::bench_output::quoted;
use crate::bench_run::ListedBench;
use crate::failure::Failure;
use crate::files;
use crate::measurements::{ambiguous, join};

/// Reads recorded results.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Measurements, Failure> {
    whole(join(read_files(paths)?)?)
}

/// Lists the scenarios of recorded results. Those that could not be measured come last.
pub(crate) fn list(paths: &[PathBuf]) -> Result<Vec<ListedBench>, Failure> {
    let streams = read_files(paths)?;
    whole(join(streams.clone())?)?;
    let list = |stream: Stream| {
        let EnvironmentRecord {
            bench, unavailable, ..
        } = stream.environment;
        let measured = stream.scenarios.into_iter().map(|scenario| scenario.name);
        let others = unavailable.iter().map(|scenario| scenario.name.clone());
        ListedBench {
            name: bench.to_string(),
            scenarios: measured.chain(others).collect(),
            unavailable,
        }
    };
    Ok(streams.into_iter().map(list).collect())
}

/// Reads results that were recorded on one or several machines. Returns those of each
/// environment, with its benches.
pub(crate) fn read_by_environment(
    paths: &[PathBuf],
) -> Result<Vec<(Measurements, BTreeSet<BenchId>)>, Failure> {
    let groups = Measurements::by_environment(read_files(paths)?).map_err(ambiguous)?;
    groups
        .into_iter()
        .map(|(measurements, benches)| Ok((whole(measurements)?, benches)))
        .collect()
}

fn read_files(paths: &[PathBuf]) -> Result<Vec<Stream>, Failure> {
    let mut streams = Vec::new();
    for path in paths {
        let text = files::read(path).map_err(|error| {
            Failure::bench_failed(format!(
                "failed to read results from {}: {error}",
                path.display()
            ))
            .help("`cargo alloc-gate run` records results, and prints the paths")
        })?;
        let read = read_streams(&path.display().to_string(), &text).map_err(|error| {
            Failure::bench_failed(error.to_string())
                .help("the file is not used; `cargo alloc-gate run` records whole results")
        })?;
        streams.extend(read);
    }
    Ok(streams)
}

/// Refuses measurements that lack a scenario.
fn whole(measurements: Measurements) -> Result<Measurements, Failure> {
    if measurements.is_filtered() {
        return Err(Failure::bench_failed(
            "the results are incomplete: a filter left scenarios out",
        )
        .help("measure again without the filter, with `cargo alloc-gate run`"));
    }
    if let Some(failed) = measurements.failures().first() {
        return Err(Failure::bench_failed(format!(
            "the results have a scenario that was not measured: `{}` ({}:{}){}",
            failed.scenario,
            failed.location.file,
            failed.location.line,
            quoted(&failed.message)
        ))
        .help("fix it, and measure again"));
    }
    Ok(measurements)
}
