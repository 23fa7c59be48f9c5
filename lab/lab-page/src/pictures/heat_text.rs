//! The heat map as text: a table of Markdown, and one for terminals.

use super::heat::{CellStyle, cell, columns};
use crate::summary::{BASELINE, Column, Summary};

/// Explains the marks of the text forms.
const KEY: &str = "0.50x takes half the time of the system's allocator. ≈: within the noise, which \
                   the row of the system's allocator shows. -: not measured. *: some cells of \
                   the workload are missing.";

/// A cell as text: what the picture says by its colours is said by a sign.
fn text((text, style): (String, CellStyle)) -> String {
    match style == CellStyle::Noise && !text.starts_with(['±', '×']) {
        true => format!("≈{text}"),
        false => text,
    }
}

/// The rows: a heading for each workload, and its cells by subject.
fn rows(summary: &Summary) -> Vec<(String, Vec<String>)> {
    let row = |column: &Column| {
        let subjects = summary.subjects.iter();
        let cells = subjects.map(|subject| text(cell(summary, column, subject)));
        (column.heading(), cells.collect())
    };
    columns(summary).into_iter().map(row).collect()
}

/// The heat map for a terminal: a line for each workload, a column for each subject.
pub fn terminal(summary: &Summary) -> String {
    let mut lines = vec![(String::new(), summary.subjects.clone())];
    lines.extend(rows(summary));
    let longest = |texts: &mut dyn Iterator<Item = &String>| {
        let lengths = texts.map(|text| text.chars().count());
        lengths.max().unwrap_or_default()
    };
    let first = longest(&mut lines.iter().map(|(heading, _)| heading));
    let width = |nth| longest(&mut lines.iter().map(|(_, cells)| &cells[nth]));
    let widths: Vec<usize> = (0..summary.subjects.len()).map(width).collect();
    let mut out = String::new();
    for (heading, cells) in &lines {
        let mut line = format!("{heading:first$}");
        for (cell, width) in cells.iter().zip(&widths) {
            line += &format!("  {cell:>width$}");
        }
        out += &format!("{}\n", line.trim_end());
    }
    format!("{out}\n{KEY}\n")
}

/// The heat map as a table of Markdown: a row for each subject, a column for each workload.
pub fn markdown(summary: &Summary) -> String {
    let rows = rows(summary);
    let headings: String = rows
        .iter()
        .map(|(heading, _)| format!(" {heading} |"))
        .collect();
    let mut out = format!("| |{headings}\n|---|{}\n", "---:|".repeat(rows.len()));
    for (nth, subject) in summary.subjects.iter().enumerate() {
        let cells = rows
            .iter()
            .map(|(_, cells)| format!(" {} |", cells[nth].replace('*', "\\*")));
        out += &format!("| {subject} |{}\n", cells.collect::<String>());
    }
    let key = KEY.replace('*', "\\*").replace("-:", "\\-:");
    let key = key.replace("the system's allocator", &format!("`{BASELINE}`"));
    format!("{out}\n{key}\n")
}
