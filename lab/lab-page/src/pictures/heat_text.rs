//! The heat map as text: a table of Markdown, and one for terminals.

use super::heat::{CellStyle, HeatCell, columns};
use crate::summary::{BASELINE, Summary};

/// Explains the marks of the text forms.
const KEY: &str = "0.50x takes half the time of the system's allocator. ≈: within the noise, which \
                   the row of the system's allocator shows. -: not measured. *: some cells of \
                   the workload are missing.";

/// A cell as text: what the picture says by its colours is said by a sign.
fn text(shown: &HeatCell) -> String {
    match (shown.style, shown.text.as_str()) {
        (CellStyle::Noise, text) if !text.starts_with(['±', '×']) => format!("≈{text}"),
        (_, text) => text.to_owned(),
    }
}

/// The rows: a heading for each workload, and its cells by subject.
fn rows(summary: &Summary) -> Vec<(String, Vec<String>)> {
    let subjects = subjects(summary);
    let row = |column| {
        let cells = subjects
            .iter()
            .map(|subject| HeatCell::for_subject(summary, column, subject));
        cells.map(|shown| text(&shown)).collect()
    };
    let columns = columns(summary).into_iter();
    columns
        .map(|column| (column.heading(), row(column)))
        .collect()
}

/// The subjects by family.
fn subjects(summary: &Summary) -> Vec<&str> {
    summary
        .families()
        .flat_map(|(_, subjects)| subjects)
        .collect()
}

/// The heat map for a terminal: a line for each workload, a column for each subject.
#[must_use]
pub fn terminal(summary: &Summary) -> String {
    let mut lines = vec![(
        String::new(),
        subjects(summary).iter().map(ToString::to_string).collect(),
    )];
    lines.extend(rows(summary));
    let width = |texts: &mut dyn Iterator<Item = &String>| {
        texts
            .map(|text| text.chars().count())
            .max()
            .unwrap_or_default()
    };
    let first = width(&mut lines.iter().map(|(heading, _)| heading));
    let count = lines[0].1.len();
    let widths: Vec<usize> = (0..count)
        .map(|nth| {
            width(
                &mut lines
                    .iter()
                    .map(|(_, cells): &(_, Vec<String>)| &cells[nth]),
            )
        })
        .collect();
    let mut out = String::new();
    for (heading, cells) in &lines {
        let mut line = format!("{heading:first$}");
        for (cell, width) in cells.iter().zip(&widths) {
            line.push_str(&format!("  {cell:>width$}"));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    format!("{out}\n{KEY}\n")
}

/// The heat map as a table of Markdown: a row for each subject, a column for each workload.
#[must_use]
pub fn markdown(summary: &Summary) -> String {
    let rows = rows(summary);
    let mut out = String::from("| |");
    for (heading, _) in &rows {
        out.push_str(&format!(" {heading} |"));
    }
    out.push_str("\n|---|");
    out.push_str(&"---:|".repeat(rows.len()));
    out.push('\n');
    for (nth, subject) in subjects(summary).iter().enumerate() {
        out.push_str(&format!("| {subject} |"));
        for (_, cells) in &rows {
            out.push_str(&format!(" {} |", cells[nth].replace('*', "\\*")));
        }
        out.push('\n');
    }
    let key = KEY.replace('*', "\\*").replace("-:", "\\-:");
    let key = key.replace("the system's allocator", &format!("`{BASELINE}`"));
    format!("{out}\n{key}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    #[test]
    fn a_terminal_gets_a_line_for_each_workload() {
        let text = terminal(&Summary::new(&example::results()));
        let (table, key) = text.split_once("\n\n").unwrap();
        assert_eq!(
            table,
            "                     system  mimalloc  jemalloc   talc  buddy  bumpalo    mine\n\
             pair                    ±5%     0.25x         -   1.4x   FAIL    0.10x  0.80x*\n\
             frame                   ±5%     0.50x         -  ≈1.0x      -    0.10x       -\n\
             concurrent             ±25%     0.50x         -   4.0x   3.0x        -       -\n\
             concurrent, threads    ±25%     0.50x         -   4.0x   3.0x        -       -"
        );
        assert!(key.starts_with("0.50x takes half the time"), "{key}");
    }

    #[test]
    fn markdown_gets_a_row_for_each_subject() {
        let text = markdown(&Summary::new(&example::results()));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "| | pair | frame | concurrent | concurrent, threads |"
        );
        assert_eq!(lines[1], "|---|---:|---:|---:|---:|");
        assert_eq!(lines[2], "| system | ±5% | ±5% | ±25% | ±25% |");
        assert_eq!(lines[5], "| talc | 1.4x | ≈1.0x | 4.0x | 4.0x |");
        assert_eq!(lines[8], "| mine | 0.80x\\* | - | - | - |");
        assert_eq!(lines[9], "");
    }
}
