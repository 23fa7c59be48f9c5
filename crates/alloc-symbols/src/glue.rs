//! [`Weight::of`]: whether a line is in a derive, or in an implementation of a trait that generic
//! code calls.

use crate::blame::Weight;
use crate::frame::Frame;
use crate::names::{implemented_trait, trait_of_impl};

/// The traits whose methods are passed over. The line that formats, writes, copies, converts or
/// drops a value is the one that somebody wrote for it.
const TRAITS: [&str; 7] = [
    "Clone",
    "Debug",
    "Display",
    "Drop",
    "From",
    "Serialize",
    "Write",
];

impl Weight {
    /// The weight of a frame in code of one's own, unless its line was edited. `source` is the
    /// text of its file, if it is at hand: line tables name inlined functions without their
    /// traits.
    #[must_use]
    pub fn of(frame: &Frame, source: Option<&str>) -> Self {
        let Some(line) = frame.line else {
            return Self::NoLine;
        };
        let is_glue = if frame.function.contains("::") {
            implemented_trait(&frame.function).is_some_and(|name| TRAITS.contains(&name))
        } else {
            source.is_some_and(|source| is_in_glue(source, line))
        };
        if is_glue { Self::Glue } else { Self::Code }
    }
}

/// Whether a line is a `#[derive]`, or inside of an `impl` of one of the traits, as rustfmt
/// indents it.
fn is_in_glue(source: &str, line: u32) -> bool {
    let number = usize::try_from(line).unwrap_or(usize::MAX);
    let lines: Vec<&str> = source.lines().take(number).collect();
    let Some((last, above)) = lines.split_last().filter(|_| lines.len() == number) else {
        return false;
    };
    if last.trim_start().starts_with("#[derive(") {
        return true;
    }
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut inside = indentation(last);
    for (at, line) in above.iter().enumerate().rev() {
        let text = line.trim_start();
        if text.is_empty() || indentation(line) >= inside {
            continue;
        }
        if text.starts_with("impl") || text.starts_with("unsafe impl") {
            return header_trait(&lines[at..]).is_some_and(|name| TRAITS.contains(&name));
        }
        // A header can end in lines of its own.
        if text != "{" && !text.starts_with("where") {
            inside = indentation(line);
        }
    }
    false
}

/// The trait of the `impl` that begins in the first of these lines.
fn header_trait<'s>(lines: &[&'s str]) -> Option<&'s str> {
    let line = lines.iter().find(|line| line.contains(" for "))?;
    let (_, header) = line.split_once("impl").unwrap_or(("", line));
    trait_of_impl(header)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::stack;

    const SOURCE: &str = "
    #[derive(Debug)]
    struct Point {
        x: u32,
    }

    impl<T: Copy> fmt::Display for Pair<T>
    where
        T: fmt::Display,
    {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            if true {
                out.write_str(&self.x.to_string())
            }
        }
    }

    impl From<Vec<u8>> for Pair<u8> {
        fn from(bytes: Vec<u8>) -> Self {
            Self::new(bytes.clone())
        }
    }

    impl Pair<u8> {
        fn new(bytes: Vec<u8>) -> Self {
            Self(bytes.to_vec())
        }
    }

    impl<T> Iterator for Pair<T> {
        fn next(&mut self) -> Option<T> {
            Some(self.0.to_vec())
        }
    }

    fn free() -> Vec<u8> {
        vec![1]
    }
";

    #[test]
    fn lines_of_derives_and_of_glue_are_found() {
        for (line, is_glue) in [
            (2, true),
            (4, false),
            (13, true),
            (20, true),
            (26, false),
            (32, false),
            (37, false),
            (99, false),
            (0, false),
        ] {
            assert_eq!(is_in_glue(SOURCE, line), is_glue, "{line}");
        }
    }

    #[test]
    fn names_with_paths_need_no_source() {
        let weight = |function: &str, line| {
            let frame = Frame {
                line,
                ..stack(function).remove(0)
            };
            Weight::of(&frame, Some(SOURCE))
        };
        for (function, expected) in [
            ("<app::Point as core::fmt::Debug>::fmt", Weight::Glue),
            (
                "<app::A as core::convert::From<app::B>>::from",
                Weight::Glue,
            ),
            (
                "app::text::<impl core::clone::Clone for app::A>::clone",
                Weight::Glue,
            ),
            ("<app::A as app::Encode>::encode", Weight::Code),
            ("app::fmt", Weight::Code),
            // Without a path, the source decides.
            ("fmt", Weight::Glue),
        ] {
            assert_eq!(weight(function, Some(13)), expected, "{function}");
        }
        assert_eq!(weight("app::fmt", None), Weight::NoLine);
    }
}
