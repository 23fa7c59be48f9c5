//! The file of results: JSON Lines, first a line for each run, then a line for each cell, so
//! that a merged part changes the lines of its own cells alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::results::{Cell, Results, Run};

#[derive(Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
enum Line {
    Run(Run),
    Cell(CellLine),
}

#[derive(Serialize, Deserialize)]
struct CellLine {
    /// [`Run::id`].
    run: u64,
    #[serde(flatten)]
    cell: Cell,
}

/// Reads a file of results.
pub fn read(path: &Path) -> Result<Results, Error> {
    parse(path, &read_text(path)?)
}

/// Reads a file of results, which need not exist: then there are none.
pub fn read_or_default(path: &Path) -> Result<Results, Error> {
    match fs::exists(path) {
        Ok(false) => Ok(Results::default()),
        _ => read(path),
    }
}

pub fn read_text(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::file("read", path))
}

/// The results in `text`; `path` is its name in errors.
pub fn parse(path: &Path, text: &str) -> Result<Results, Error> {
    let mut results = Results::default();
    let mut indices = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let error = |reason| {
            let place = format!("{}:{}", path.display(), index + 1);
            let advice = "measure again with `cargo xtask lab`";
            Error::Wrong(format!(
                "{place}: not a line of results ({reason}); {advice}"
            ))
        };
        let line = serde_json::from_str(line).map_err(|reason| error(reason.to_string()))?;
        match line {
            Line::Run(run) => {
                indices.insert(run.id, results.runs.len());
                results.runs.push(run);
            }
            Line::Cell(CellLine { run, mut cell }) => {
                let index = indices.get(&run);
                cell.run = *index.ok_or_else(|| error(format!("there is no run {run}")))?;
                if cell.axes.is_empty() {
                    cell.axes = axes_of(&cell.scenario);
                }
                results.cells.push(cell);
            }
        }
    }
    Ok(results)
}

/// The text of the file.
///
/// # Panics
///
/// If a cell has an index of no run.
pub fn text(results: &Results) -> String {
    let runs = results.runs.iter().cloned().map(Line::Run);
    let cells = results.cells.iter().map(|cell| {
        let mut cell = cell.clone();
        if cell.axes == axes_of(&cell.scenario) {
            cell.axes.clear();
        }
        Line::Cell(CellLine {
            run: results.runs[cell.run].id,
            cell,
        })
    });
    let lines = runs.chain(cells).map(|line| {
        let line = serde_json::to_string(&line);
        line.expect("strings and numbers are JSON") + "\n"
    });
    lines.collect()
}

/// The axes that a full name tells: of `pair/subject=system,size=64`.
fn axes_of(scenario: &str) -> Vec<(String, String)> {
    let axes = scenario.split_once('/').map_or("", |(_, axes)| axes);
    let axes = axes.split(',').map(|axis| {
        let (axis, value) = axis.split_once('=')?;
        Some((axis.to_owned(), value.to_owned()))
    });
    axes.collect::<Option<_>>().unwrap_or_default()
}

/// Replaces a file: another process sees the old text or the new one.
pub fn write(path: &Path, text: &str) -> Result<(), Error> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let written = fs::write(&new, text).and_then(|()| fs::rename(&new, path));
    written.map_err(Error::file("write", path))
}
