//! The ceilings of `xtask/size.toml`: the most lines that each part of the repository may have.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

use toml::{Table, Value};

use super::Size;
use crate::console::say;
use crate::error::Error;

const FILE: &str = "xtask/size.toml";

const HEAD: &str = "\
# The most lines that each part of the repository may have: code without tests, code of tests,
# files that tests read, and pages; and all Rust lines outside of the lab. Comments and blank lines
# count in `rust` and in pages alone. `cargo xtask size --check` fails above a ceiling, and
# `cargo xtask size --lower` lowers the ceilings to what there is. Whoever raises one by hand says
# why in the commit.
";

/// What may be at most.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ceilings {
    /// All Rust lines at the root.
    rust: i64,
    places: BTreeMap<String, Size>,
}

/// Prints what exceeds its ceiling, and fails if something does.
pub(super) fn check(sizes: &BTreeMap<String, Size>) -> Result<ExitCode, Error> {
    let ceilings = read()?;
    let now = Ceilings::of(sizes);
    let problems = ceilings.exceeded_by(&now);
    for problem in &problems {
        say(&format!("{FILE}: {problem}"))?;
    }
    if problems.is_empty() {
        say(&format!(
            "size: {} parts with {} Rust lines at the root, none above its ceiling",
            now.places.len(),
            now.rust
        ))?;
        return Ok(ExitCode::SUCCESS);
    }
    say("take something away, or raise the ceiling and say why in the commit")?;
    Ok(ExitCode::FAILURE)
}

/// Lowers the ceilings to what there is now.
pub(super) fn lower(sizes: &BTreeMap<String, Size>) -> Result<ExitCode, Error> {
    let lowered = read()?.lowered_to(&Ceilings::of(sizes));
    std::fs::write(FILE, lowered.to_string()).map_err(Error::writing(FILE.as_ref()))?;
    Ok(ExitCode::SUCCESS)
}

fn read() -> Result<Ceilings, Error> {
    let path = Path::new(FILE);
    let text = std::fs::read_to_string(path).map_err(Error::reading(path))?;
    Ceilings::parse(&text).map_err(|problem| Error::Ceilings {
        path: path.to_owned(),
        problem,
    })
}

impl Size {
    /// What has a ceiling, by its key.
    fn limited(&mut self) -> [(&'static str, &mut i64); 4] {
        [
            ("code", &mut self.code),
            ("tests", &mut self.tests),
            ("cases", &mut self.cases),
            ("pages", &mut self.pages),
        ]
    }
}

impl Ceilings {
    fn of(sizes: &BTreeMap<String, Size>) -> Self {
        let at_root = sizes.iter().filter(|(place, _)| !place.starts_with("lab"));
        Self {
            rust: at_root.map(|(_, size)| size.rust).sum(),
            places: sizes.clone(),
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut table: Table = text.parse().map_err(|error| format!("{error}"))?;
        let rust = table.remove("rust").and_then(|rust| rust.as_integer());
        let mut ceilings = Self {
            rust: rust.ok_or("`rust` is no number")?,
            places: BTreeMap::new(),
        };
        for (place, value) in table {
            let Value::Table(mut given) = value else {
                return Err(format!("`{place}` is no table"));
            };
            let mut size = Size::default();
            for (key, ceiling) in size.limited() {
                let number = given.remove(key).and_then(|number| number.as_integer());
                *ceiling = number.ok_or(format!("`{place}` has no number `{key}`"))?;
            }
            if let Some(unknown) = given.keys().next() {
                return Err(format!("`{place}` has an unknown key `{unknown}`"));
            }
            ceilings.places.insert(place, size);
        }
        Ok(ceilings)
    }

    /// A sentence for each part of `now` that is too large.
    fn exceeded_by(&self, now: &Self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut compare = |what: String, ceiling: i64, lines: i64| {
            if lines > ceiling {
                problems.push(format!("{what}: {lines} lines, the ceiling is {ceiling}"));
            }
        };
        for (place, size) in &now.places {
            let mut ceiling = self.places.get(place).copied().unwrap_or_default();
            let mut size = *size;
            for ((key, ceiling), (_, lines)) in ceiling.limited().into_iter().zip(size.limited()) {
                compare(format!("{place}, {key}"), *ceiling, *lines);
            }
        }
        compare("Rust at the root".to_owned(), self.rust, now.rust);
        problems
    }

    /// The lower of both for each part that still exists.
    fn lowered_to(&self, now: &Self) -> Self {
        let mut lowered = Self {
            rust: self.rust.min(now.rust),
            places: self.places.clone(),
        };
        let existing: BTreeSet<&String> = now.places.keys().collect();
        lowered.places.retain(|place, _| existing.contains(place));
        for (place, ceiling) in &mut lowered.places {
            let mut size = now.places[place];
            for ((_, ceiling), (_, lines)) in ceiling.limited().into_iter().zip(size.limited()) {
                *ceiling = (*ceiling).min(*lines);
            }
        }
        lowered
    }
}

/// The file, in the order of its places.
impl std::fmt::Display for Ceilings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{HEAD}rust = {}", self.rust)?;
        for (place, size) in &self.places {
            let mut size = *size;
            let numbers = size
                .limited()
                .map(|(key, lines)| format!("{key} = {lines}"));
            writeln!(f, "\"{place}\" = {{ {} }}", numbers.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ceilings(rust: i64, code: i64, pages: i64) -> Ceilings {
        let size = Size {
            code,
            pages,
            ..Size::default()
        };
        Ceilings {
            rust,
            places: [("crates/a".to_owned(), size)].into(),
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let written = ceilings(12, 10, 2).to_string();
        assert_eq!(Ceilings::parse(&written), Ok(ceilings(12, 10, 2)));
    }

    #[test]
    fn a_part_above_its_ceiling_and_a_part_without_one_are_named() {
        let limits = ceilings(12, 10, 2);
        assert_eq!(limits.exceeded_by(&ceilings(12, 10, 2)), [""; 0]);
        assert_eq!(
            limits.exceeded_by(&ceilings(13, 11, 2)),
            [
                "crates/a, code: 11 lines, the ceiling is 10",
                "Rust at the root: 13 lines, the ceiling is 12"
            ]
        );
        let mut with_new = ceilings(12, 10, 2);
        with_new
            .places
            .insert("b".to_owned(), with_new.places["crates/a"]);
        assert_eq!(limits.exceeded_by(&with_new).len(), 2);
    }

    #[test]
    fn ceilings_are_lowered_and_never_raised() {
        let lowered = ceilings(12, 10, 2).lowered_to(&ceilings(11, 20, 1));
        assert_eq!(lowered, ceilings(11, 10, 1));
        let none = Ceilings::default();
        assert_eq!(ceilings(12, 10, 2).lowered_to(&none), none);
    }

    #[test]
    fn a_file_that_says_something_else_is_an_error() {
        for text in [
            "",
            "rust = 1\na = 2",
            "rust = 1\na = { code = 1 }",
            "rust = 1\na = { code = 1, tests = 1, cases = 1, pages = 1, files = 1 }",
        ] {
            assert!(Ceilings::parse(text).is_err(), "{text}");
        }
    }
}
