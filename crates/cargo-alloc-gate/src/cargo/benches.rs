//! The benches of a [`Workspace`]: those that its members declare, and those over the harness.

use std::fs;
use std::path::{Path, PathBuf};

use alloc_results::BenchId;
use cargo_metadata::{Package, TargetKind};

use super::{Workspace, listed};
use crate::failure::Failure;

/// The key of a package's manifest that names its benches.
const METADATA_KEY: &str = "alloc-gate";

/// The packages of which a bench for this program depends on one.
const HARNESSES: [&str; 2] = ["alloc-scenario", "alloc-criterion"];

impl Workspace {
    /// The benches that members name in `[package.metadata.alloc-gate]`, as
    /// package and target.
    pub(crate) fn declared_benches(&self) -> Result<Vec<(String, String)>, Failure> {
        let mut declared = Vec::new();
        for package in self.metadata.workspace_packages() {
            let Some(value) = package.metadata.get(METADATA_KEY) else {
                continue;
            };
            let invalid = |problem: &str| {
                Failure::invalid_rules(format!(
                    "[package.metadata.{METADATA_KEY}] in {} is invalid: {problem}",
                    package.manifest_path
                ))
                .help("write `benches = [\"alloc_count\"]`, with names of bench targets")
            };
            let table = value
                .as_object()
                .ok_or_else(|| invalid("expected a table"))?;
            if let Some(key) = table.keys().find(|key| *key != "benches") {
                return Err(invalid(&format!("unknown key `{key}`")));
            }
            let benches = table
                .get("benches")
                .and_then(|benches| benches.as_array())
                .ok_or_else(|| invalid("`benches` must be an array"))?;
            for target in benches {
                let target = target
                    .as_str()
                    .ok_or_else(|| invalid("`benches` must contain only strings"))?;
                if !bench_targets(package).contains(&target) {
                    return Err(invalid(&format!(
                        "the package has no bench `{target}`; it has {}",
                        listed(&bench_targets(package))
                    )));
                }
                declared.push((package.name.to_string(), target.to_owned()));
            }
        }
        Ok(declared)
    }

    /// The benches of members whose sources name alloc-scenario, or alloc-criterion by the name
    /// that it has there. A bench beside it over another harness is not among them.
    pub(crate) fn harness_benches(&self) -> Vec<BenchId> {
        let packages = self.metadata.workspace_packages();
        let benches = packages.into_iter().flat_map(|package| {
            let targets = benches_over(package, &HARNESSES).into_iter();
            targets.map(|target| BenchId {
                package: package.name.to_string(),
                target,
            })
        });
        benches.collect()
    }
}

/// The benches of the package whose sources name criterion, or what counts in its place.
pub(crate) fn criterion_benches(package: &Package) -> Vec<String> {
    benches_over(package, &["criterion", "alloc-criterion"])
}

/// The benches of a package whose sources name one of these packages, by its name there.
fn benches_over(package: &Package, harnesses: &[&str]) -> Vec<String> {
    let dependencies = package.dependencies.iter();
    let harnesses = dependencies.filter(|one| harnesses.contains(&one.name.as_str()));
    let names = harnesses.map(|one| one.rename.as_ref().unwrap_or(&one.name));
    let names: Vec<String> = names.map(|name| name.replace('-', "_")).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let is_named = |source: &PathBuf| names.iter().any(|name| has_in_code(source, name));
    let targets = package.targets.iter().filter(|target| {
        target.kind.contains(&TargetKind::Bench)
            && sources(target.src_path.as_std_path()).iter().any(is_named)
    });
    targets.map(|target| target.name.clone()).collect()
}

/// The names of a package's bench targets.
pub(crate) fn bench_targets(package: &Package) -> Vec<&str> {
    package
        .targets
        .iter()
        .filter(|target| target.kind.contains(&TargetKind::Bench))
        .map(|target| target.name.as_str())
        .collect()
}

/// The main file of a target, and the files of its own folder: that of `NAME/main.rs`, or
/// `NAME` beside `NAME.rs`.
fn sources(main: &Path) -> Vec<PathBuf> {
    let folder = if main.file_name().is_some_and(|name| name == "main.rs") {
        main.parent().map(Path::to_path_buf)
    } else {
        Some(main.with_extension(""))
    };
    let entries = folder.and_then(|folder| fs::read_dir(folder).ok());
    let entries = entries.into_iter().flatten().flatten();
    let mut files = vec![main.to_path_buf()];
    files.extend(entries.map(|entry| entry.path()));
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files
}

/// Whether a line of the file that is no comment has the `name`.
fn has_in_code(file: &Path, name: &str) -> bool {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    code.any(|line| line.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_of_a_bench_are_its_sources() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("one")).expect("a folder can be made");
        for name in ["one.rs", "one/scenarios.rs", "one/notes.md", "two.rs"] {
            fs::write(path(name), "").expect("a file can be written");
        }
        let of_file = sources(&path("one.rs"));
        assert_eq!(of_file, [path("one.rs"), path("one/scenarios.rs")]);
        let mut of_folder = sources(&path("one/main.rs"));
        of_folder.sort();
        assert_eq!(of_folder, [path("one/main.rs"), path("one/scenarios.rs")]);
        assert_eq!(sources(&path("two.rs")), [path("two.rs")]);
    }

    #[test]
    fn a_name_in_a_comment_is_not_in_the_code() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("bench.rs");
        for (text, expected) in [
            ("use alloc_scenario::Suite;\n", true),
            (
                "fn main() {\n    alloc_scenario::Suite::from_args();\n}\n",
                true,
            ),
            (
                "//! Not like alloc_scenario.\n    // alloc_scenario\n",
                false,
            ),
            ("use criterion::Criterion;\n", false),
        ] {
            fs::write(&file, text).expect("a file can be written");
            assert_eq!(has_in_code(&file, "alloc_scenario"), expected, "{text}");
        }
        assert!(!has_in_code(
            &folder.path().join("absent.rs"),
            "alloc_scenario"
        ));
    }
}
