//! `init`: writes a first bench, its lines in Cargo.toml, and gates.toml. It writes all of
//! them or none, and overwrites nothing.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use alloc_gate::suggest::Which;
use cargo_metadata::Package;
use clap::Args;

use super::suggest::suggestions;
use super::{Call, Runnable};
use crate::arguments::BuildArguments;
use crate::cargo::{Workspace, listed};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::{Prepared, shown};
use crate::manifest::{self, Addition};
use crate::project::Project;
use crate::rules::{self, Rules, invalid};
use crate::shell::Shell;

const BENCH: &str = "alloc_count";
const SCENARIO: &str = "collect words";
const GATE: &str = "one-vector";

const BENCH_TEXT: &str = include_str!("init/alloc_count.rs.in");
const RULES_HEAD: &str = include_str!("init/gates.toml.in");
const RULES_SAMPLE: &str = include_str!("init/sample.toml.in");

/// Write a first bench, its lines in Cargo.toml, and gates.toml
///
/// They go into the package that -p names, or the one in the current folder. Nothing that
/// exists is overwritten: either all of them are written, or none.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    #[command(flatten)]
    build: BuildArguments,
    /// Measure the benches that packages' metadata names, and write a gates.toml for
    /// them; no effect without such benches
    #[arg(long)]
    suggest: bool,
    /// Where alloc-scenario comes from, instead of its version on crates.io, such as
    /// 'path = "../alloc-gate/crates/alloc-scenario"'
    #[arg(long, value_name = "TOML")]
    dependency: Option<String>,
}

impl Runnable for InitArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let workspace = Workspace::load(call.workspace, None)?;
        let rules_path = rules::path(&workspace, call.workspace);
        let has_benches = !workspace.declared_benches()?.is_empty();
        if self.suggest && has_benches {
            write_suggested(self, workspace, &rules_path, call)
        } else {
            write_sample(self, &workspace, &rules_path, call)
        }
    }
}

/// Writes gates.toml with gates for the benches that packages' metadata names.
fn write_suggested(
    arguments: &InitArguments,
    workspace: Workspace,
    rules_path: &Path,
    call: &Call<'_>,
) -> Result<Code, Failure> {
    if exists(rules_path) {
        return Err(refusal(&[exists_already(rules_path)])
            .help("`cargo alloc-gate suggest --write` adds gates to rules that exist"));
    }
    let rules = Rules::none(&workspace);
    let project = Project {
        arguments: call.workspace,
        workspace,
        rules,
    };
    let run = project.bench_run(&arguments.build)?;
    let [measurements, again] = run.measure_twice(call.shell)?;
    let config = &project.rules.config;
    let suggestions = suggestions(config, &measurements, Some(&again), Which::All)?;
    let file = config.file();
    let text = suggestions
        .appended_to(file, RULES_HEAD)
        .map_err(|diagnostics| invalid(file, &diagnostics))?;
    write(vec![(rules_path.to_path_buf(), text)], None, call.shell)?;
    call.shell
        .verdict("alloc-gate: wrote the rules; read the gates, and run `cargo alloc-gate`");
    Ok(Code::Held)
}

/// Writes a bench with one scenario, and a gate on it.
fn write_sample(
    arguments: &InitArguments,
    workspace: &Workspace,
    rules_path: &Path,
    call: &Call<'_>,
) -> Result<Code, Failure> {
    let package = package(
        arguments,
        workspace,
        call.workspace.manifest_path.as_deref(),
    )?;
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
        Failure::metadata_failed(format!(
            "failed to read {}: {error}",
            manifest_path.display()
        ))
    })?;
    let sample = filled(RULES_SAMPLE);
    let by_hand = || {
        format!(
            "add the missing parts by hand\n\nto {}:\n\n{}\nto {}:\n{sample}",
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
        return Err(refusal(&present).help(by_hand()));
    }
    let new_manifest = addition.add_to(&manifest).map_err(|problem| {
        let path = shown(&manifest_path);
        refusal(&[format!("lines can't be added to {path}: {problem}")]).help(by_hand())
    })?;
    write(
        vec![
            (bench_path, filled(BENCH_TEXT)),
            (rules_path.to_path_buf(), format!("{RULES_HEAD}{sample}")),
        ],
        Some((manifest_path, new_manifest)),
        call.shell,
    )?;
    call.shell.verdict(
        "alloc-gate: wrote a sample; run `cargo alloc-gate`, and then replace the sample by a \
         call of your own",
    );
    Ok(Code::Held)
}

/// The value of `--dependency` as an inline table.
fn inline_table(toml: &str) -> Result<String, Failure> {
    manifest::inline_table(toml).ok_or_else(|| {
        Failure::usage(format!(
            "`{toml}` does not say where a dependency comes from"
        ))
        .help("write keys of a manifest: `path = \"../alloc-gate/crates/alloc-scenario\"`")
    })
}

/// The package that -p names, or the one in the current folder.
fn package<'w>(
    arguments: &InitArguments,
    workspace: &'w Workspace,
    manifest_path: Option<&Path>,
) -> Result<&'w Package, Failure> {
    let found = match arguments.build.package.as_slice() {
        [] => {
            let here = env::current_dir().unwrap_or_default();
            workspace.package_at(manifest_path, &here)
        }
        [name] => workspace.package(name),
        [_, _, ..] => None,
    };
    found.ok_or_else(|| {
        let what = match arguments.build.package.as_slice() {
            [name] => format!("the workspace has no package `{name}`"),
            [_, _, ..] => String::from("-p has to name one package, and it names several"),
            [] => String::from("several packages found"),
        };
        Failure::usage(what).help(format!(
            "choose one with -p: {}",
            listed(&workspace.package_names())
        ))
    })
}

/// Writes the new files and then the manifest. All are prepared before the first is put
/// in its place, and if one fails, the others are removed again.
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
            // A file that can't be removed is one that the user asked for.
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
    Failure::output_failed(format!("nothing was written: {}", reasons.join("; ")))
}
