//! Adds lines to a package's Cargo.toml. All other bytes stay, comments and line ends
//! included.

use std::ops::Range;

use toml_edit::{Document, Item, Table, Value};

/// A dependency, and a bench target with a `main` of its own.
#[derive(Clone, Copy)]
pub(crate) struct Addition<'a> {
    /// The dependency's name. An existing dependency stays as it is.
    pub(crate) dependency: &'a str,
    /// Its version in quotes, or an inline table.
    pub(crate) source: &'a str,
    /// The bench target's name.
    pub(crate) bench: &'a str,
    /// Whether the package has a library, whose unit tests `cargo bench` is not to run.
    pub(crate) has_library: bool,
}

const LIBRARY_LINE: &str = "bench = false";

impl Addition<'_> {
    /// The lines, as a person would add them.
    pub(crate) fn lines(&self) -> String {
        let library = if self.has_library {
            format!("[lib]\n{LIBRARY_LINE}\n\n")
        } else {
            String::new()
        };
        format!(
            "{library}[dev-dependencies]\n{}\n\n{}",
            self.dependency_line(),
            self.bench_lines()
        )
    }

    /// The text of the manifest with the lines that it lacks, or why they can't be added.
    pub(crate) fn add_to(&self, text: &str) -> Result<String, String> {
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let own = |lines: &str| lines.replace('\n', line_end);
        let manifest = Document::parse(text).map_err(|error| error.to_string())?;
        // Lines to insert, with the headers of their tables, and lines for the end.
        let mut inserted = Vec::new();
        let mut end = String::new();
        if self.has_library && !has_bench_key(&manifest) {
            match manifest.get("lib") {
                None => end.push_str(&format!("\n[lib]\n{LIBRARY_LINE}\n")),
                Some(Item::Table(table)) if !table.is_implicit() => {
                    inserted.extend(line_after(text, table).map(|at| (at, LIBRARY_LINE.into())));
                }
                // The bench works without the line.
                Some(_) => {}
            }
        }
        if !self.is_dependency_in(&manifest) {
            let line = self.dependency_line();
            match manifest.get("dev-dependencies") {
                Some(Item::Table(table)) if !table.is_implicit() => {
                    let at = line_after(text, table).ok_or("`[dev-dependencies]` has no end")?;
                    inserted.push((at, line));
                }
                // Tables of single dependencies leave room for this one.
                None | Some(Item::Table(_)) => {
                    end.push_str(&format!("\n[dev-dependencies]\n{line}\n"));
                }
                Some(_) => {
                    return Err(String::from("`dev-dependencies` is not a table of its own"));
                }
            }
        }
        if !self.is_bench_in(&manifest)? {
            end.push_str(&format!("\n{}", self.bench_lines()));
        }
        if inserted.is_empty() && end.is_empty() {
            return Ok(text.to_owned());
        }
        inserted.sort();
        let mut new = text.to_owned();
        for (at, line) in inserted.iter().rev() {
            let begin = if text[..*at].ends_with('\n') {
                ""
            } else {
                "\n"
            };
            new.insert_str(*at, &own(&format!("{begin}{line}\n")));
        }
        if !new.ends_with('\n') {
            new.push_str(line_end);
        }
        new.push_str(&own(&end));
        let added = Document::parse(new.as_str()).map_err(|error| error.to_string())?;
        if self.is_dependency_in(&added) && self.is_bench_in(&added)? {
            Ok(new)
        } else {
            Err(String::from("the lines would mean something else there"))
        }
    }

    fn dependency_line(&self) -> String {
        format!("{} = {}", self.dependency, self.source)
    }

    fn bench_lines(&self) -> String {
        format!("[[bench]]\nname = \"{}\"\nharness = false\n", self.bench)
    }

    fn is_dependency_in<T>(&self, manifest: &Document<T>) -> bool {
        ["dependencies", "dev-dependencies"]
            .into_iter()
            .filter_map(|key| manifest.get(key)?.as_table_like())
            .any(|table| table.contains_key(self.dependency))
    }

    /// Whether the manifest has the bench target; an error if it is another of this name.
    fn is_bench_in<T>(&self, manifest: &Document<T>) -> Result<bool, String> {
        let items: Vec<Item> = match manifest.get("bench") {
            Some(Item::ArrayOfTables(benches)) => {
                benches.iter().cloned().map(Item::Table).collect()
            }
            Some(Item::Value(Value::Array(benches))) => benches.iter().map(Item::from).collect(),
            Some(Item::None | Item::Table(_) | Item::Value(_)) | None => Vec::new(),
        };
        let mut benches = items.iter().filter_map(Item::as_table_like);
        let is_named = |key| move |item: &Item| item.as_str() == Some(key);
        let named = benches.find(|bench| bench.get("name").is_some_and(is_named(self.bench)));
        let Some(bench) = named else {
            return Ok(false);
        };
        let name = self.bench;
        if bench.get("harness").and_then(Item::as_bool) != Some(false) {
            return Err(format!("its bench `{name}` lacks `harness = false`"));
        }
        let usual = format!("benches/{name}.rs");
        match bench.get("path").and_then(Item::as_str) {
            Some(path) if path != usual => Err(format!("its bench `{name}` is in {path}")),
            _ => Ok(true),
        }
    }
}

/// Whether the manifest says if `cargo bench` runs the library.
fn has_bench_key<T>(manifest: &Document<T>) -> bool {
    let library = manifest.get("lib").and_then(Item::as_table_like);
    library.is_some_and(|table| table.contains_key("bench"))
}

/// The keys of a dependency as an inline table.
pub(crate) struct InlineTable {
    pub(crate) text: String,
    /// The value of `path`, and where it stands in `text`.
    path: Option<(String, Range<usize>)>,
}

impl InlineTable {
    /// The table with `keys`, if they are valid, `path` is a text, and a key says where the crate is.
    pub(crate) fn parse(keys: &str) -> Option<Self> {
        const NAME: &str = "d = ";
        const SOURCES: [&str; 4] = ["path", "git", "version", "workspace"];
        let text = format!("{{ {keys} }}");
        let document = Document::parse(format!("{NAME}{text}")).ok()?;
        let table = document.get("d")?.as_inline_table()?;
        let has_source = SOURCES.iter().any(|key| table.contains_key(key));
        if !has_source || document.len() > 1 {
            return None;
        }
        let path = match table.get("path") {
            None => None,
            Some(value) => {
                let at = value.span()?;
                let at = at.start - NAME.len()..at.end - NAME.len();
                Some((value.as_str()?.to_owned(), at))
            }
        };
        Some(Self { text, path })
    }

    /// The value of `path`.
    pub(crate) fn path(&self) -> Option<&str> {
        self.path.as_ref().map(|(path, _)| path.as_str())
    }

    /// The text with another value of `path`, if it has one.
    pub(crate) fn with_path(mut self, path: &str) -> String {
        if let Some((_, at)) = self.path {
            self.text.replace_range(at, &quoted(path));
        }
        self.text
    }
}

/// A text without control characters as a string of TOML.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The offset of the line after a table's header.
fn line_after(text: &str, table: &Table) -> Option<usize> {
    let header = table.span()?.start;
    let rest = text.get(header..)?;
    Some(rest.find('\n').map_or(text.len(), |end| header + end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDITION: Addition<'_> = Addition {
        dependency: "alloc-scenario",
        source: "\"0.1.0\"",
        bench: "alloc_count",
        has_library: false,
    };

    const BENCH: &str = "\n[[bench]]\nname = \"alloc_count\"\nharness = false\n";

    #[test]
    fn a_manifest_keeps_its_text() {
        for (before, after) in [
            (
                "[package]\nname = \"a\" # a\n",
                "[package]\nname = \"a\" # a\n\n[dev-dependencies]\nalloc-scenario = \"0.1.0\"\n",
            ),
            (
                "[dev-dependencies] # for tests\n# the first\nb = \"1\"\n\n[lib]\nbench = false",
                "[dev-dependencies] # for tests\nalloc-scenario = \"0.1.0\"\n# the first\nb = \"1\"\n\n\
                 [lib]\nbench = false\n",
            ),
            (
                "[package]\r\nname = \"a\"\r\n[dev-dependencies]\r\n",
                "[package]\r\nname = \"a\"\r\n[dev-dependencies]\r\nalloc-scenario = \"0.1.0\"\r\n",
            ),
            (
                "[dev-dependencies]",
                "[dev-dependencies]\nalloc-scenario = \"0.1.0\"\n",
            ),
            (
                "[dev-dependencies.b]\nversion = \"1\"\n",
                "[dev-dependencies.b]\nversion = \"1\"\n\n[dev-dependencies]\n\
                 alloc-scenario = \"0.1.0\"\n",
            ),
            (
                "[dev-dependencies]\nalloc-scenario.path = \"x\"\n[[bench]]\nname = \"b\"\n",
                "[dev-dependencies]\nalloc-scenario.path = \"x\"\n[[bench]]\nname = \"b\"\n",
            ),
        ] {
            let bench = if before.contains('\r') {
                BENCH.replace('\n', "\r\n")
            } else {
                BENCH.to_owned()
            };
            assert_eq!(
                ADDITION.add_to(before),
                Ok(format!("{after}{bench}")),
                "{before}"
            );
        }
    }

    #[test]
    fn cargo_bench_leaves_the_library_out() {
        let addition = Addition {
            has_library: true,
            ..ADDITION
        };
        let dependency = "[dev-dependencies]\nalloc-scenario = \"0.1.0\"\n";
        for (before, after) in [
            ("", format!("\n[lib]\nbench = false\n\n{dependency}")),
            (
                "[dev-dependencies]\n\n[lib] # ours\npath = \"a.rs\"\n",
                format!("{dependency}\n[lib] # ours\nbench = false\npath = \"a.rs\"\n"),
            ),
            (
                "[lib]\nbench = true\n",
                format!("[lib]\nbench = true\n\n{dependency}"),
            ),
            (
                "lib = { path = \"a.rs\" }\n",
                format!("lib = {{ path = \"a.rs\" }}\n\n{dependency}"),
            ),
        ] {
            let added = addition.add_to(before).expect("lines can be added");
            let begin = if before.is_empty() { "\n" } else { "" };
            assert_eq!(added, format!("{begin}{after}{BENCH}"), "{before}");
        }
        let lines = addition.lines();
        assert!(
            lines.starts_with("[lib]\nbench = false\n\n[dev-"),
            "{lines}"
        );
    }

    #[test]
    fn a_manifest_that_lines_cannot_be_added_to_is_an_error() {
        for text in [
            "dev-dependencies = { b = \"1\" }\n",
            "dev-dependencies.b = \"1\"\n",
            "bench = [{ name = \"b\" }]\n",
            "[package\n",
        ] {
            assert!(ADDITION.add_to(text).is_err(), "{text}");
        }
        let addition = Addition {
            source: "{ path = \"",
            ..ADDITION
        };
        assert!(addition.add_to("").is_err());
    }

    #[test]
    fn a_manifest_gets_what_it_lacks_and_no_other_bench_of_the_name() {
        let bench = |keys: &str| format!("[[bench]]\nname = \"alloc_count\"\n{keys}");
        let complete = format!(
            "[dependencies]\nalloc-scenario = \"0.1.0\"\n{}",
            bench("harness = false\npath = \"benches/alloc_count.rs\"\n")
        );
        assert_eq!(ADDITION.add_to(&complete), Ok(complete.clone()));
        let array = "bench = [{ name = \"alloc_count\", harness = false }]\n";
        assert_eq!(
            ADDITION.add_to(array),
            Ok(format!(
                "{array}\n[dev-dependencies]\nalloc-scenario = \"0.1.0\"\n"
            ))
        );
        for (keys, problem) in [
            ("", "its bench `alloc_count` lacks `harness = false`"),
            (
                "harness = true\n",
                "its bench `alloc_count` lacks `harness = false`",
            ),
            (
                "harness = false\npath = \"src/a.rs\"\n",
                "its bench `alloc_count` is in src/a.rs",
            ),
        ] {
            assert_eq!(ADDITION.add_to(&bench(keys)), Err(problem.to_owned()));
        }
    }

    #[test]
    fn the_path_of_a_dependency_is_replaced_where_it_stands() {
        let table = InlineTable::parse("features = [\"a\"], path = 'b\\c'").expect("it is valid");
        assert_eq!(table.path(), Some("b\\c"));
        assert_eq!(
            table.with_path("d \"e\""),
            "{ features = [\"a\"], path = \"d \\\"e\\\"\" }"
        );
        for keys in [
            "",
            "path = ",
            "path = 1",
            "pth = 'a'",
            "path = 'a' }\nx = { y = 1",
        ] {
            assert!(InlineTable::parse(keys).is_none(), "{keys}");
        }
    }
}
