//! Short forms of function names: [`label`].

use crate::sites::plain_path;

/// The longest form of a function's name that has at most `columns` columns; `None` if there is
/// no room for any.
pub(super) fn label(function: &str, columns: usize) -> Option<String> {
    if width(function) <= columns {
        return Some(function.to_owned());
    }
    let path = plain_path(function);
    let segments: Vec<&str> = path.split("::").collect();
    let last = |count: usize| segments[segments.len().saturating_sub(count)..].join("::");
    let forms = [path.clone(), last(2), last(1)];
    if let Some(form) = forms.iter().find(|form| width(form) <= columns) {
        return Some(form.clone());
    }
    shortened(&forms[2], columns)
}

/// The beginning of a text and an ellipsis; `None` if there is room for less than three columns.
pub(super) fn shortened(text: &str, columns: usize) -> Option<String> {
    if width(text) <= columns {
        return Some(text.to_owned());
    }
    if columns < 3 {
        return None;
    }
    let mut short = String::new();
    for character in text.chars() {
        if width(&short) + columns_of(character) >= columns {
            break;
        }
        short.push(character);
    }
    Some(short + "…")
}

/// The columns of a text. Letters beyond ASCII count as two: some are that wide.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(character: char) -> usize {
    if character.is_ascii() { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_drops_generics_and_then_modules() {
        let vec = "<alloc::vec::Vec<codec::Text>>::push";
        for (function, columns, shown) in [
            (vec, 36, Some(vec)),
            (vec, 35, Some("alloc::vec::Vec::push")),
            (vec, 20, Some("Vec::push")),
            (vec, 8, Some("push")),
            (vec, 3, Some("pu…")),
            (vec, 2, None),
            ("a", 1, Some("a")),
            ("<a::B<u8> as a::C>::put::<u8>", 20, Some("a::B::put")),
            ("a::b::c::{closure#0}", 15, Some("c::{closure#0}")),
            ("a::<impl Fn(u8) -> u8>::b", 10, Some("a::b")),
            ("größe::größe", 12, Some("größe")),
            ("a::größe", 6, Some("grö…")),
            ("a::größe", 5, Some("grö…")),
            ("a::größe", 4, Some("gr…")),
            (">>a::b<<", 4, Some("a::b")),
            ("::", 1, Some("")),
        ] {
            assert_eq!(label(function, columns).as_deref(), shown, "{function}");
        }
    }
}
