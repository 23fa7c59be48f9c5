//! The benches of a [`Workspace`] over a harness.

use std::fs;
use std::path::{Path, PathBuf};

use alloc_results::BenchId;
use cargo_metadata::{Package, Target};

use super::Workspace;

/// A bench for this program depends on one of these packages.
const HARNESSES: [&str; 2] = ["alloc-scenario", "alloc-criterion"];

impl Workspace {
    /// The benches of members whose sources name alloc-scenario, or alloc-criterion by the name
    /// that it has there. A bench with another harness is not among them.
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

/// The benches of a package whose sources name one of these packages, by its name there; without
/// the modules of others.
fn benches_over(package: &Package, harnesses: &[&str]) -> Vec<String> {
    let dependencies = package.dependencies.iter();
    let harnesses = dependencies.filter(|one| harnesses.contains(&one.name.as_str()));
    let names = harnesses.map(|one| one.rename.as_ref().unwrap_or(&one.name));
    let names: Vec<String> = names.map(|name| name.replace('-', "_")).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let folder = package.manifest_path.as_std_path().parent();
    let folder = folder.unwrap_or(Path::new(""));
    let targets = package.targets.iter().filter(|target| target.is_bench());
    let all = targets.map(|target| (target, sources(target.src_path.as_std_path(), folder)));
    let all: Vec<(&Target, Vec<PathBuf>)> = all.collect();
    let has = |file: &PathBuf, words: &[String]| {
        let code = code(file);
        code.iter()
            .any(|line| words.iter().any(|word| line.contains(word)))
    };
    let is_module = |main: &PathBuf| {
        let mut modules = all.iter().flat_map(|(_, files)| &files[1..]);
        modules.any(|file| file == main) && !has(main, &[String::from("fn main(")])
    };
    let benches = all
        .iter()
        .filter(|(_, files)| files.iter().any(|file| has(file, &names)) && !is_module(&files[0]));
    benches.map(|(target, _)| target.name.clone()).collect()
}

pub(crate) fn bench_targets(package: &Package) -> Vec<&str> {
    package
        .targets
        .iter()
        .filter(|target| target.is_bench())
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
}
