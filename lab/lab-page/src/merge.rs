//! Merges the cells of a run into the results: replaces its own cells, and leaves all others as
//! they are.

use crate::error::Error;
use crate::results::{Cell, Results};
use crate::rounds::Pooled;

/// Merges a run. A cell that it could not measure keeps older figures. Of a bench that was measured
/// as a whole, cells that it has no more are dropped.
pub fn merge(mut merged: Results, pooled: Pooled) -> Result<Results, Error> {
    let mut run = pooled.run;
    run.crates.retain(|one| {
        let mut cells = pooled.cells.iter();
        cells.any(|cell| cell.subject() == Some(&one.subject))
    });
    run.id = 1 + merged.runs.iter().map(|run| run.id).max().unwrap_or(0);
    let index = merged.runs.len();
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
    if let Some((what, new, old)) = differences.first() {
        let count = differences.len();
        return Err(Error::OtherMachine(format!(
            "{what} of this run: `{new}`, and of {count} other figures: `{old}`; measure all of \
             them, or write the results to another file"
        )));
    }
    merged.runs.push(run);
    drop_unused_runs(&mut merged);
    Ok(merged)
}

/// Where the cells have the scenario of this cell.
fn position(cells: &[Cell], cell: &Cell) -> Option<usize> {
    let mut cells = cells.iter();
    cells.position(|other| other.bench == cell.bench && other.scenario == cell.scenario)
}

fn drop_unused_runs(results: &mut Results) {
    let is_used = |run: &usize| results.cells.iter().any(|cell| cell.run == *run);
    let used: Vec<usize> = (0..results.runs.len()).filter(is_used).collect();
    results.runs = used.iter().map(|run| results.runs[*run].clone()).collect();
    for cell in &mut results.cells {
        cell.run = used
            .iter()
            .position(|run| *run == cell.run)
            .unwrap_or_default();
    }
}
