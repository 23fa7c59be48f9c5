//! What the names of functions say: short forms, crates, and the layers of a program.

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

/// The crate that a function is in.
#[must_use]
pub fn crate_of(function: &str) -> &str {
    let path = function.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let path = ["mut ", "const ", "dyn ", "impl "]
        .into_iter()
        .fold(path, |path, word| path.strip_prefix(word).unwrap_or(path));
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_');
    &path[..end.unwrap_or(path.len())]
}

/// Whether the function is a part of the allocator: it stands inside the line that allocates.
#[must_use]
pub fn is_allocator(function: &str) -> bool {
    matches!(crate_of(function), "counting_alloc")
        || is_entry(function)
        || function.starts_with("alloc::alloc::")
        || function.starts_with("<alloc::alloc::")
}

/// Whether the function is one through which code calls the global allocator.
#[must_use]
pub fn is_entry(function: &str) -> bool {
    const NAMES: [&str; 5] = [
        "__rust_alloc",
        "__rust_dealloc",
        "__rust_realloc",
        "__rg_",
        "__rdl_",
    ];
    // `__rustc::__rust_alloc`, or `__rustc[7]::__rust_alloc`.
    let name = function.strip_prefix("__rustc").unwrap_or(function);
    let name = name.split_once("::").map_or(name, |(_, name)| name);
    NAMES.iter().any(|entry| name.starts_with(entry)) || name.contains("::GlobalAlloc>::")
}

/// Whether the function is a part of the harness, which calls the measured code.
#[must_use]
pub fn is_harness(function: &str) -> bool {
    matches!(
        crate_of(function),
        "counting_alloc" | "alloc_scenario" | "alloc_assert"
    )
}

/// Whether a stack is whole that ends here: at the beginning of a thread or of the program.
#[must_use]
pub fn is_root(function: &str) -> bool {
    matches!(
        function,
        "main" | "_start" | "start_thread" | "__clone" | "clone3" | "__clone3" | "thread_start"
    ) || function.contains("__rust_begin_short_backtrace")
        || function.contains("thread_start")
        || function.starts_with("std::rt::lang_start")
}

/// Whether the function is one of the standard library.
#[must_use]
pub fn is_std(function: &str) -> bool {
    matches!(crate_of(function), "alloc" | "core" | "std")
}

/// The macro that calls a function which nobody calls by its name.
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
        _ => None,
    }
}

/// The path of a function without generic arguments and closures. A type or an `impl` in angle
/// brackets is one segment, the name of the type.
fn segments(function: &str) -> Vec<String> {
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
            // Closures and shims.
            None if part.starts_with('{') => {}
            None => {
                let end = part.find(['<', '{']).unwrap_or(part.len());
                segments.push(part[..end].to_owned());
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
    let end = match last.starts_with(['<', '[', '(']) {
        true => None,
        false => last.find('<'),
    };
    last[..end.unwrap_or(last.len())].to_owned()
}

/// The parts between `::` that stand outside of all brackets.
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

/// Where `what` first stands outside of all brackets.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_in_both_manglings() {
        for (function, short) in [
            ("nmx_codec::text::little_endian", "little_endian"),
            ("nmx_codec::text::encode::<u8>", "encode"),
            ("nmx_codec::text::encode::{{closure}}", "encode"),
            (
                "nmx_codec::text::encode::{closure#0}::{closure#1}",
                "encode",
            ),
            ("alloc::vec::Vec<T>::with_capacity", "Vec::with_capacity"),
            ("<alloc::vec::Vec<u8>>::with_capacity", "Vec::with_capacity"),
            (
                "<alloc::vec::Vec<u8, A>>::extend::<fn() -> u8>",
                "Vec::extend",
            ),
            (
                "<alloc::string::String as core::clone::Clone>::clone",
                "String::clone",
            ),
            (
                "<a::B<'_, fn(u8) -> c::D> as core::fmt::Debug>::fmt",
                "B::fmt",
            ),
            (
                "core::iter::traits::iterator::Iterator::collect",
                "Iterator::collect",
            ),
            ("alloc::slice::<impl [T]>::to_vec", "[T]::to_vec"),
            (
                "alloc::str::<impl alloc::borrow::ToOwned for str>::to_owned",
                "to_owned",
            ),
            ("<[u8]>::to_vec", "[u8]::to_vec"),
            ("alloc::fmt::format", "format!"),
            ("alloc::fmt::format::{closure#0}", "format!"),
            ("alloc::slice::<impl [T]>::into_vec", "vec!"),
            ("alloc::vec::from_elem::<u8>", "vec!"),
            ("with_capacity<u8>", "with_capacity"),
            ("<&mut a::B as c::D>::e", "B::e"),
            ("0x55d0", "0x55d0"),
            ("", ""),
            ("<", "<"),
            ("{{closure}}", "{{closure}}"),
            ("a::b<c", "b"),
        ] {
            assert_eq!(short_name(function), short, "{function}");
        }
    }

    #[test]
    fn the_crate_is_the_first_word_of_the_path() {
        for (function, name) in [
            ("nmx_codec::text::encode", "nmx_codec"),
            ("<nmx_codec::A as core::clone::Clone>::clone", "nmx_codec"),
            ("<&mut dyn a::B as c::D>::e", "a"),
            ("<dyn a::B as c::D>::e", "a"),
            ("nmx_codec[3f2a]::text", "nmx_codec"),
            ("__rust_alloc", "__rust_alloc"),
            ("", ""),
            ("größe::a", "größe"),
        ] {
            assert_eq!(crate_of(function), name, "{function}");
        }
    }

    #[test]
    fn layers_are_known_by_their_names() {
        for name in [
            "__rust_alloc",
            "__rustc::__rust_alloc",
            "__rustc[7]::__rust_realloc",
            "<counting_alloc::CountingAlloc<A> as core::alloc::global::GlobalAlloc>::alloc",
            "alloc::alloc::alloc",
            "alloc::alloc::exchange_malloc",
            "<alloc::alloc::Global as core::alloc::Allocator>::allocate",
        ] {
            assert!(is_allocator(name), "{name}");
        }
        for name in ["alloc::vec::Vec<T>::with_capacity", "app::alloc::alloc"] {
            assert!(!is_allocator(name), "{name}");
        }
        assert!(is_harness("alloc_scenario::runner::measure::{{closure}}"));
        assert!(is_root("std::sys::thread::unix::Thread::new::thread_start"));
        assert!(is_std("<core::iter::Map<I, F> as Iterator>::next"));
    }
}
