//! The stamp of a table: when its cells were measured, and which of them are of another run.

use crate::grid::main_run;
use crate::query::distinct;
use crate::results::{Cell, Results, Run};

/// `Measured on 2026-11-23, 3 processes a cell, except `mimalloc` (2026-11-24).`
pub fn stamp(results: &Results, cells: &[&Cell]) -> String {
    let measured: Vec<&Cell> = cells
        .iter()
        .copied()
        .filter(|cell| cell.unavailable.is_none())
        .collect();
    let Some(main) = main_run(&measured) else {
        return "Not measured.".to_owned();
    };
    let exceptions = distinct(measured.iter().map(|cell| cell.run))
        .into_iter()
        .filter(|&run| run != main)
        .map(|run| {
            let cells = name_cells(&measured, run);
            format!(
                "{cells} ({})",
                differences(&results.runs[main], &results.runs[run])
            )
        });
    let exceptions: Vec<_> = exceptions.collect();
    let mut text = format!(
        "Measured on {}{}, {}",
        date(&results.runs[main]),
        quick(&results.runs[main]),
        processes(&measured)
    );
    if !exceptions.is_empty() {
        text += &format!(", except {}", exceptions.join("; "));
    }
    text + "."
}

fn date(run: &Run) -> &str {
    match run.date.as_str() {
        "" => "an unknown day",
        date => date,
    }
}

fn quick(run: &Run) -> &'static str {
    match run.quick {
        true => " with `--quick`",
        false => "",
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

/// The cells of a run among all: by an axis whose values have no cell of another run, or by
/// their number.
fn name_cells(cells: &[&Cell], run: usize) -> String {
    let (own, others): (Vec<&Cell>, Vec<&Cell>) = cells.iter().partition(|cell| cell.run == run);
    let axes = own.first().map(|cell| cell.axes.as_slice());
    for (axis, _) in axes.unwrap_or_default() {
        let values = distinct(own.iter().filter_map(|cell| cell.axis(axis)));
        let is_apart = !others
            .iter()
            .any(|cell| cell.axis(axis).is_some_and(|value| values.contains(&value)));
        if is_apart {
            let names = values.iter().map(|value| match axis.as_str() {
                "subject" => format!("`{value}`"),
                _ => format!("`{axis}={value}`"),
            });
            return names.collect::<Vec<_>>().join(", ");
        }
    }
    format!("{} of {} cells", own.len(), cells.len())
}

/// The date of the other run, and what it was measured with instead.
fn differences(main: &Run, other: &Run) -> String {
    let texts = [
        (&main.rustc, &other.rustc),
        (&main.kernel, &other.kernel),
        (&main.libc, &other.libc),
        (&main.target, &other.target),
        (&main.profile, &other.profile),
    ];
    let differing = texts.iter().filter(|(main, other)| main != other);
    let mut text = date(other).to_owned() + quick(other);
    for (main, other) in differing {
        text += &format!(", {other} instead of {main}");
    }
    if main.rustflags != other.rustflags {
        text += &format!(", {} instead of {}", flags(other), flags(main));
    }
    if main.huge_pages != other.huge_pages {
        text += &format!(
            ", huge pages {} instead of {}",
            other.huge_pages, main.huge_pages
        );
    }
    text
}

fn flags(run: &Run) -> String {
    match run.rustflags.as_str() {
        "" => "no `RUSTFLAGS`".to_owned(),
        flags => format!("`{flags}`"),
    }
}
