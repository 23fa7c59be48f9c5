//! The call that an excerpt is about.

use alloc_symbols::names::call_length;

use crate::printable::one_line;
use crate::report::document::Excerpt;

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
