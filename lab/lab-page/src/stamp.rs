//! The stamp of a table: when its cells were measured, and which of them are of another run.

use crate::grid::main_run;
use crate::query::distinct;
use crate::results::{Cell, Results, Run};

/// `Measured on 2026-11-23, 3 processes a cell, except `mimalloc` (2026-11-24).`
pub fn stamp(results: &Results, cells: &[&Cell]) -> String {
    let cells = cells.iter().copied();
    let measured: Vec<&Cell> = cells.filter(|cell| cell.unavailable.is_none()).collect();
    let Some(main) = main_run(&measured) else {
        return "Not measured.".to_owned();
    };
    let runs = distinct(measured.iter().map(|cell| cell.run)).into_iter();
    let others = runs.filter(|run| *run != main);
    let others = others.map(|run| {
        format!(
            "{} ({})",
            name_cells(&measured, run),
            date(&results.runs[run])
        )
    });
    let others: Vec<_> = others.collect();
    let (run, processes) = (&results.runs[main], processes(&measured));
    let quick = if run.quick { " with `--quick`" } else { "" };
    let mut text = format!("Measured on {}{quick}, {processes}", date(run));
    if !others.is_empty() {
        text += &format!(", except {}", others.join("; "));
    }
    text + "."
}

fn date(run: &Run) -> &str {
    match run.date.as_str() {
        "" => "an unknown day",
        date => date,
    }
}

fn processes(cells: &[&Cell]) -> String {
    let counts = || cells.iter().map(|cell| cell.processes);
    match (counts().min().unwrap_or(0), counts().max().unwrap_or(0)) {
        (1, 1) => "one process a cell".to_owned(),
        (least, most) if least == most => format!("{least} processes a cell"),
        (least, most) => format!("{least} to {most} processes a cell"),
    }
}

/// The cells of a run among all: their subjects, if those have no cell of another run.
fn name_cells(cells: &[&Cell], run: usize) -> String {
    let (own, others): (Vec<&Cell>, Vec<&Cell>) = cells.iter().partition(|cell| cell.run == run);
    let subjects = distinct(own.iter().filter_map(|cell| cell.subject()));
    let is_apart = |cell: &&Cell| cell.subject().is_none_or(|one| !subjects.contains(&one));
    match !subjects.is_empty() && others.iter().all(is_apart) {
        true => format!("`{}`", subjects.join("`, `")),
        false => format!("{} of {} cells", own.len(), cells.len()),
    }
}
