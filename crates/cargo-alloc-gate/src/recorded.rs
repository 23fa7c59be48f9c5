//! Measurements from files that were recorded. A broken one is a failure that says
//! what to do, and never a smaller measurement.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use alloc_gate::Measurements;
use alloc_results::{BenchId, Stream, read_streams};

use crate::bench_output::quoted;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::results::{ambiguous, join};

/// Reads recorded results.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Measurements, Failure> {
    whole(join(read_files(paths)?)?)
}

/// Reads results that were recorded on one or several machines: those of each
/// way of building, with the benches that it has.
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
        let text = fs::read_to_string(path).map_err(|error| {
            Failure::new(
                Code::BenchFailed,
                format!("failed to read results from {}: {error}", path.display()),
            )
            .next("`cargo alloc-gate run` records results, and says where")
        })?;
        let read = read_streams(&path.display().to_string(), &text).map_err(|error| {
            Failure::new(Code::BenchFailed, error.to_string())
                .next("nothing of it is judged; `cargo alloc-gate run` records whole results")
        })?;
        streams.extend(read);
    }
    Ok(streams)
}

/// The same measurements, unless a part of them is not there.
fn whole(measurements: Measurements) -> Result<Measurements, Failure> {
    if measurements.is_filtered() {
        return Err(Failure::new(
            Code::BenchFailed,
            "a filter left scenarios out of the results, and nothing is judged on half a \
             measurement",
        )
        .next("measure again without the filter; `cargo alloc-gate run` does"));
    }
    if let Some(failed) = measurements.failures().first() {
        return Err(Failure::new(
            Code::BenchFailed,
            format!(
                "the results have a scenario that was not measured: `{}` ({}:{}){}",
                failed.scenario,
                failed.location.file,
                failed.location.line,
                quoted(&failed.message)
            ),
        )
        .next("mend it, and measure again"));
    }
    Ok(measurements)
}
