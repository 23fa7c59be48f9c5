//! The heat map: each subject in each workload, compared with `system`; as a table of Markdown,
//! and for terminals.

pub mod picture;

mod colours;

use crate::figure::ratio_text;
use crate::summary::{BASELINE, Column, Score, Summary};

/// Explains the marks.
const KEY: &str = "0.50x takes half the time of the system's allocator. ≈: within the noise, which \
                   the row of the system's allocator shows. -: not measured. *: some cells of \
                   the workload are missing.";

/// How a cell looks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum CellStyle {
    /// A ratio outside of the noise.
    Ratio(f64),
    /// Within the noise.
    Noise,
    /// Requests failed.
    Fail,
    /// No figure.
    Missing,
}

/// A cell of a subject; that of the baseline has the noise of its column.
fn cell(summary: &Summary, column: &Column, subject: &str) -> (String, CellStyle) {
    if subject == BASELINE {
        return match column.noise {
            Some(noise) if noise < 2.0 => {
                (format!("±{:.0}%", (noise - 1.0) * 100.0), CellStyle::Noise)
            }
            Some(noise) => (format!("×{noise:.1}"), CellStyle::Noise),
            None => ("1x".to_owned(), CellStyle::Missing),
        };
    }
    match summary.score(column, subject) {
        Score::Ratio { ratio, is_partial } => {
            let star = if is_partial { "*" } else { "" };
            match column.is_noise(ratio) {
                true => (format!("≈{}{star}", ratio_text(ratio)), CellStyle::Noise),
                false => (ratio_text(ratio) + star, CellStyle::Ratio(ratio)),
            }
        }
        Score::Failed => ("FAIL".to_owned(), CellStyle::Fail),
        Score::NotMeasured => ("-".to_owned(), CellStyle::Missing),
    }
}

/// The columns in the order of the map: with one thread, then with several.
fn columns(summary: &Summary) -> Vec<&Column> {
    let mut columns: Vec<&Column> = summary.columns.iter().collect();
    columns.sort_by_key(|column| column.has_threads);
    columns
}

/// The heat map for a terminal: a line for each workload, a column for each subject.
pub fn terminal(summary: &Summary) -> String {
    let mut lines = vec![(String::new(), summary.subjects.clone())];
    lines.extend(columns(summary).into_iter().map(|column| {
        let subjects = summary.subjects.iter();
        let cells = subjects.map(|subject| cell(summary, column, subject).0);
        (column.heading(), cells.collect())
    }));
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
    let columns = columns(summary);
    let headings = columns.iter().map(|column| column.heading() + " |");
    let headings = headings.collect::<Vec<_>>().join(" ");
    let mut out = format!("| | {headings}\n|---|{}\n", "---:|".repeat(columns.len()));
    for subject in &summary.subjects {
        out += &format!("| {subject} |");
        for column in &columns {
            out += &format!(
                " {} |",
                cell(summary, column, subject).0.replace('*', "\\*")
            );
        }
        out += "\n";
    }
    let key = KEY.replace('*', "\\*").replace("-:", "\\-:");
    let key = key.replace("the system's allocator", &format!("`{BASELINE}`"));
    format!("{out}\n{key}\n")
}
