//! The benches of a [`Workspace`]: those that its members declare, and those over the harness.

use std::fs;
use std::path::{Path, PathBuf};

use alloc_results::BenchId;
use cargo_metadata::{Package, Target, TargetKind};

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
            targets.filter(|one| !one.is_module).map(|one| BenchId {
                package: package.name.to_string(),
                target: one.target.name.clone(),
            })
        });
        benches.collect()
    }
}

/// A bench with its sources.
struct BenchSources<'p> {
    target: &'p Target,
    files: Vec<PathBuf>,
    /// Whether it is a module of another bench and has no `main`.
    is_module: bool,
}

/// The benches of the package whose sources name criterion, or what counts in its place.
pub(crate) fn criterion_benches(package: &Package) -> Vec<String> {
    let benches = benches_over(package, &["criterion", "alloc-criterion"]).into_iter();
    let benches = benches.filter(|one| !one.is_module);
    benches.map(|one| one.target.name.clone()).collect()
}

/// The benches of a package whose sources name one of these packages, by its name there.
fn benches_over<'p>(package: &'p Package, harnesses: &[&str]) -> Vec<BenchSources<'p>> {
    let dependencies = package.dependencies.iter();
    let harnesses = dependencies.filter(|one| harnesses.contains(&one.name.as_str()));
    let names = harnesses.map(|one| one.rename.as_ref().unwrap_or(&one.name));
    let names: Vec<String> = names.map(|name| name.replace('-', "_")).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let folder = package.manifest_path.as_std_path().parent();
    let targets = package.targets.iter();
    let targets = targets.filter(|target| target.kind.contains(&TargetKind::Bench));
    let all = targets.map(|target| BenchSources {
        target,
        files: sources(
            target.src_path.as_std_path(),
            folder.unwrap_or(Path::new("")),
        ),
        is_module: false,
    });
    let mut all: Vec<BenchSources<'_>> = all.collect();
    let modules = all.iter().flat_map(|one| one.files.iter().skip(1).cloned());
    let modules: Vec<PathBuf> = modules.collect();
    for one in &mut all {
        let is_module = |main: &PathBuf| {
            modules.contains(main) && !code(main).iter().any(|line| line.contains("fn main("))
        };
        one.is_module = one.files.first().is_some_and(is_module);
    }
    let names_one = |line: &String| names.iter().any(|name| line.contains(name));
    all.retain(|one| {
        one.files
            .iter()
            .any(|file| code(file).iter().any(names_one))
    });
    all
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

/// The main file of a target, and the files of the package in `folder` that it includes, as
/// modules or otherwise. They are found in the text: a bench that nobody asked for is not built,
/// because it may not build.
fn sources(main: &Path, folder: &Path) -> Vec<PathBuf> {
    // Each with whether its modules are beside it, or else in a folder of its name.
    let mut files = vec![(main.to_path_buf(), true)];
    let mut read = 0;
    while let Some((file, is_beside)) = files.get(read).cloned() {
        read += 1;
        let parent = file.parent().unwrap_or(folder);
        let below = if is_beside {
            parent.to_path_buf()
        } else {
            file.with_extension("")
        };
        for line in code(&file) {
            let mut found = Vec::new();
            let quoted = line.split('"').skip(1).step_by(2);
            for text in quoted.filter(|text| text.ends_with(".rs")) {
                // One that begins with a slash is behind the folder of the package.
                let path = text.strip_prefix('/').map(|text| folder.join(text));
                found.push((path.unwrap_or_else(|| parent.join(text)), true));
            }
            for statement in line.split_inclusive(';') {
                let words: Vec<&str> = statement.split_whitespace().collect();
                if let [.., "mod", name] = words[..]
                    && let Some(name) = name.strip_suffix(';')
                {
                    found.push((below.join(format!("{name}.rs")), false));
                    found.push((below.join(name).join("mod.rs"), true));
                }
            }
            for (path, is_beside) in found {
                let is_known = files.iter().any(|(file, _)| *file == path);
                if path.is_file() && !is_known {
                    files.push((path, is_beside));
                }
            }
        }
    }
    files.into_iter().map(|(file, _)| file).collect()
}

/// The lines of a file that are no comments, without the spaces around them.
fn code(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().map(str::trim);
    let code = lines.filter(|line| !line.starts_with("//"));
    code.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_that_a_bench_includes_are_its_sources() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| folder.path().join(name);
        for (name, text) in [
            (
                "benches/one.rs",
                "mod scenarios;\npub(crate) mod inner;\nmod gone;\n// mod two;\n",
            ),
            ("benches/scenarios.rs", "mod deep;\n"),
            ("benches/scenarios/deep.rs", ""),
            ("benches/inner/mod.rs", "mod one { }\n"),
            ("benches/deep.rs", ""),
            ("benches/two.rs", "#[path = \"../parts/x.rs\"] mod x;\n"),
            (
                "parts/x.rs",
                "include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/benches/part.rs\"));\n",
            ),
            ("benches/part.rs", "mod deep; mod two;\n"),
        ] {
            fs::create_dir_all(path(name).parent().expect("it has one")).expect("it can be made");
            fs::write(path(name), text).expect("a file can be written");
        }
        for (main, expected) in [
            (
                "benches/one.rs",
                &[
                    "benches/scenarios.rs",
                    "benches/inner/mod.rs",
                    "benches/scenarios/deep.rs",
                ][..],
            ),
            (
                "benches/two.rs",
                &[
                    "benches/../parts/x.rs",
                    "benches/part.rs",
                    "benches/deep.rs",
                ],
            ),
            ("benches/gone.rs", &[]),
        ] {
            let found = sources(&path(main), folder.path());
            let others = found.iter().skip(1).cloned().collect::<Vec<_>>();
            let expected: Vec<PathBuf> = expected.iter().map(|name| path(name)).collect();
            assert_eq!(others, expected, "{main}");
        }
    }

    #[test]
    fn a_comment_is_no_code() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("bench.rs");
        fs::write(&file, "//! Like x.\nuse y;\n    // x\n").expect("a file can be written");
        assert_eq!(code(&file), ["use y;"]);
        assert_eq!(code(&folder.path().join("absent.rs")), [""; 0]);
    }
}
