//! What the names of functions say, in both manglings: [`short_name`] and [`crate_of`]; and
//! [`call_length`] of a call in code, and a line around it [`in_view`].

use crate::blame::Frame;

/// The name of a function in a report: the last part of its path, with the type or the trait
/// that it is on, without generic arguments and closures. `Vec::with_capacity`, `format!`.
#[must_use]
pub fn short_name(function: &str) -> String {
    let segments = segments(function);
    if let Some(name) = macro_of(&segments) {
        return name.to_owned();
    }
    let mut last = segments.iter().rev();
    let Some(name) = last.next() else {
        return function.to_owned();
    };
    let is_type = |segment: &&String| {
        segment.starts_with(|c: char| c.is_uppercase() || matches!(c, '[' | '('))
    };
    match last.next().filter(is_type) {
        Some(whose) => format!("{whose}::{name}"),
        None => name.clone(),
    }
}

/// The crate that a function's name begins with. `None` for functions without one, such as
/// `main` and C functions.
#[must_use]
pub fn crate_of(function: &str) -> Option<&str> {
    let name = match qualified(function) {
        // `<T as core::convert::Into<U>>::into`: the crate of the trait, if the type has none.
        Some((own, Some(of_trait))) if first_segment(own).is_none() => of_trait,
        Some((own, _)) => own,
        None => function,
    };
    first_segment(name)
}

/// The crate of a frame's function, by its path; or, as line tables name an inlined function
/// without its path, by the folder of its package: `serde_json-1.0.154/src`.
#[must_use]
pub fn crate_of_frame(frame: &Frame) -> Option<String> {
    if let Some(name) = crate_of(&frame.function) {
        return Some(name.to_owned());
    }
    let file = frame.file.as_deref()?.replace('\\', "/");
    let (folder, _) = file.rsplit_once("/src/")?;
    let folder = folder.rsplit('/').next()?;
    let is_version =
        |&(at, _): &(usize, &str)| folder[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let version = folder.match_indices('-').find(is_version);
    let name = version.map_or(folder, |(at, _)| &folder[..at]);
    Some(name.replace('-', "_"))
}

/// The trait that a method is an implementation of: `Debug` of `<a::B as core::fmt::Debug>::fmt`
/// and of `a::<impl core::fmt::Debug for a::B>::fmt`.
pub(crate) fn implemented_trait(function: &str) -> Option<&str> {
    match qualified(function) {
        Some((_, of_trait)) => last_segment(of_trait?),
        None => split(function).into_iter().find_map(|part| {
            let inside = part.strip_prefix("<impl")?.strip_suffix('>')?;
            trait_of_impl(inside)
        }),
    }
}

/// `Debug` of `<T> core::fmt::Debug for a::B<T>`, which follows the word `impl`.
pub(crate) fn trait_of_impl(header: &str) -> Option<&str> {
    let (path, _) = header.split_at(at_top(header, " for ")?);
    // The first space outside of brackets is that after the parameters of the `impl`.
    let path = at_top(path, " ").map_or(path, |at| &path[at + 1..]);
    last_segment(path)
}

/// The last part of a path, without generic arguments.
fn last_segment(path: &str) -> Option<&str> {
    let last = split(path).pop()?;
    Some(&last[..last.find('<').unwrap_or(last.len())])
}

/// `alloc` of `&mut alloc::vec::Vec<T>`.
fn first_segment(path: &str) -> Option<&str> {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let (before, _) = path.split_once("::")?;
    // A crate can have a hash: `codec[3f2a]`.
    let before = match before.strip_suffix(']').and_then(|it| it.split_once('[')) {
        Some((name, _)) => name,
        None => before,
    };
    let name = before.rsplit(|c| !is_of_name(c)).next()?;
    // A bracket before it: the path is an argument of a type without a crate.
    let is_argument = before[..before.len() - name.len()].contains('<');
    (!is_argument && !name.is_empty()).then_some(name)
}

/// `Type` and `Trait` of `<Type as Trait>::rest`; the trait is optional.
fn qualified(function: &str) -> Option<(&str, Option<&str>)> {
    let first = *split(function).first()?;
    let inside = first.strip_prefix('<')?.strip_suffix('>')?;
    Some(match at_top(inside, " as ") {
        Some(at) => (&inside[..at], Some(&inside[at + " as ".len()..])),
        None => (inside, None),
    })
}

/// The macro, the operator or the step that calls a function which nobody calls by its name.
fn macro_of(segments: &[String]) -> Option<&'static str> {
    let path: Vec<&str> = segments.iter().map(String::as_str).collect();
    match path[..] {
        ["alloc", "fmt", "format"] => Some("format!"),
        ["alloc", "vec", "from_elem"]
        | ["alloc", "slice", .., "into_vec"]
        | [
            "alloc",
            "boxed",
            "box_new" | "box_assume_init_into_vec_unsafe",
        ] => Some("vec!"),
        [.., "from_residual"] => Some("?"),
        [.., "drop_in_place"] => Some("drop"),
        _ => None,
    }
}

/// The path of a function without generic arguments and closures. A type or an `impl` in angle
/// brackets is one segment, the name of the type.
pub(crate) fn segments(function: &str) -> Vec<String> {
    let parts = split(function);
    let mut segments = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let in_brackets = part
            .strip_prefix('<')
            .and_then(|part| part.strip_suffix('>'));
        match in_brackets {
            // The type of a method: `<Vec<u8>>`, `<String as Clone>`, `<impl [T]>`.
            Some(of) if number == 0 || of.starts_with("impl ") => segments.push(type_name(of)),
            // Generic arguments.
            Some(_) => {}
            None => {
                let end = part.find(['<', '{']).unwrap_or(part.len());
                // Closures and shims: `{closure#0}`, and `closure$0` in a PDB.
                if !part[..end].contains('$') {
                    segments.push(part[..end].to_owned());
                }
            }
        }
    }
    segments.retain(|segment| !segment.is_empty());
    segments
}

/// The short name of the type in `<TYPE as TRAIT>` or `<impl TRAIT for TYPE>`.
fn type_name(of: &str) -> String {
    let of = of.strip_prefix("impl ").unwrap_or(of);
    let name = match (at_top(of, " as "), at_top(of, " for ")) {
        (Some(at), _) => &of[..at],
        (None, Some(at)) => &of[at + " for ".len()..],
        (None, None) => of,
    };
    let parts = split(name.trim_start_matches(['&', '*']));
    let last = parts.last().copied().unwrap_or(name);
    let generics = last.find('<');
    let end = generics.filter(|_| !last.starts_with(['<', '[', '(']));
    last[..end.unwrap_or(last.len())].to_owned()
}

/// The parts between `::` that are outside of all brackets.
fn split(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = path;
    while let Some(at) = at_top(rest, "::") {
        parts.push(&rest[..at]);
        rest = &rest[at + 2..];
    }
    parts.push(rest);
    parts
}

/// Where `what` first occurs outside of all brackets.
fn at_top(text: &str, what: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        if depth == 0 && text[at..].starts_with(what) {
            return Some(at);
        }
        match character {
            '<' | '[' | '(' | '{' => depth += 1,
            // The arrow of a function's type is no bracket.
            '>' if before == '-' => {}
            '>' | ']' | ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = character;
    }
    None
}

/// The length of the path of the call that a piece of code begins with:
/// `Vec::<u8>::with_capacity`, `vec!`, `collect`. Of other code, the length of its first character.
#[must_use]
pub fn call_length(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut length = 0;
    for (at, character) in text.char_indices() {
        let is_generic = character == '<' && text[..at].ends_with("::");
        match character {
            _ if is_generic || (character == '<' && depth > 0) => depth += 1,
            '>' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            '_' | ':' => {}
            '!' => return at + 1,
            _ if character.is_alphanumeric() => {}
            _ => break,
        }
        length = at + character.len_utf8();
    }
    match length {
        0 => text.chars().next().map_or(0, char::len_utf8),
        length => length,
    }
}

/// The columns of a line of code at most.
const MOST_COLUMNS: usize = 100;

/// A line of code: what is before a call, the call, and what is behind it. A long line is cut at
/// both ends, so that the call stays in view.
#[must_use]
pub fn in_view([before, call, behind]: [&str; 3]) -> [String; 3] {
    let size = |text: &str| text.chars().count();
    let room = MOST_COLUMNS.saturating_sub(size(call));
    let (left, right) = (size(before.trim_start()), size(behind));
    let [keep_left, keep_right] =
        [right, left].map(|other| room.saturating_sub(other).max(room / 2));
    let mut parts = [before, call, behind].map(str::to_owned);
    if left > keep_left {
        let rest: String = before.chars().skip(size(before) - keep_left).collect();
        parts[0] = format!("...{}", rest.trim_start());
    }
    if right > keep_right {
        let rest: String = behind.chars().take(keep_right).collect();
        parts[2] = format!("{}...", rest.trim_end());
    }
    parts
}

/// The rows of a table with two columns, which `=>` divides.
#[cfg(test)]
pub(crate) fn rows(table: &str) -> impl Iterator<Item = (&str, &str)> {
    let rows = table.lines().map(|row| row.split_once("=>").unwrap());
    rows.map(|(one, other)| (one.trim(), other.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_on_both_sides_of_the_call() {
        let [a, b] = ["a", "b"].map(|text| text.repeat(200));
        let shown = |before: usize, behind: usize| {
            let parts = [&a[..before], "call", &b[..behind]];
            in_view(parts).map(|part| part.len())
        };
        for (before, behind, sizes) in [
            (50, 46, [50, 4, 46]),
            (10, 200, [10, 4, 89]),
            (200, 10, [89, 4, 10]),
            (200, 200, [51, 4, 51]),
        ] {
            assert_eq!(shown(before, behind), sizes);
        }
        let indented = format!("{}    a", "\t".repeat(90));
        assert_eq!(in_view([&indented, "call", "(b)"])[0], indented);
    }

    #[test]
    fn names_are_short_in_both_manglings() {
        let table = "nmx_codec::text::little_endian => little_endian
            nmx_codec::text::encode::<u8> => encode
            nmx_codec::text::encode::{{closure}} => encode
            nmx_codec::text::encode::{closure#0}::{closure#1} => encode
            app::encode::closure$0 => encode
            alloc::vec::Vec<T>::with_capacity => Vec::with_capacity
            <alloc::vec::Vec<u8>>::with_capacity => Vec::with_capacity
            <alloc::vec::Vec<u8, A>>::extend::<fn() -> u8> => Vec::extend
            <alloc::string::String as core::clone::Clone>::clone => String::clone
            <a::B<'_, fn(u8) -> c::D> as core::fmt::Debug>::fmt => B::fmt
            core::iter::traits::iterator::Iterator::collect => Iterator::collect
            alloc::slice::<impl [T]>::to_vec => [T]::to_vec
            alloc::str::<impl alloc::borrow::ToOwned for str>::to_owned => to_owned
            <[u8]>::to_vec => [u8]::to_vec
            alloc::fmt::format => format!
            alloc::fmt::format::{closure#0} => format!
            alloc::slice::<impl [T]>::into_vec => vec!
            alloc::vec::from_elem::<u8> => vec!
            with_capacity<u8> => with_capacity
            <&mut a::B as c::D>::e => B::e
            0x55d0 => 0x55d0
            =>
            <core::result::Result<T, F> as core::ops::FromResidual<R>>::from_residual => ?
            core::ptr::drop_in_place<alloc::vec::Vec<u8>> => drop
            < => <
            {{closure}} => {{closure}}
            a::b<c => b";
        for (function, short) in rows(table) {
            assert_eq!(short_name(function), short, "{function}");
        }
    }

    #[test]
    fn the_crate_of_a_function_is_that_of_its_type_or_of_its_trait() {
        let table = "codec::text::encode => codec
            codec[3f2a]::text => codec
            größe::a => größe
            codec::text::encode::{closure#0} => codec
            <codec::Text as core::fmt::Display>::fmt => codec
            <&mut codec::Text as core::fmt::Display>::fmt => codec
            <&mut dyn codec::B as c::D>::e => codec
            <T as core::convert::Into<codec::U>>::into => core
            <[T] as alloc::slice::Concat<V>>::concat => alloc
            <dyn codec::Sink>::put => codec
            <alloc::vec::Vec<codec::T>>::push => alloc
            alloc::slice::<impl [T]>::into_vec => alloc
            <fn(u8) -> codec::T as codec::F>::call => codec
            main =>
            __rust_alloc =>
            {closure#1}<codec::Body> =>
            =>
            :: =>
            < =>";
        for (function, name) in rows(table) {
            assert_eq!(crate_of(function).unwrap_or_default(), name, "{function}");
        }
    }

    #[test]
    fn the_caret_stands_below_the_path_of_the_call() {
        for (text, path) in [
            ("Vec::with_capacity(n)", "Vec::with_capacity"),
            ("vec![0; n]", "vec!"),
            ("collect::<Vec<Option<_>>>();", "collect::<Vec<Option<_>>>"),
            ("a < b", "a"),
            ("+ b", "+"),
            ("größe()", "größe"),
            ("", ""),
            ("a::<b", "a::<b"),
        ] {
            assert_eq!(&text[..call_length(text)], path, "{text}");
        }
    }
}
