//! What a bench printed, marked line by line: it can't be mistaken for a message of the program,
//! change the terminal, or give commands to a CI system.

use alloc_gate::one_line;
use anstream::adapter::strip_str;

/// The most lines that are shown of a bench that failed.
const MAX_LINES: usize = 40;

/// The end of a bench's output, or the whole of it.
pub(crate) fn excerpt(name: &str, output: &str, whole: bool) -> String {
    let lines = lines(output);
    let skipped = match whole {
        true => 0,
        false => lines.len().saturating_sub(MAX_LINES),
    };
    let mut text = format!("--- output of {name}");
    if skipped > 0 {
        text.push_str(&format!(", its last {MAX_LINES} lines"));
    }
    text.push_str(&marked(&lines[skipped..]));
    text.push_str("\n---");
    text
}

/// A message of a bench, on marked lines of its own.
pub(crate) fn quoted(message: &str) -> String {
    marked(&lines(message))
}

/// Marks lines: CI systems read commands at the beginning of a line, even after spaces.
fn marked(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  | {line}")).collect()
}

/// The lines without control characters. A carriage return ends a line, because
/// terminals and CI systems start a new line there.
fn lines(text: &str) -> Vec<String> {
    let text = strip_str(text).to_string().replace("\r\n", "\n");
    let mut lines: Vec<String> = text.split(['\n', '\r']).map(printable).collect();
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// A line whose tabs stay.
fn printable(line: &str) -> String {
    let parts: Vec<String> = line.split('\t').map(one_line).collect();
    parts.join("\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_a_bench_begins_at_the_margin() {
        assert_eq!(
            quoted("a\r\n::error::b\rc\u{1b}[31mred\u{1b}[0m\u{9b}2J\td\n\ne\n"),
            "\n  | a\n  | ::error::b\n  | cred\\u{9b}2J\td\n  | \n  | e"
        );
        assert_eq!(quoted(""), "");
    }

    #[test]
    fn only_the_end_is_shown() {
        let output: String = (1..=42).map(|line| format!("{line}\n")).collect();
        let shown = excerpt("demo/a", &output, false);
        assert!(shown.starts_with("--- output of demo/a, its last 40 lines\n  | 3\n"));
        assert!(shown.ends_with("\n  | 42\n---"));
        assert!(excerpt("demo/a", &output, true).starts_with("--- output of demo/a\n  | 1\n"));
    }
}
