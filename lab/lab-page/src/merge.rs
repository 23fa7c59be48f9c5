//! Merges the cells of a run into the results: replaces its own cells, and leaves all others as
//! they are.

use thiserror::Error;

use crate::results::{Cell, Results, Run};
use crate::rounds::Pooled;

/// Why a run was not merged.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MergeError {
    /// The description of the run is of another machine or build than its records.
    #[error(
        "the run description says {what} `{described}`, but the records say `{recorded}`; pass \
         the run.json of these rounds"
    )]
    Description {
        /// The field that differs.
        what: &'static str,
        /// Its value in the description.
        described: String,
        /// Its value in the records.
        recorded: String,
    },
    /// The run is a part, and the rest may not be compared with it.
    #[error(
        "{what} of this run: `{new}`, and of {count} other figures: `{old}`; measure all of them, \
         or write the results to another file"
    )]
    Other {
        /// What differs.
        what: &'static str,
        /// The value of the run.
        new: String,
        /// The value of the results.
        old: String,
        /// The number of cells that would be of another processor.
        count: usize,
    },
}

/// The description of a run, completed with what its records tell.
///
/// # Errors
///
/// If they contradict each other.
pub fn describe(described: Run, recorded: &Run) -> Result<Run, MergeError> {
    let mut run = described;
    let differs = |what, described: &str, recorded: &str| {
        Err(MergeError::Description {
            what,
            described: described.to_owned(),
            recorded: recorded.to_owned(),
        })
    };
    let texts = [
        ("commit", &mut run.commit, &recorded.commit),
        ("compiler", &mut run.rustc, &recorded.rustc),
        ("target", &mut run.target, &recorded.target),
        ("profile", &mut run.profile, &recorded.profile),
    ];
    for (what, described, recorded) in texts {
        if described.is_empty() {
            described.clone_from(recorded);
        } else if !recorded.is_empty() && described != recorded {
            return differs(what, described, recorded);
        }
    }
    run.features.sort_unstable();
    if run.features.is_empty() {
        run.features.clone_from(&recorded.features);
    } else if !recorded.features.is_empty() && run.features != recorded.features {
        let [described, recorded] = [&run, recorded].map(|run| run.features.join(","));
        return differs("features", &described, &recorded);
    }
    if run.cores == 0 {
        run.cores = recorded.cores;
    } else if recorded.cores != 0 && run.cores != recorded.cores {
        let [described, recorded] = [&run, recorded].map(|run| run.cores.to_string());
        return differs("cores", &described, &recorded);
    }
    run.quick = recorded.quick;
    Ok(run)
}

/// Merges a run. A cell that it could not measure keeps older figures. Of a bench that was measured
/// as a whole, cells that it has no more are dropped.
///
/// # Errors
///
/// If figures would stay that may not be compared with those of the run.
pub fn merge(results: &mut Results, mut run: Run, pooled: Pooled) -> Result<(), MergeError> {
    run.id = 1 + results.runs.iter().map(|run| run.id).max().unwrap_or(0);
    let index = results.runs.len();
    let mut merged = results.clone();
    merged.cells.retain(|cell| {
        !pooled.whole.contains(&cell.bench) || position(&pooled.cells, cell).is_some()
    });
    let mut previous = None;
    for mut cell in pooled.cells {
        cell.run = index;
        let at = match position(&merged.cells, &cell) {
            Some(at) => {
                let old = &merged.cells[at];
                if cell.unavailable.is_none() || old.unavailable.is_some() {
                    merged.cells[at] = cell;
                }
                at
            }
            None => {
                // A new cell stands behind the one that was measured before it.
                let at = previous.map_or(merged.cells.len(), |previous: usize| previous + 1);
                merged.cells.insert(at, cell);
                at
            }
        };
        previous = Some(at);
    }
    let others = merged.cells.iter().filter(|cell| cell.run != index);
    let differences = others.filter_map(|cell| run.difference(&merged.runs[cell.run]));
    let differences: Vec<_> = differences.collect();
    if let Some((what, new, old)) = differences.first().cloned() {
        let count = differences.len();
        return Err(MergeError::Other {
            what,
            new,
            old,
            count,
        });
    }
    merged.runs.push(run);
    drop_unused_runs(&mut merged);
    *results = merged;
    Ok(())
}

/// Where the cells have the scenario of this cell.
fn position(cells: &[Cell], cell: &Cell) -> Option<usize> {
    let mut cells = cells.iter();
    cells.position(|other| other.bench == cell.bench && other.scenario == cell.scenario)
}

fn drop_unused_runs(results: &mut Results) {
    let mut indices = Vec::new();
    let mut kept = 0;
    let mut runs = Vec::new();
    for (index, run) in results.runs.drain(..).enumerate() {
        indices.push(kept);
        if results.cells.iter().any(|cell| cell.run == index) {
            runs.push(run);
            kept += 1;
        }
    }
    results.runs = runs;
    for cell in &mut results.cells {
        cell.run = indices[cell.run];
    }
}
