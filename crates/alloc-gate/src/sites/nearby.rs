//! [`Nearby`]: an edit in a function on the way to what allocates, where no call stack goes
//! through an edited line: a buffer that was made with a capacity, for example, grows elsewhere.

use std::ops::RangeInclusive;

use alloc_symbols::Frame;

use crate::sites::amounts::Amounts;
use crate::sites::changes::Changes;
use crate::sites::site::Line;

/// An edit in a function that calls what allocates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearby {
    /// The first line of the edit; if lines were only removed, the one above them.
    pub line: Line,
    /// The first of the lines that were removed.
    pub removed: Option<String>,
    /// Whether no line came in place of the removed ones.
    pub is_removal: bool,
    /// The operations of the stacks through the function.
    pub amounts: Amounts,
}

/// The edit in the innermost function of a stack that has one, without its place in figures.
/// `frames` are those of members, innermost first, with the paths that reports show; `texts`
/// finds the text of such a file.
pub(super) fn nearby<'f>(
    frames: impl Iterator<Item = (&'f Frame, String)>,
    changes: &Changes,
    mut texts: impl FnMut(&str) -> Option<String>,
) -> Option<Nearby> {
    for (frame, file) in frames {
        let Some(at) = frame.line else {
            continue;
        };
        if !changes.has_edits_in(&file) {
            continue;
        }
        let source = texts(&file)?;
        let lines: Vec<&str> = source.lines().collect();
        let around = function_around(&lines, at);
        // Code that is indented in another way can look as if it were in another function. The
        // names of closures and of async bodies have braces.
        let is_it = |name: &str| frame.function.contains(name) || frame.function.contains('{');
        let Some((name, body)) = around.filter(|(name, _)| is_it(name)) else {
            continue;
        };
        let Some(edit) = changes.edit_in(&file, &body, at) else {
            continue;
        };
        let text = |line: u32| {
            lines
                .get(usize::try_from(line).ok()?.checked_sub(1)?)
                .copied()
        };
        let mut new = edit.new.lines();
        let is_code = |line: &u32| text(*line).is_some_and(is_code);
        let first = *new.start();
        let line = new.find(is_code).unwrap_or(first);
        return Some(Nearby {
            line: Line {
                text: text(line).map(str::to_owned),
                file,
                line,
                column: None,
                function: name.to_owned(),
            },
            removed: edit.removed.first().cloned(),
            is_removal: edit.new.is_empty(),
            amounts: Amounts::default(),
        });
    }
    None
}

fn is_code(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with("//") && line.contains(char::is_alphanumeric)
}

/// The name and the lines of the function around a line, as rustfmt indents it.
fn function_around<'s>(lines: &[&'s str], at: u32) -> Option<(&'s str, RangeInclusive<u32>)> {
    let at = usize::try_from(at).ok()?.checked_sub(1)?;
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut inside = indentation(lines.get(at)?) + 1;
    for (begin, line) in lines.get(..=at)?.iter().enumerate().rev() {
        let text = line.trim_start();
        if text.is_empty() || indentation(line) >= inside {
            continue;
        }
        if let Some(name) = function_name(text) {
            let depth = indentation(line);
            let rest = lines.get(at..)?.iter();
            let is_end =
                |line: &&str| line.trim_start().starts_with('}') && indentation(line) == depth;
            let end = at + rest.clone().position(is_end)?;
            let number = |index: usize| u32::try_from(index + 1).ok();
            return Some((name, number(begin)?..=number(end)?));
        }
        // The end of a header is not around the line.
        if text != "{" && !text.starts_with("where") && !text.starts_with(')') {
            inside = indentation(line);
        }
    }
    None
}

/// The name in the first line of a function.
fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_header = before.split_whitespace().all(|word| {
        word.starts_with("pub") || matches!(word, "const" | "async" | "unsafe" | "extern" | "\"C\"")
    });
    let end = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (is_header && end > 0).then(|| &after[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_around_a_line_is_known_by_its_indentation() {
        let source = "\
impl Record {
    pub(crate) fn trim(
        &mut self,
        fields: &[&str],
    ) -> usize {
        let mut trimmed = Record::new();

        for field in fields {
            trimmed.push(
                field,
            );
        }
        trimmed.len()
    }

    fn other() {}
}

fn last() {
    call();
}
";
        let lines: Vec<&str> = source.lines().collect();
        for (line, expected) in [
            (6, Some(("trim", 2..=14))),
            (10, Some(("trim", 2..=14))),
            (13, Some(("trim", 2..=14))),
            (20, Some(("last", 19..=21))),
            (1, None),
            (99, None),
        ] {
            assert_eq!(function_around(&lines, line), expected, "{line}");
        }
    }
}
