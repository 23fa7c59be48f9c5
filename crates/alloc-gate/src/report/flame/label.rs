//! Short forms of function names: [`label`] and [`crate_of`].

/// The longest form of a function's name that has at most `columns` columns; `None` if there is
/// no room for any.
pub(super) fn label(function: &str, columns: usize) -> Option<String> {
    if width(function) <= columns {
        return Some(function.to_owned());
    }
    let path = without_generics(function);
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

/// The crate that a function's name begins with. `None` for functions without one, such as
/// `main` and those of C.
pub(super) fn crate_of(function: &str) -> Option<&str> {
    let name = match qualified(function) {
        // `<T as core::convert::Into<U>>::into`: the crate of the trait, if the type has none.
        Some((own, of_trait, _)) => match (first_segment(own), of_trait) {
            (None, Some(of_trait)) => of_trait,
            _ => own,
        },
        None => function,
    };
    first_segment(name)
}

/// `alloc` of `&mut alloc::vec::Vec<T>`.
fn first_segment(path: &str) -> Option<&str> {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let (before, _) = path.split_once("::")?;
    let name = before.rsplit(|c| !is_of_name(c)).next()?;
    // A bracket before it: the path is an argument of a type without a crate.
    let is_argument = before[..before.len() - name.len()].contains('<');
    (!is_argument && !name.is_empty()).then_some(name)
}

/// The parts of `<Type as Trait>::rest`; the trait is optional.
fn qualified(function: &str) -> Option<(&str, Option<&str>, &str)> {
    let inner = function.strip_prefix('<')?;
    let is_end = |p: &Position| p.depth == 0 && p.is_bracket && p.character == '>';
    let end = positions(inner).find(is_end)?.at;
    let (inside, rest) = (&inner[..end], &inner[end + 1..]);
    let is_split = |p: &Position| p.depth == 0 && inside[p.at..].starts_with(" as ");
    Some(match positions(inside).find(is_split) {
        Some(Position { at, .. }) => (&inside[..at], Some(&inside[at + 4..]), rest),
        None => (inside, None, rest),
    })
}

/// A character of a path.
struct Position {
    at: usize,
    character: char,
    /// The number of angle brackets that are open before it.
    depth: usize,
    is_bracket: bool,
}

fn positions(text: &str) -> impl Iterator<Item = Position> {
    let mut open = 0_usize;
    let mut last = ' ';
    text.char_indices().map(move |(at, character)| {
        let depth = open;
        // The arrow of a function type is no bracket.
        let is_bracket = character == '<' || (character == '>' && last != '-');
        if is_bracket {
            open = match character {
                '<' => open + 1,
                _ => open.saturating_sub(1),
            };
        }
        last = character;
        Position {
            at,
            character,
            depth,
            is_bracket,
        }
    })
}

/// `alloc::vec::Vec::push` of `<alloc::vec::Vec<T>>::push` and of
/// `alloc::vec::Vec<T,A>::push`.
fn without_generics(function: &str) -> String {
    if let Some((own, _, rest)) = qualified(function) {
        return without_generics(own) + &plain(rest);
    }
    plain(function)
}

fn plain(path: &str) -> String {
    let mut plain = String::with_capacity(path.len());
    for position in positions(path) {
        match position.is_bracket {
            // The colons of `parse::<u8>`.
            true if plain.ends_with("::") => plain.truncate(plain.len() - 2),
            false if position.depth == 0 => plain.push(position.character),
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crate_of_a_function_is_that_of_its_type_or_of_its_trait() {
        for (function, name) in [
            ("codec::text::encode", Some("codec")),
            ("codec::text::encode::{closure#0}", Some("codec")),
            ("<codec::Text as core::fmt::Display>::fmt", Some("codec")),
            (
                "<&mut codec::Text as core::fmt::Display>::fmt",
                Some("codec"),
            ),
            ("<T as core::convert::Into<codec::U>>::into", Some("core")),
            ("<[T] as alloc::slice::Concat<V>>::concat", Some("alloc")),
            ("<dyn codec::Sink>::put", Some("codec")),
            ("<alloc::vec::Vec<codec::T>>::push", Some("alloc")),
            ("alloc::slice::<impl [T]>::into_vec", Some("alloc")),
            ("<fn(u8) -> codec::T as codec::F>::call", Some("codec")),
            ("main", None),
            ("_start", None),
            ("", None),
            ("::", None),
            ("<", None),
        ] {
            assert_eq!(crate_of(function), name, "{function}");
        }
    }

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
