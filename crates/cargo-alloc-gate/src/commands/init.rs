//! `init`: writes a first bench, its lines in Cargo.toml, and gates.toml, or those of them that
//! are missing. It writes all or none, and keeps every line of files that exist.

mod criterion;
mod dependency;
mod manifest;
pub(super) mod sample;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use alloc_results::BenchId;
use cargo_metadata::{Package, TargetKind};
use clap::Args;

use self::manifest::Addition;
use self::sample::{BENCH, Sample, line_end};
use super::{Call, Runnable};
use crate::bench::cargo::{Workspace, criterion_benches, listed};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::{self, Prepared, shown};
use crate::output::shell::Shell;
use crate::project::{self, Rules};

/// The name of the schema in the first line of the rules.
const SCHEMA: &str = "gates.schema.json";

/// What every bench of alloc-scenario names.
const CRATE_PATH: &str = "alloc_scenario";

/// The Rust that alloc-scenario and the crates below it need.
const LIBRARIES_RUST: (u64, u64) = (1, 85);

/// Write a first bench, its lines in Cargo.toml, and gates.toml
///
/// They go into the package that -p names, or the one in the current folder. What is there
/// already stays, and what is missing is added. If one file can't be written, none is. Of a package
/// with benches over criterion, gates.toml names these, and the line of Cargo.toml is printed that
/// counts them.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The package, if it is not the one in the current folder
    #[arg(short, long, value_name = "NAME")]
    package: Option<String>,
    /// Where alloc-scenario comes from, or alloc-criterion
    ///
    /// The default is the sources that this command was built from. Such as 'path = "../alloc-gate/crates/alloc-scenario"'. A path is relative to the
    /// current folder.
    #[arg(long, value_name = "TOML")]
    dependency: Option<String>,
    /// Write the schema of gates.toml beside it, for editors
    #[arg(long)]
    schema: bool,
}

impl Runnable for InitArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let workspace = Workspace::load(call.workspace, None)?;
        let rules_path = project::path(&workspace, call.workspace);
        let manifest_path = call.workspace.manifest_path.as_deref();
        let package = package(self, &workspace, manifest_path)?;
        let benches = criterion_benches(package);
        if criterion::is_for(package, &benches) {
            let benches = (package, &*benches);
            return criterion::write(self, &workspace, benches, &rules_path, call);
        }
        write_sample(self, &workspace, package, &rules_path, call)
    }
}

/// Writes what is missing of a bench with one scenario, its lines in the manifest, and its gate.
fn write_sample(
    arguments: &InitArguments,
    workspace: &Workspace,
    package: &Package,
    rules_path: &Path,
    call: &Call<'_>,
) -> Result<Code, Failure> {
    let manifest_path = package.manifest_path.clone().into_std_path_buf();
    let folder = manifest_path.parent().unwrap_or(Path::new(""));
    let source = source(arguments, package, dependency::CRATE)?;
    let rules = present_rules(workspace, rules_path, call)?;
    let sample_bench = BenchId {
        package: package.name.to_string(),
        target: BENCH.to_owned(),
    };
    let bench_path = folder.join("benches").join(format!("{BENCH}.rs"));
    let bench = read_if_there(&bench_path)?;
    let before = rules.as_ref().map(|rules| rules.config.text().to_owned());
    let sample = Sample::of(package, bench.as_deref(), before.as_deref());
    let new_bench = || sample.bench(package.edition);
    let has_sample = bench.as_ref().is_none_or(|text| *text == new_bench());
    let additions = Additions {
        manifest_path: &manifest_path,
        to_manifest: Addition {
            dependency: dependency::CRATE,
            source: &source,
            bench: BENCH,
            has_library: has_library(package),
        },
        rules_path,
        sample: &sample,
        has_sample,
    };

    let is_another = |text: &String| !text.contains(CRATE_PATH);
    if bench.as_ref().is_some_and(is_another) {
        let (path, name) = (shown(&bench_path), dependency::CRATE);
        return Err(additions.refused(&format!("{path} exists, and is not a bench of {name}")));
    }
    let manifest = fs::read_to_string(&manifest_path).map_err(|error| {
        let path = manifest_path.display();
        Failure::metadata_failed(format!("failed to read {path}: {error}"))
    })?;
    let new_manifest = (additions.to_manifest.add_to(&manifest))
        .map_err(|problem| additions.unchangeable(&manifest_path, &problem))?;
    let new_rules = match &before {
        Some(text) if is_listed(rules.as_ref(), workspace, &sample_bench)? => text.clone(),
        _ => sample
            .added_to(before.as_deref(), has_sample, &shown(rules_path))
            .map_err(|problem| additions.unchangeable(rules_path, &problem))?,
    };
    let text = bench.clone().unwrap_or_else(new_bench);
    let mut outputs = vec![Output {
        path: bench_path,
        text,
        before: bench,
    }];
    outputs.extend(rules_files(rules_path, new_rules, before, arguments.schema));
    outputs.push(Output {
        path: manifest_path.clone(),
        text: new_manifest,
        before: Some(manifest),
    });
    let is_complete = outputs.iter().all(Output::is_there);
    write(outputs, call.shell)?;
    warn_of_older_rust(package, dependency::CRATE, LIBRARIES_RUST, call.shell);
    warn_of_missing_library(package, call.shell);
    call.shell.verdict(if is_complete {
        "alloc-gate: everything was there already; run `cargo alloc-gate`"
    } else if has_sample {
        "alloc-gate: wrote a sample; run `cargo alloc-gate`, then replace the sample with a call \
         of your own"
    } else {
        "alloc-gate: added what was missing; run `cargo alloc-gate suggest --write` for gates on \
         the scenarios"
    });
    Ok(Code::Held)
}

/// The parts of a sample that go to files that exist.
struct Additions<'a> {
    manifest_path: &'a Path,
    to_manifest: Addition<'a>,
    rules_path: &'a Path,
    sample: &'a Sample,
    /// Whether the bench has the sample's scenario.
    has_sample: bool,
}

impl Additions<'_> {
    /// The error for a file that stays as it is, with the parts to add by hand.
    fn refused(&self, problem: &str) -> Failure {
        Failure::output_failed(format!("nothing was written: {problem}")).help(format!(
            "add the missing parts by hand\n\nto {}:\n\n{}\nto {}:\n{}",
            shown(self.manifest_path),
            self.to_manifest.lines(),
            shown(self.rules_path),
            self.sample.rules(self.has_sample),
        ))
    }

    fn unchangeable(&self, path: &Path, problem: &str) -> Failure {
        let path = shown(path);
        self.refused(&format!("failed to add lines to {path}: {problem}"))
    }
}

/// Whether the rules or the package's metadata name the bench.
fn is_listed(
    rules: Option<&Rules>,
    workspace: &Workspace,
    bench: &BenchId,
) -> Result<bool, Failure> {
    let declared = workspace.declared_benches()?;
    let is_declared = declared
        .iter()
        .any(|(package, target)| (package, target) == (&bench.package, &bench.target));
    Ok(is_declared || rules.is_some_and(|rules| rules.config.lists(bench)))
}

/// Where the package takes the crate `name` from.
fn source(arguments: &InitArguments, package: &Package, name: &str) -> Result<String, Failure> {
    let folder = package.manifest_path.as_std_path().parent();
    let here = env::current_dir().unwrap_or_default();
    let keys = arguments.dependency.as_deref();
    dependency::source(name, keys, &here, folder.unwrap_or(Path::new("")))
}

/// The rules that exist already.
fn present_rules(
    workspace: &Workspace,
    path: &Path,
    call: &Call<'_>,
) -> Result<Option<Rules>, Failure> {
    if !exists(path) {
        return Ok(None);
    }
    Rules::load(workspace, call.workspace).map(Some)
}

/// Whether the package has a library, a procedural macro included.
fn has_library(package: &Package) -> bool {
    let is_program = |kind: &TargetKind| {
        matches!(
            kind,
            TargetKind::Bin
                | TargetKind::Bench
                | TargetKind::CustomBuild
                | TargetKind::Example
                | TargetKind::Test
        )
    };
    let mut kinds = package.targets.iter().flat_map(|target| &target.kind);
    kinds.any(|kind| !is_program(kind))
}

/// Warns if the package has no library that a bench can call.
fn warn_of_missing_library(package: &Package, shell: &Shell) {
    let kinds = package.targets.iter().flat_map(|target| &target.kind);
    let has = |kind| kinds.clone().any(|other| *other == kind);
    let help = if [TargetKind::Lib, TargetKind::RLib, TargetKind::DyLib]
        .into_iter()
        .any(has)
    {
        return;
    } else if has(TargetKind::ProcMacro) {
        "move the code of the macro into a library that the macro depends on, and measure that"
    } else if has(TargetKind::CDyLib) || has(TargetKind::StaticLib) {
        "add \"rlib\" to `crate-type` in `[lib]` of its Cargo.toml"
    } else {
        "move the code to measure into src/lib.rs, and call it from src/main.rs"
    };
    shell.warning(
        &format!("`{}` has no library that a bench can call", package.name),
        help,
    );
}

/// Warns if the package promises to build with a Rust that is too old for the crate `name`.
fn warn_of_older_rust(package: &Package, name: &str, needed: (u64, u64), shell: &Shell) {
    let Some(declared) = &package.rust_version else {
        return;
    };
    if (declared.major, declared.minor) < needed {
        let ours = format!("{}.{}", needed.0, needed.1);
        shell.warning(
            &format!(
                "`{}` has rust-version {declared}, and {name} needs Rust {ours}",
                package.name
            ),
            &format!(
                "run its tests and benches with Rust {ours} or newer; check the older one with \
                 `cargo check`, which leaves dev-dependencies out"
            ),
        );
    }
}

/// The package that -p names, or the one in the current folder.
fn package<'w>(
    arguments: &InitArguments,
    workspace: &'w Workspace,
    manifest_path: Option<&Path>,
) -> Result<&'w Package, Failure> {
    let here = env::current_dir().unwrap_or_default();
    let (found, what) = match &arguments.package {
        Some(name) => (
            workspace.package(name),
            format!("the workspace has no package `{name}`"),
        ),
        None => (
            workspace.package_at(manifest_path, &here),
            String::from("several packages found"),
        ),
    };
    let names = || format!("choose one with -p: {}", listed(&workspace.package_names()));
    found.ok_or_else(|| Failure::usage(what).help(names()))
}

/// A file to write.
struct Output {
    path: PathBuf,
    text: String,
    /// The text that is replaced; `None` for a new file.
    before: Option<String>,
}

impl Output {
    /// Whether the file has this text already.
    fn is_there(&self) -> bool {
        self.before.as_ref() == Some(&self.text)
    }
}

/// gates.toml, and with `schema` the schema that its first line then names.
fn rules_files(path: &Path, mut text: String, before: Option<String>, schema: bool) -> Vec<Output> {
    let mut outputs = Vec::new();
    if schema {
        if !text.starts_with("#:schema ") {
            text.insert_str(0, &format!("#:schema {SCHEMA}{}", line_end(&text)));
        }
        let path = path.with_file_name(SCHEMA);
        outputs.push(Output {
            before: fs::read_to_string(&path).ok(),
            path,
            text: alloc_gate::schema().to_owned(),
        });
    }
    let path = path.to_path_buf();
    outputs.insert(0, Output { path, text, before });
    outputs
}

/// Writes the files. All are prepared before the first is put in its place, and if one
/// fails, the others get back what they were.
fn write(outputs: Vec<Output>, shell: &Shell) -> Result<(), Failure> {
    let mut prepared = Vec::new();
    let (kept, new): (Vec<Output>, _) = outputs.into_iter().partition(Output::is_there);
    for output in new {
        let file = Prepared::new(&output.path, output.text.as_bytes())?;
        prepared.push((file, output));
    }
    let mut written: Vec<Output> = Vec::new();
    for (file, output) in prepared {
        let put = match output.before {
            Some(_) => file.persist(),
            None => file.persist_new(),
        };
        if let Err(failure) = put {
            for output in written {
                // A file that can't be put back is named by the error above all others.
                let _ = match output.before {
                    Some(text) => files::write(&output.path, text.as_bytes()),
                    None => fs::remove_file(&output.path)
                        .map_err(|error| files::failed(&output.path, &error)),
                };
            }
            return Err(failure);
        }
        written.push(output);
    }
    for (verb, outputs) in [("Kept", &kept), ("Wrote", &written)] {
        for output in outputs {
            shell.status(verb, &shown(&output.path));
        }
    }
    Ok(())
}

/// Whether anything is at the path, a link to nothing included.
fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// The text of the file, if it exists.
fn read_if_there(path: &Path) -> Result<Option<String>, Failure> {
    if !exists(path) {
        return Ok(None);
    }
    let text = fs::read_to_string(path).map_err(|error| files::failed(path, &error))?;
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rust_of_the_libraries_is_that_of_their_manifest() {
        let (major, minor) = LIBRARIES_RUST;
        let manifest = include_str!("../../../alloc-scenario/Cargo.toml");
        assert!(manifest.contains(&format!("\nrust-version = \"{major}.{minor}\"\n")));
    }
}
