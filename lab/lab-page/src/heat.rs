//! The heat map: each subject in each workload, compared with `system`, as a table of Markdown whose
//! columns are aligned, for terminals.

use std::iter;

use crate::query::BASELINE;
use crate::summary::{Column, Score, Summary};
use crate::value::ratio_text;

/// Explains the marks.
const KEY: &str = "0.50x takes half the time of `system`. ≈: within the noise, which the column of \
                   `system` shows. -: not measured. *: some cells of the workload are missing.";

/// A cell of a subject. The baseline has the noise of its column.
fn cell(summary: &Summary, column: &Column, subject: &str) -> String {
    if subject == BASELINE {
        return match column.noise {
            Some(noise) if noise < 2.0 => format!("±{:.0}%", (noise - 1.0) * 100.0),
            Some(noise) => format!("×{noise:.1}"),
            None => "1x".to_owned(),
        };
    }
    match summary.score(column, subject) {
        Score::Ratio { ratio, is_partial } => {
            let noise = if column.is_noise(ratio) { "≈" } else { "" };
            let star = if is_partial { "*" } else { "" };
            format!("{noise}{}{star}", ratio_text(ratio))
        }
        Score::Failed => "FAIL".to_owned(),
        Score::NotMeasured => "-".to_owned(),
    }
}

/// A row for each workload, the ones of one thread first, with its heading and a cell for each
/// subject, below their names.
fn rows(summary: &Summary) -> Vec<Vec<String>> {
    let mut columns: Vec<&Column> = summary.columns.iter().collect();
    columns.sort_by_key(|column| column.has_threads);
    let mut rows = vec![[&[String::new()], &*summary.subjects].concat()];
    rows.extend(columns.into_iter().map(|column| {
        let subjects = summary.subjects.iter();
        let cells = subjects.map(|subject| cell(summary, column, subject));
        iter::once(column.heading()).chain(cells).collect()
    }));
    rows
}

pub fn markdown(summary: &Summary) -> String {
    let mut rows = rows(summary);
    for nth in 0..=summary.subjects.len() {
        let width = |row: &Vec<String>| row[nth].chars().count();
        let widest = rows.iter().map(width).max().unwrap_or_default();
        for row in &mut rows {
            row[nth] = format!("{:>widest$}", row[nth]);
        }
    }
    let rows = rows.iter().map(|row| format!("| {} |\n", row.join(" | ")));
    let mut lines: Vec<String> = rows.collect();
    lines.insert(
        1,
        format!("|---|{}\n", "---:|".repeat(summary.subjects.len())),
    );
    format!("{}\n{KEY}\n", lines.concat())
}
