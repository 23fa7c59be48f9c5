//! The writers of documents. Only they make text from outside harmless.

use alloc_symbols::names::{call_length, in_view};

use crate::printable::one_line;
use crate::report::document::{Excerpt, Inline, Line};
use crate::sites::location;

mod html;
mod markdown;
mod terminal;

pub(super) use html::write as html;
pub(super) use markdown::{page, write as markdown};
pub(super) use terminal::{plain, write as terminal};

/// Text from outside: a name, a path, a line of code, a message. Only the writers beside this
/// file can read it, and each makes it harmless in its own way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::report) struct Foreign(String);

impl Foreign {
    fn text(&self) -> &str {
        &self.0
    }
}

impl<T: Into<String>> From<T> for Foreign {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

/// The code before the call, the call, and the code behind it, as far as they are shown. The place of
/// the call can move, if characters before it are escaped.
fn around_call(excerpt: &Excerpt) -> [String; 3] {
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
    in_view([&one_line(before), call, behind])
}

impl Excerpt {
    /// `src/text.rs:53:21`.
    pub(in crate::report) fn place(&self) -> String {
        location(self.file.text(), Some(self.line), self.column)
    }

    /// What a page says below the code, each with the words in front of it.
    fn notes(&self) -> impl Iterator<Item = (&'static str, Line)> {
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
