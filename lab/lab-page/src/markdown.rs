//! Writes a table in Markdown, folded: the figures, and what they need to be read.

use std::fmt::Write;

use crate::figure::{Unit, ratio_text};
use crate::grid::{Column, Grid};
use crate::query::distinct;
use crate::results::{Cell, Results};
use crate::tables::Table;

/// The section of a table.
pub fn table<'r>(table: &'r Table<'r>, results: &'r Results) -> String {
    let mut text = format!("<details><summary>{}</summary>\n\n", escaped(&table.title));
    if !table.caption.is_empty() {
        text += &format!("{}\n\n", table.caption);
    }
    let grid = Grid::new(table, results);
    let mut notes = Vec::new();
    if !grid.columns.is_empty() && !grid.rows.is_empty() {
        text += &figures(&grid, &mut notes);
    }
    for (index, note) in notes.iter().enumerate() {
        let _ = writeln!(text, "\\[{}\\] {}\n", index + 1, escaped(note));
    }
    text += &not_measured(&grid.missing);
    text + &stamp(results, &grid.cells) + "\n\n</details>\n"
}

/// `Measured on 2026-11-23 and 2026-11-24, 3 processes a cell.`
fn stamp(results: &Results, cells: &[&Cell]) -> String {
    let measured = || cells.iter().filter(|cell| cell.unavailable.is_none());
    let mut days = distinct(measured().map(|cell| results.runs[cell.run].date.as_str()));
    days.sort_unstable();
    let counts = || measured().map(|cell| cell.processes);
    let processes = match (counts().min().unwrap_or(0), counts().max().unwrap_or(0)) {
        (1, 1) => "one process a cell".to_owned(),
        (least, most) if least == most => format!("{least} processes a cell"),
        (least, most) => format!("{least} to {most} processes a cell"),
    };
    match days.is_empty() {
        true => "Not measured.".to_owned(),
        false => format!("Measured on {}, {processes}.", days.join(" and ")),
    }
}

/// How to read the tables.
pub const LEGEND: &str = "\
- A time is the **fastest window** of all processes, and on several threads the **median** of those \
in which all threads worked at the same time, minus that of the row `floor`: the same loop \
without an allocator (`floor-arena` for arenas, which give nothing back block by block). The rows \
of the floors show what was subtracted; nothing is from more threads than cores. The results have \
the median, the 99th percentile and the slowest window, too.
- `(2.0x)`: twice the time of `system`, both without the floor. (Tables of wrappers and of \
prefetching have `none` and `off` in its place.)
- `(≈1.1x)`: noise. The time differs from that of `system` by no more than `system-again` does, \
which is `system` measured once more.
- **Bold**: the best of a column, and every time that exceeds it by no more than the factor between \
`system` and `system-again`. If more than half of the measured allocators qualify, or if \
`system` is not above its floor, no cell is bold.
- `†`: there is no floor to subtract, so the loop is in the time and in the ratio.
- `FAIL`: requests or the whole scenario failed, as the note says; such a row has no figures.
- `*`: more threads than the machine has cores.
- `0 ns`: no slower than the loop alone.
";

/// The mark of a footnote, a reason or a note of single cells.
fn mark(notes: &mut Vec<String>, note: String) -> String {
    let known = notes.iter().position(|one| *one == note);
    let index = known.unwrap_or_else(|| {
        notes.push(note);
        notes.len() - 1
    });
    format!(" \\[{}\\]", index + 1)
}

fn figures(grid: &Grid, notes: &mut Vec<String>) -> String {
    let comparison = grid.cells.iter().find_map(|cell| cell.comparison());
    let mut text = format!(
        "| {} |",
        comparison.map_or("", |(comparison, _)| comparison.axis)
    );
    let mut line = "|---|".to_owned();
    for column in &grid.columns {
        let crowd = if column.is_crowd() { " \\*" } else { "" };
        let gross = if column.is_gross() { " †" } else { "" };
        let _ = write!(text, " {}{crowd}{gross} |", escaped(&column.head));
        line += "---:|";
    }
    let _ = writeln!(text, "\n{line}");
    let marks = grid
        .columns
        .iter()
        .map(|column| (column.winners(), column.is_gross()));
    let marks: Vec<_> = marks.collect();
    for (index, row) in grid.rows.iter().enumerate() {
        let _ = write!(text, "| {} |", escaped(row));
        for (column, (winners, is_gross)) in grid.columns.iter().zip(&marks) {
            let cell = column.cells[index].map_or_else(String::new, |cell| {
                let text = cell_text(column, cell, winners[index], *is_gross, notes);
                match &cell.note {
                    Some(note) if !text.is_empty() => text + &mark(notes, note.clone()),
                    _ => text,
                }
            });
            let _ = write!(text, " {cell} |");
        }
        text.push('\n');
    }
    text + "\n"
}

/// What stands in place of a figure: a failure, or a reason with a footnote.
fn missing_text(cell: &Cell, notes: &mut Vec<String>) -> Option<String> {
    if let Some(message) = &cell.failure {
        // The message may be the whole output of another program.
        let first = message.lines().next().unwrap_or_default();
        return Some("FAIL".to_owned() + &mark(notes, first.to_owned()));
    }
    if let Some(reason) = &cell.unavailable {
        return Some("-".to_owned() + &mark(notes, reason.clone()));
    }
    None
}

fn cell_text(
    column: &Column,
    cell: &Cell,
    wins: bool,
    is_gross_column: bool,
    notes: &mut Vec<String>,
) -> String {
    if let Some(text) = missing_text(cell, notes) {
        return text;
    }
    let figure = &column.figure;
    let Some(shown) = column.shown(cell) else {
        return String::new();
    };
    let mut text = figure.unit.text(shown);
    if wins {
        text = format!("**{text}**");
    }
    if figure.unit != Unit::Time {
        return text;
    }
    let is_net = column.net(cell).is_some();
    let comparison = cell.comparison();
    let is_floor = comparison.is_none_or(|(comparison, value)| comparison.is_floor(value));
    if figure.is_net && !is_net && !is_floor && !is_gross_column {
        text += " †";
    }
    let is_baseline = comparison.is_some_and(|(comparison, value)| value == comparison.baseline);
    match column.ratio(cell) {
        Some(ratio) if !is_baseline => {
            let noise = if ratio.is_noise { "≈" } else { "" };
            format!("{text} ({noise}{})", ratio_text(ratio.value))
        }
        _ => text,
    }
}

/// The rows without a figure: `` `floor`, `floor-arena` (the floor has no memory to touch) ``.
fn not_measured(rows: &[(&str, &str)]) -> String {
    let reasons = distinct(rows.iter().map(|(_, reason)| *reason));
    let texts = reasons.into_iter().map(|reason| {
        let names = rows.iter().filter(|(_, other)| *other == reason);
        let names: Vec<_> = names.map(|(name, _)| format!("`{name}`")).collect();
        format!("{} ({})", names.join(", "), escaped(reason))
    });
    let texts = texts.collect::<Vec<_>>().join("; ");
    match rows {
        [] => String::new(),
        _ => format!("Not measured: {texts}.\n\n"),
    }
}

/// Text from outside, harmless in a table and between markers.
pub fn escaped(text: &str) -> String {
    let lines: Vec<&str> = text.split_whitespace().collect();
    let line = lines.join(" ");
    line.replace('|', "\\|")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
