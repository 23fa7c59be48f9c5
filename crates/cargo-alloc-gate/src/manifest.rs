//! Adds lines to a package's Cargo.toml. All other bytes stay, comments and line ends
//! included.

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

    /// Whether the manifest has a bench target of this name.
    pub(crate) fn has_bench(&self, text: &str) -> bool {
        Document::parse(text).is_ok_and(|manifest| self.is_bench_in(&manifest))
    }

    /// The text of the manifest with the lines, or why they can't be added.
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
        end.push_str(&format!("\n{}", self.bench_lines()));
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
        if self.is_dependency_in(&added) && self.is_bench_in(&added) {
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

    fn is_bench_in<T>(&self, manifest: &Document<T>) -> bool {
        let named = |item: &Item| {
            let table = item.as_table_like();
            table.and_then(|table| table.get("name")?.as_str()) == Some(self.bench)
        };
        match manifest.get("bench") {
            Some(Item::ArrayOfTables(benches)) => benches
                .iter()
                .any(|bench| bench.get("name").and_then(Item::as_str) == Some(self.bench)),
            Some(Item::Value(value)) => value
                .as_array()
                .is_some_and(|benches| benches.iter().any(|bench| named(&Item::from(bench)))),
            Some(Item::None | Item::Table(_)) | None => false,
        }
    }
}

/// Whether the manifest says if `cargo bench` runs the library.
fn has_bench_key<T>(manifest: &Document<T>) -> bool {
    let library = manifest.get("lib").and_then(Item::as_table_like);
    library.is_some_and(|table| table.contains_key("bench"))
}

/// The keys as an inline table, if they are valid.
pub(crate) fn inline_table(keys: &str) -> Option<String> {
    let table = format!("{{ {keys} }}");
    match table.parse() {
        Ok(Value::InlineTable(found)) if !found.is_empty() => Some(table),
        Ok(_) | Err(_) => None,
    }
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
    fn a_bench_of_the_name_is_seen() {
        assert!(ADDITION.has_bench("[[bench]]\nname = \"b\"\n[[bench]]\nname = \"alloc_count\"\n"));
        assert!(ADDITION.has_bench("bench = [{ name = \"alloc_count\" }]\n"));
        assert!(!ADDITION.has_bench("[[bench]]\nname = \"b\"\n"));
        assert!(!ADDITION.has_bench("[[test]]\nname = \"alloc_count\"\n"));
    }
}
