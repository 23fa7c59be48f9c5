//! Writes a table in Markdown: the values, and what they need to be read.

use std::fmt::Write;

use crate::grid::{Column, Grid};
use crate::query::distinct;
use crate::results::{Cell, Results};
use crate::tables::{self, Table};
use crate::value::{Unit, ratio_text};

/// All tables that have something measured, each below its heading.
pub fn tables(results: &Results) -> String {
    let is_measured = |table: &&Table| {
        let mut cells = results.cells.iter();
        cells.any(|cell| table.has(cell) && cell.unavailable.is_none())
    };
    let tables = tables::all();
    let tables = tables.iter().filter(is_measured);
    tables
        .map(|one| table(one, results))
        .collect::<Vec<_>>()
        .join("\n")
}

pub fn table(table: &Table, results: &Results) -> String {
    let mut text = format!("## {}\n\n", table.title);
    if !table.caption.is_empty() {
        text += &format!("{}\n\n", table.caption);
    }
    let grid = Grid::new(table, results);
    let mut notes = Vec::new();
    text += &rows(&grid, &mut notes);
    for (index, note) in notes.iter().enumerate() {
        let _ = write!(text, "\n\\[{}\\] {}\n", index + 1, escaped(note));
    }
    for reason in distinct(grid.missing.iter().map(|(_, reason)| reason)) {
        let rows = grid.missing.iter().filter(|(_, other)| other == reason);
        let rows: Vec<String> = rows.map(|(row, _)| format!("`{row}`")).collect();
        let _ = write!(
            text,
            "\nNot measured ({}): {}.\n",
            escaped(reason),
            rows.join(", ")
        );
    }
    text
}

/// The mark of a footnote, a reason or a note of single cells.
fn mark(notes: &mut Vec<String>, note: &str) -> String {
    // The message of a failure may be the whole output of another program.
    let note = note.lines().next().unwrap_or_default();
    let known = notes.iter().position(|one| *one == note);
    let index = known.unwrap_or_else(|| {
        notes.push(note.to_owned());
        notes.len() - 1
    });
    format!(" \\[{}\\]", index + 1)
}

fn rows(grid: &Grid, notes: &mut Vec<String>) -> String {
    let comparison = grid.cells.iter().find_map(|cell| cell.comparison());
    let axis = comparison.map_or("", |one| one.axis);
    let mut text = format!("| {axis} |");
    let mut line = "|---|".to_owned();
    let mut winners = Vec::new();
    for column in &grid.columns {
        let crowd = if column.is_crowd() { " \\*" } else { "" };
        let gross = if column.is_gross() { " †" } else { "" };
        let _ = write!(text, " {}{crowd}{gross} |", column.head);
        line += "---:|";
        winners.push(column.winners());
    }
    let _ = writeln!(text, "\n{line}");
    for (index, row) in grid.rows.iter().enumerate() {
        let _ = write!(text, "| {row} |");
        for (column, winners) in grid.columns.iter().zip(&winners) {
            let cell = column.cells[index].map_or_else(String::new, |cell| {
                let text = cell_text(column, cell, winners[index], notes);
                match &cell.note {
                    Some(note) if !text.is_empty() => text + &mark(notes, note),
                    _ => text,
                }
            });
            let _ = write!(text, " {cell} |");
        }
        text.push('\n');
    }
    text
}

/// A value with its marks; in its place a failure, or a reason, each with a footnote.
fn cell_text(column: &Column, cell: &Cell, wins: bool, notes: &mut Vec<String>) -> String {
    if let Some(message) = &cell.failure {
        return "FAIL".to_owned() + &mark(notes, message);
    }
    if let Some(reason) = &cell.unavailable {
        return "-".to_owned() + &mark(notes, reason);
    }
    let Some(shown) = column.shown(cell) else {
        return String::new();
    };
    let text = column.value.unit.text(shown);
    let text = if wins { format!("**{text}**") } else { text };
    if column.value.unit != Unit::Time {
        return text;
    }
    let is_baseline = cell
        .comparison()
        .is_some_and(|one| one.value == one.baseline);
    match column.ratio(cell) {
        Some(ratio) if !is_baseline => {
            let noise = if ratio.is_noise { "≈" } else { "" };
            format!("{text} ({noise}{})", ratio_text(ratio.value))
        }
        _ => text,
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
