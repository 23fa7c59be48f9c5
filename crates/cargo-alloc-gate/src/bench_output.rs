//! The output of a bench, marked line by line: it can't be mistaken for a message of the
//! program, change the terminal, or give commands to a CI system.

use alloc_gate::one_line;
use anstream::adapter::strip_str;

/// The most lines that are shown of a bench that failed.
const MAX_LINES: usize = 40;

/// The end of a bench's output, or the whole of it.
pub(crate) fn excerpt(name: &str, output: &str, whole: bool) -> String {
    let mut lines = lines(output);
    let mut skipped = 0;
    if !whole {
        lines = without_stacks(lines);
        skipped = lines.len().saturating_sub(MAX_LINES);
    }
    let mut text = format!("--- output of {name}");
    if skipped > 0 {
        text.push_str(&format!(", its last {MAX_LINES} lines"));
    }
    text.push_str(&marked(&lines[skipped..]));
    text.push_str("\n---");
    text
}

/// The lines without the frames of panics' stacks, which std prints if the caller's
/// `RUST_BACKTRACE` says so.
fn without_stacks(lines: Vec<String>) -> Vec<String> {
    let is_frame = |line: &str| {
        let line = line.trim_start();
        let (number, rest) = line.split_once(':').unwrap_or_default();
        line.starts_with("at ") || number.parse::<u32>().is_ok() && rest.starts_with(' ')
    };
    let mut kept = Vec::new();
    let mut lines = lines.into_iter().peekable();
    while let Some(line) = lines.next() {
        if line != "stack backtrace:" {
            kept.push(line);
            continue;
        }
        let mut frames = 0;
        while lines.next_if(|line| is_frame(line)).is_some() {
            frames += 1;
        }
        kept.push(format!("{line} {frames} lines; `-v` shows them"));
        lines.next_if(|line| line.starts_with("note: Some details are omitted"));
    }
    kept
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

    #[test]
    fn stacks_are_one_line_unless_all_is_asked_for() {
        let output = "thread 'main' panicked at a.rs:1:2:\nno more\nstack backtrace:
   0: core::panicking::panic_fmt
             at /rustc/5980/library/core/src/panicking.rs:80:14
   1: main
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
later\n";
        let shown = "--- output of demo/a
  | thread 'main' panicked at a.rs:1:2:
  | no more
  | stack backtrace: 3 lines; `-v` shows them
  | later
---";
        assert_eq!(excerpt("demo/a", output, false), shown);
        assert_eq!(excerpt("demo/a", output, true).lines().count(), 10);
    }
}
