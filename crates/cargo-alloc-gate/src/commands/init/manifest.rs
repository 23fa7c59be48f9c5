//! Adds lines to a package's Cargo.toml. All other bytes stay, comments and line ends
//! included.

use std::path::{MAIN_SEPARATOR, Path};

use toml_edit::{Document, Item, TableLike};

use super::line_end;

/// A dependency, and a bench target with a `main` of its own.
#[derive(Clone, Copy)]
pub(super) struct Addition<'a> {
    /// The dependency's name. An existing dependency stays as it is.
    pub(super) dependency: &'a str,
    pub(super) keys: &'a str,
    /// The bench target's name.
    pub(super) bench: &'a str,
    /// Whether the package has a library, whose unit tests `cargo bench` is not to run.
    pub(super) has_library: bool,
}

impl Addition<'_> {
    /// The lines, as a person would add them.
    pub(super) fn lines(&self) -> String {
        let tables = self.tables().into_iter();
        let tables = tables.map(|(table, line)| format!("[{table}]\n{line}\n\n"));
        tables.collect::<String>() + &self.bench_lines()
    }

    /// The text of the manifest with the lines that it lacks, or why they can't be added.
    pub(super) fn add_to(&self, text: &str) -> Result<String, String> {
        let mut new = text.replace("\r\n", "\n");
        for (name, line) in self.tables() {
            let manifest = parsed(&new)?;
            let key = line.split(' ').next().unwrap_or_default();
            let dependencies = manifest.get("dependencies").and_then(Item::as_table_like);
            let table = manifest.get(name);
            let mut tables = table
                .and_then(Item::as_table_like)
                .into_iter()
                .chain(dependencies);
            if tables.any(|table| table.contains_key(key)) {
                continue;
            }
            match table.map(|item| item.as_table().filter(|table| !table.is_implicit())) {
                Some(Some(table)) => {
                    let header = table.span().map_or(0, |header| header.end);
                    let end = new[header..].find('\n').map(|end| header + end);
                    new.insert_str(end.unwrap_or(new.len()), &format!("\n{line}"));
                }
                // The bench works without the line.
                Some(None) if name == LIBRARY.0 => {}
                // Tables of single dependencies leave room for this one.
                Some(None) | None => append(&mut new, &format!("[{name}]\n{line}\n")),
            }
        }
        if !self.is_bench_in(&parsed(&new)?)? {
            append(&mut new, &self.bench_lines());
        }
        // Behind inline tables, the lines can mean something else.
        if !self.is_bench_in(&parsed(&new)?)? {
            return Err(String::from("`bench` is not a table of its own"));
        }
        Ok(new.replace('\n', line_end(text)))
    }

    /// The lines in tables, each with the name of its table.
    fn tables(&self) -> Vec<(&'static str, String)> {
        let library = self.has_library.then(|| (LIBRARY.0, LIBRARY.1.to_owned()));
        let dependency = format!("{} = {{ {} }}", self.dependency, self.keys);
        let dependency = ("dev-dependencies", dependency);
        library.into_iter().chain([dependency]).collect()
    }

    fn bench_lines(&self) -> String {
        format!("[[bench]]\nname = \"{}\"\nharness = false\n", self.bench)
    }

    /// Whether the manifest has the bench target; an error if it is another of this name.
    fn is_bench_in(&self, manifest: &Document<&str>) -> Result<bool, String> {
        let name = self.bench;
        let benches = manifest.get("bench").and_then(Item::as_array_of_tables);
        let mut benches = benches.into_iter().flatten();
        let text = |bench: &dyn TableLike, key| Some(bench.get(key)?.as_str()?.to_owned());
        let Some(bench) = benches.find(|bench| text(*bench, "name").as_deref() == Some(name))
        else {
            return Ok(false);
        };
        if bench.get("harness").and_then(Item::as_bool) != Some(false) {
            return Err(format!("its bench `{name}` lacks `harness = false`"));
        }
        match text(bench, "path") {
            Some(path) if path != format!("benches/{name}.rs") => {
                Err(format!("its bench `{name}` is in {path}"))
            }
            _ => Ok(true),
        }
    }
}

/// The table and the line that keep `cargo bench` from running the library's unit tests.
const LIBRARY: (&str, &str) = ("lib", "bench = false");

fn parsed(text: &str) -> Result<Document<&str>, String> {
    Document::parse(text).map_err(|error| error.to_string())
}

/// Adds a table at the end, below an empty line.
fn append(text: &mut String, table: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&format!("\n{table}"));
}

/// The path of a folder as a manifest names it, if both are below a folder that is not the root.
pub(super) fn seen_from(manifest: &Path, folder: &Path) -> Option<String> {
    let mut above = manifest.ancestors().skip(1);
    let steps = above.clone().position(|one| folder.starts_with(one))?;
    let common = above.nth(steps).filter(|one| one.file_name().is_some())?;
    let rest = folder.strip_prefix(common).ok()?.to_str()?;
    Some("../".repeat(steps) + &rest.replace(MAIN_SEPARATOR, "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDITION: Addition<'_> = Addition {
        dependency: "alloc-scenario",
        keys: "version = \"0.1.0\"",
        bench: "alloc_count",
        has_library: false,
    };

    const BENCH: &str = "\n[[bench]]\nname = \"alloc_count\"\nharness = false\n";

    const DEPENDENCY: &str = "alloc-scenario = { version = \"0.1.0\" }\n";

    const TABLE: &str = "\n[dev-dependencies]\nalloc-scenario = { version = \"0.1.0\" }\n";

    /// Asserts that these lines are added where the text has them in braces, and the bench at
    /// its end.
    #[track_caller]
    fn assert_added(addition: &Addition<'_>, text: &str) {
        let with = |[dependency, table, key, library]: [&str; 4]| {
            let text = text
                .replace("{dependency}", dependency)
                .replace("{table}", table);
            text.replace("{key}", key).replace("{library}", library)
        };
        let before = with([""; 4]);
        let after = with([
            DEPENDENCY,
            TABLE,
            "bench = false\n",
            "\n[lib]\nbench = false\n",
        ]);
        let mut after = after + BENCH;
        if before.contains('\r') {
            after = after.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        assert_eq!(addition.add_to(&before), Ok(after), "{before}");
    }

    #[test]
    fn a_manifest_keeps_its_text() {
        for text in [
            "[package]\nname = \"a\" # a\n{table}",
            "[dev-dependencies] # for tests\n{dependency}# the first\nb = \"1\"\n\n[lib]\nbench = false\n",
            "[package]\r\nname = \"a\"\r\n[dev-dependencies]\r\n{dependency}",
            "[dev-dependencies.b]\nversion = \"1\"\n{table}",
            "[dev-dependencies]\nalloc-scenario.path = \"x\"\n[[bench]]\nname = \"b\"\n",
        ] {
            assert_added(&ADDITION, text);
        }
        let without_end = format!("[dev-dependencies]\n{DEPENDENCY}{BENCH}");
        assert_eq!(ADDITION.add_to("[dev-dependencies]"), Ok(without_end));
    }

    #[test]
    fn cargo_bench_leaves_the_library_out() {
        let addition = Addition {
            has_library: true,
            ..ADDITION
        };
        for text in [
            "{library}{table}",
            "[dev-dependencies]\n{dependency}\n[lib] # ours\n{key}path = \"a.rs\"\n",
            "[lib]\nbench = true\n{table}",
            "lib = { path = \"a.rs\" }\n{table}",
        ] {
            assert_added(&addition, text);
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
            keys: "path = \"",
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
        let lacks = "its bench `alloc_count` lacks `harness = false`";
        for (keys, problem) in [
            ("", lacks),
            ("harness = true\n", lacks),
            (
                "harness = false\npath = \"src/a.rs\"\n",
                "its bench `alloc_count` is in src/a.rs",
            ),
        ] {
            assert_eq!(ADDITION.add_to(&bench(keys)), Err(problem.to_owned()));
        }
    }

    #[test]
    fn a_path_is_relative_where_the_clone_and_the_package_have_a_folder() {
        let seen = |manifest: &str| seen_from(Path::new(manifest), Path::new("/w/clone/crates/a"));
        assert_eq!(seen("/w/app/b/Cargo.toml").unwrap(), "../../clone/crates/a");
        assert_eq!(seen("/w/clone/Cargo.toml").unwrap(), "crates/a");
        assert_eq!(seen("/home/app/Cargo.toml"), None);
    }
}
