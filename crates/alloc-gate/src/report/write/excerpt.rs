//! The parts of an excerpt: its call, its place and its notes.

use alloc_symbols::names::call_length;

use crate::printable::one_line;
use crate::report::document::{Excerpt, Inline, Line};
use crate::sites::location;

/// The code before the call, the call, and the code behind it. The place of the call can move, if
/// characters before it are escaped.
pub(super) fn around_call(excerpt: &Excerpt) -> [String; 3] {
    let code = excerpt.code.text();
    let column = excerpt
        .column
        .and_then(|column| usize::try_from(column).ok());
    let column = match column.map_or(0, |column| column.saturating_sub(1)) {
        0 => code.len() - code.trim_start().len(),
        column => column.min(code.len()),
    };
    let column = (0..=column).rev().find(|&at| code.is_char_boundary(at));
    let (before, rest) = code.split_at(column.unwrap_or_default());
    let rest = one_line(rest);
    let (call, behind) = rest.split_at(call_length(&rest));
    [one_line(before), call.to_owned(), behind.to_owned()]
}

impl Excerpt {
    /// `src/text.rs:53:21`.
    pub(super) fn place(&self) -> String {
        location(self.file.text(), Some(self.line), self.column)
    }

    /// What a page says below the code, each with the words in front of it.
    pub(super) fn notes(&self) -> impl Iterator<Item = (&'static str, Line)> {
        let before = self.before.clone().map(|code| Inline::Name(code).into());
        let notes = [
            ("before", before),
            ("allocates in", self.allocates_in.clone()),
            ("called by", self.called_by.clone()),
            ("made by", self.made_by.clone()),
        ];
        let notes = notes.into_iter();
        notes.filter_map(|(name, line)| Some((name, line?)))
    }
}
