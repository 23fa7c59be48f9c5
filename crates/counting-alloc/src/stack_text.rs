//! [`own_frames`]: the frames of a backtrace that are the program's own, as text.

use std::backtrace::Backtrace;

/// The lines of a backtrace after the last frame that `is_reporter` recognizes, up to the
/// beginning of the thread or of `main`.
pub(crate) fn own_frames(stack: &Backtrace, is_reporter: impl Fn(&str) -> bool) -> String {
    let text = stack.to_string();
    let lines: Vec<_> = text.lines().collect();
    let reporter = lines.iter().rposition(|line| is_reporter(line));
    let after = &lines[reporter.map_or(0, |at| at + 1)..];
    // The file of that function.
    let is_place = |line: &&&str| line.trim_start().starts_with("at ");
    let is_inside = |line: &&&str| !line.contains("__rust_begin_short_backtrace");
    let own = after.iter().skip_while(is_place).take_while(is_inside);
    own.map(|line| format!("{line}\n")).collect()
}
