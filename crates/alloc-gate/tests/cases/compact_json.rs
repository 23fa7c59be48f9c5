//! A JSON report in a compact layout: a value that fits into a line stands on one.
//!
//! `serde_json` prints each field on a line of its own, and a report of a few scenarios
//! has hundreds of lines. This module joins them again, up to [`WIDTH`] characters a line.
//! Only line breaks and indentation change: keys, their order, values and escapes are kept
//! as they are.

/// The most characters of a line, without its indentation.
const WIDTH: usize = 140;

/// The text of `pretty`, which `serde_json` printed, in fewer lines.
///
/// A line that ends inside a string would end with a quote, so a bracket at the end of a
/// line opens a value.
pub(crate) fn reprint(pretty: &str) -> String {
    let is_open = |line: &str| line.ends_with(['{', '[']);
    let is_close = |line: &str| line.trim_start().starts_with(['}', ']']);
    let mut lines: Vec<String> = Vec::new();
    // The numbers of the lines that open a value.
    let mut opened = Vec::new();
    for line in pretty.lines() {
        if is_open(line) {
            opened.push(lines.len());
        }
        lines.push(line.to_owned());
        if is_close(line) {
            let from = opened.pop().expect("a bracket was opened");
            if let [open, members @ .., close] = &lines[from..] {
                let members: Vec<&str> = members.iter().map(|line| line.trim_start()).collect();
                let joined = format!("{open}{}{}", members.join(" "), close.trim_start());
                if joined.trim_start().len() <= WIDTH {
                    lines.truncate(from);
                    lines.push(joined);
                }
            }
        }
    }
    // Neighbors of one indentation share a line as far as they fit.
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut packed: Vec<String> = Vec::new();
    for line in lines {
        let short = line.trim_start();
        match packed.last_mut() {
            Some(last)
                if indent(last) == indent(&line)
                    && ![last.as_str(), short]
                        .into_iter()
                        .any(|l| is_open(l) || is_close(l))
                    && last.trim_start().len() + 1 + short.len() <= WIDTH =>
            {
                *last = format!("{last} {short}");
            }
            Some(_) | None => packed.push(line),
        }
    }
    packed.join("\n") + "\n"
}
