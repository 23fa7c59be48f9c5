//! The mistakes of TOML itself.

use toml::de::Error;

use crate::diagnostic::{Code, Diagnostic};

/// The mistakes that the parser found.
pub(super) fn diagnostics(errors: &[Error], text: &str) -> Vec<Diagnostic> {
    let list = errors.iter().map(|error| diagnostic(error, text));
    let mut list: Vec<Diagnostic> = list.collect();
    // The keys of a table that stands twice are no further mistakes.
    let is_table = |one: &Diagnostic| text[..one.span.start].ends_with('[');
    if list.iter().any(|one| one.hint.is_some() && is_table(one)) {
        list.retain(|one| one.hint.is_some() || one.message != "duplicate key");
    }
    list
}

fn diagnostic(error: &Error, text: &str) -> Diagnostic {
    let span = error.span().unwrap_or(0..0);
    Diagnostic {
        code: Code::Syntax,
        message: error.message().trim().to_owned(),
        hint: first_one(text, span.start),
        span,
    }
}

/// Says where the header or the key stands that begins on the line of this offset, if it
/// stands there once more.
fn first_one(text: &str, offset: usize) -> Option<String> {
    let name = |line: &str| line.split('=').next().map(|name| name.trim().to_owned());
    let begin = text
        .get(..offset)?
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let again = name(text[begin..].lines().next()?)?;
    let before: Vec<&str> = text[..begin].lines().collect();
    let is_header = again.starts_with('[');
    if is_header && again.starts_with("[[") {
        return None;
    }
    let section = before.iter().rposition(|line| line.starts_with('['));
    let from = if is_header { 0 } else { section.unwrap_or(0) };
    let is_same = |line: &&str| name(line).is_some_and(|name| name == again);
    let first = from + before[from..].iter().position(is_same)?;
    let line = first + 1;
    Some(if is_header {
        format!("the table begins in line {line}; put its keys there")
    } else {
        format!("the key has a value in line {line}; remove one of them")
    })
}
