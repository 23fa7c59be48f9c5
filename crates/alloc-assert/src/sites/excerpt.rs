//! An excerpt of code as rustc shows it: a line with the call underlined, and its caller.

use std::fs;
use std::path::PathBuf;

use alloc_symbols::names::{call_length, in_view};

/// A line of code in its file.
pub(super) struct Code {
    pub(super) file: PathBuf,
    /// From 1.
    pub(super) line: usize,
    /// From 1, in bytes, if it is known.
    pub(super) column: Option<usize>,
}

/// The lines of an excerpt, with an empty one at the end. `None` if the file can't be read.
pub(super) fn excerpt(
    place: &str,
    code: &Code,
    label: &str,
    called_by: Option<String>,
) -> Option<Vec<String>> {
    let text = fs::read_to_string(&code.file).ok()?;
    let text = text.lines().nth(code.line.checked_sub(1)?)?.trim_end();
    let first = text.len() - text.trim_start().len();
    let column = code.column.map_or(first, |column| column.saturating_sub(1));
    let (before, after) = text
        .split_at_checked(column)
        .unwrap_or(text.split_at(first));
    let (call, behind) = after.split_at(call_length(after));
    let [before, call, behind] = in_view([before, call, behind]);
    // Tabs stay, so that the caret is below the call.
    let indent = before
        .chars()
        .map(|one| if one == '\t' { one } else { ' ' });
    let indent: String = indent.collect();
    let carets = "^".repeat(call.chars().count().max(1));
    let number = code.line.to_string();
    let margin = " ".repeat(number.len());
    let mut lines = vec![
        format!("{margin}--> {place}"),
        format!("{margin} |"),
        format!("{number} | {before}{call}{behind}"),
        format!("{margin} | {indent}{carets} {label}"),
    ];
    if let Some(caller) = called_by {
        lines.push(format!("{margin} |"));
        lines.push(format!("{margin} = called by: {caller}"));
    }
    lines.push(String::new());
    Some(lines)
}
