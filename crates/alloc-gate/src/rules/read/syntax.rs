//! The mistakes of TOML itself.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use toml::de::Error;

use crate::diagnostic::{Code, Diagnostic};

/// The mistakes that the parser found.
pub(super) fn diagnostics(errors: &[Error], text: &str) -> Vec<Diagnostic> {
    let again = again(text);
    let list = errors.iter().map(|error| {
        let span = error.span().unwrap_or(0..0);
        let before = text.get(..span.start).unwrap_or(text);
        let begin = before.rfind('\n').map_or(0, |at| at + 1);
        let message = error.message().trim().to_owned();
        Diagnostic {
            help: again.get(&begin).cloned(),
            ..Diagnostic::mistake(Code::Syntax, span, message)
        }
    });
    let mut list: Vec<Diagnostic> = list.collect();
    // The keys of a table that stands twice are no further mistakes.
    let is_table = |one: &Diagnostic| text[..one.span().start].ends_with('[');
    if list.iter().any(|one| one.help.is_some() && is_table(one)) {
        list.retain(|one| one.help.is_some() || one.message != "duplicate key");
    }
    list
}

/// For the lines, by their offsets, whose header or key stands above already: where.
fn again(text: &str) -> HashMap<usize, String> {
    let (mut firsts, mut again) = (HashMap::new(), HashMap::new());
    let (mut begin, mut section) = (0, 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_header = line.starts_with('[');
        if is_header {
            section = number;
        }
        let name = line.split('=').next().unwrap_or_default().trim();
        begin += line.len();
        if name.is_empty() {
            continue;
        }
        match firsts.entry((if is_header { None } else { Some(section) }, name)) {
            Entry::Vacant(first) => {
                first.insert(number + 1);
            }
            Entry::Occupied(first) if is_header && !name.starts_with("[[") => {
                let place = format!("the table begins in line {}", first.get());
                again.insert(begin - line.len(), format!("{place}; put its keys there"));
            }
            Entry::Occupied(first) if !is_header => {
                let place = format!("the key has a value in line {}", first.get());
                again.insert(begin - line.len(), format!("{place}; remove one of them"));
            }
            Entry::Occupied(_) => {}
        }
    }
    again
}
