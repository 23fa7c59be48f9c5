//! `init`: a first bench, its lines in Cargo.toml, and gates.toml. All of it is
//! written or nothing, and nothing that exists is overwritten.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use alloc_gate::suggest::Which;
use cargo_metadata::Package;

use super::suggest::suggestions;
use crate::arguments::InitArguments;
use crate::cargo::{Workspace, listed};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::Prepared;
use crate::manifest::{self, Addition};
use crate::results::{Job, shown};
use crate::rules::{self, Rules, invalid};
use crate::shell::Shell;

const BENCH: &str = "alloc_count";
const SCENARIO: &str = "collect words";
const GATE: &str = "one-vector";

const BENCH_TEXT: &str = include_str!("init/alloc_count.rs.in");
const RULES_HEAD: &str = include_str!("init/gates.toml.in");
const RULES_SAMPLE: &str = include_str!("init/sample.toml.in");

pub(crate) fn init(arguments: &InitArguments, shell: &Shell) -> Result<Code, Failure> {
    let workspace = Workspace::load(&arguments.workspace)?;
    let rules_path = rules::path(&workspace, &arguments.workspace);
    let has_benches = !workspace.declared_benches()?.is_empty();
    if arguments.suggest && has_benches {
        measured(arguments, &workspace, &rules_path, shell)
    } else {
        sample(arguments, &workspace, &rules_path, shell)
    }
}

/// Writes gates.toml with gates for the benches that there are.
fn measured(
    arguments: &InitArguments,
    workspace: &Workspace,
    rules_path: &Path,
    shell: &Shell,
) -> Result<Code, Failure> {
    if exists(rules_path) {
        return Err(refusal(&[exists_already(rules_path)]).next(
            "`cargo alloc-gate suggest --write` adds gates for what has none to the rules that \
             there are",
        ));
    }
    let rules = Rules::none(workspace);
    let job = Job::new(
        workspace,
        &rules.config,
        &arguments.build,
        &arguments.workspace,
    )?;
    let measurements = job.run(shell)?.measurements;
    let suggestions = suggestions(&rules.config, &measurements, Which::All)?;
    let file = rules.config.file();
    let text = suggestions
        .appended_to(file, RULES_HEAD)
        .map_err(|diagnostics| invalid(file, &diagnostics))?;
    write(vec![(rules_path.to_path_buf(), text)], None, shell)?;
    shell.verdict(
        "alloc-gate: nothing judged, as asked: read the gates, and run `cargo alloc-gate`",
    );
    Ok(Code::Held)
}

/// Writes a bench with one scenario, and a gate on it.
fn sample(
    arguments: &InitArguments,
    workspace: &Workspace,
    rules_path: &Path,
    shell: &Shell,
) -> Result<Code, Failure> {
    let package = package(arguments, workspace)?;
    let filled = |text: &str| {
        text.replace("{package}", &package.name)
            .replace("{bench}", BENCH)
            .replace("{scenario}", SCENARIO)
            .replace("{gate}", GATE)
    };
    let source = match &arguments.dependency {
        Some(toml) => inline_table(toml)?,
        // All crates have one version.
        None => format!("\"{}\"", env!("CARGO_PKG_VERSION")),
    };
    let addition = Addition {
        dependency: "alloc-scenario",
        source: &source,
        bench: BENCH,
    };
    let manifest_path = package.manifest_path.clone().into_std_path_buf();
    let folder = manifest_path.parent().unwrap_or(Path::new(""));
    let bench_path = folder.join("benches").join(format!("{BENCH}.rs"));
    let manifest = fs::read_to_string(&manifest_path).map_err(|error| {
        Failure::new(
            Code::MetadataFailed,
            format!("failed to read {}: {error}", manifest_path.display()),
        )
    })?;
    let sample = filled(RULES_SAMPLE);
    let by_hand = || {
        format!(
            "add by hand what is not there yet\n\nto {}:\n\n{}\nto {}:\n{sample}",
            shown(&manifest_path),
            addition.lines(),
            shown(rules_path),
        )
    };

    let present = [rules_path, bench_path.as_path()].into_iter();
    let mut present: Vec<String> = present
        .filter(|path| exists(path))
        .map(exists_already)
        .collect();
    if addition.has_bench(&manifest) {
        present.push(format!(
            "{} has a bench `{BENCH}` already",
            shown(&manifest_path)
        ));
    }
    if !present.is_empty() {
        return Err(refusal(&present).next(by_hand()));
    }
    let new_manifest = addition.add_to(&manifest).map_err(|problem| {
        let path = shown(&manifest_path);
        refusal(&[format!("lines can't be added to {path}: {problem}")]).next(by_hand())
    })?;
    write(
        vec![
            (bench_path, filled(BENCH_TEXT)),
            (rules_path.to_path_buf(), format!("{RULES_HEAD}{sample}")),
        ],
        Some((manifest_path, new_manifest)),
        shell,
    )?;
    shell.verdict(
        "alloc-gate: nothing judged, as asked: run `cargo alloc-gate`, and then measure what is \
         yours instead of the sample",
    );
    Ok(Code::Held)
}

/// What was typed for a dependency, as the table that stands behind its name.
fn inline_table(toml: &str) -> Result<String, Failure> {
    manifest::inline_table(toml).ok_or_else(|| {
        Failure::new(
            Code::Usage,
            format!("`{toml}` does not say where a dependency comes from"),
        )
        .next("write keys of a manifest: `path = \"../alloc-gate/crates/alloc-scenario\"`")
    })
}

/// The package that was named, or the one in the present folder.
fn package<'w>(
    arguments: &InitArguments,
    workspace: &'w Workspace,
) -> Result<&'w Package, Failure> {
    let found = match arguments.build.package.as_slice() {
        [] => {
            let here = env::current_dir().unwrap_or_default();
            workspace.package_at(arguments.workspace.manifest_path.as_deref(), &here)
        }
        [name] => workspace.package(name),
        [_, _, ..] => None,
    };
    found.ok_or_else(|| {
        let what = match arguments.build.package.as_slice() {
            [name] => format!("the workspace has no package `{name}`"),
            [_, _, ..] => String::from("a bench is written for one package, and several are named"),
            [] => String::from("which package to write a bench for is not clear"),
        };
        Failure::new(Code::Usage, what).next(format!(
            "name one of them with -p: {}",
            listed(&workspace.package_names())
        ))
    })
}

/// Writes the new files and then the manifest. All are prepared before any is in
/// its place, and what was put there goes again when another one fails.
fn write(
    new: Vec<(PathBuf, String)>,
    manifest: Option<(PathBuf, String)>,
    shell: &Shell,
) -> Result<(), Failure> {
    let mut prepared = Vec::new();
    for (path, text) in new {
        prepared.push((Prepared::new(&path, text.as_bytes())?, path));
    }
    let manifest = match manifest {
        Some((path, text)) => Some((Prepared::new(&path, text.as_bytes())?, path)),
        None => None,
    };
    let mut written: Vec<PathBuf> = Vec::new();
    let put = || {
        for (file, path) in prepared {
            file.persist_new()?;
            written.push(path);
        }
        if let Some((file, path)) = manifest {
            file.persist()?;
            written.push(path);
        }
        Ok(())
    };
    let result: Result<(), Failure> = put();
    if result.is_err() {
        for path in &written {
            // What can't be removed is no worse than what was asked for.
            let _ = fs::remove_file(path);
        }
        return result;
    }
    for path in &written {
        shell.status("Wrote", &shown(path));
    }
    Ok(())
}

/// Whether anything is at the path, a link to nothing included.
fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn exists_already(path: &Path) -> String {
    format!("{} exists already", shown(path))
}

fn refusal(reasons: &[String]) -> Failure {
    Failure::new(
        Code::OutputFailed,
        format!("nothing was written: {}", reasons.join("; ")),
    )
}
