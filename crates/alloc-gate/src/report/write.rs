//! The writers of reports. Only they make text from outside harmless.

use alloc_symbols::names::{call_length, in_view};

use crate::printable::one_line;
use crate::report::text::{Excerpt, Line};
use crate::sites::location;

mod html;
mod markdown;
mod terminal;

pub(super) use html::write as html;
pub(super) use markdown::write as markdown;
pub(super) use terminal::write as terminal;

impl Line {
    /// The line in plain text.
    pub(super) fn plain(&self) -> String {
        self.0.iter().map(|(_, text)| one_line(text)).collect()
    }
}

impl Excerpt {
    /// `src/text.rs:53:21`.
    fn place(&self) -> String {
        location(&self.file, Some(self.line), self.column)
    }

    /// The code before the call, the call, and the code behind it, as far as they are shown. The
    /// place of the call can move, if characters before it are escaped.
    fn around_call(&self) -> [String; 3] {
        let code = &self.code;
        let column = self.column.and_then(|column| usize::try_from(column).ok());
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
}
