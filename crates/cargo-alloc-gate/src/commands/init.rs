//! `init`: writes a first bench, its lines in Cargo.toml, and gates.toml with its schema. It
//! writes all of them or none, and keeps every line of files that exist.

pub(super) mod sample;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use alloc_gate::suggest::Which;
use cargo_metadata::{Package, TargetKind};
use clap::Args;

use self::sample::{BENCH, RULES_HEAD, Sample};
use super::suggest::suggestions;
use super::{Call, Runnable};
use crate::arguments::BuildArguments;
use crate::cargo::{Workspace, listed};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::{self, Prepared, shown};
use crate::manifest::{self, Addition};
use crate::project::Project;
use crate::rules::{self, Rules, invalid};
use crate::shell::Shell;

/// The name of the schema in the first line of the rules.
const SCHEMA: &str = "gates.schema.json";

/// Write a first bench, its lines in Cargo.toml, and gates.toml
///
/// They go into the package that -p names, or the one in the current folder. Rules that exist
/// are continued, and nothing is overwritten: either all of them are written, or none.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    #[command(flatten)]
    build: BuildArguments,
    /// Write gates for the benches in packages' metadata
    ///
    /// They are measured for it. No effect without such benches.
    #[arg(long)]
    suggest: bool,
    /// Where alloc-scenario comes from, instead of crates.io
    ///
    /// Such as 'path = "../alloc-gate/crates/alloc-scenario"'.
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

/// Writes gates for the benches that packages' metadata names to gates.toml.
fn write_suggested(
    arguments: &InitArguments,
    workspace: Workspace,
    rules_path: &Path,
    call: &Call<'_>,
) -> Result<Code, Failure> {
    let present = present_rules(&workspace, rules_path, call)?;
    let is_new = present.is_none();
    let project = Project {
        arguments: call.workspace,
        rules: present.unwrap_or_else(|| Rules::none(&workspace)),
        workspace,
    };
    let run = project.bench_run(&arguments.build)?;
    let [measurements, again] = run.measure_twice(call.shell)?;
    let config = &project.rules.config;
    let suggestions = suggestions(config, &measurements, Some(&again), Which::Ungated)?;
    let file = config.file();
    let head = if is_new {
        RULES_HEAD
    } else {
        project.rules.unchanged_file()?;
        config.text()
    };
    let text = suggestions
        .appended_to(file, head)
        .map_err(|diagnostics| invalid(file, &diagnostics))?;
    let before = (!is_new).then(|| config.text().to_owned());
    write(rules_files(rules_path, text, before), call.shell)?;
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
    let rules = present_rules(workspace, rules_path, call)?;
    let sample = if rules.is_some() {
        Sample::beside_others(&package.name)
    } else {
        Sample::alone(&package.name)
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
        has_library: has_library(package),
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
    let by_hand = || {
        format!(
            "add the missing parts by hand\n\nto {}:\n\n{}\nto {}:\n{}",
            shown(&manifest_path),
            addition.lines(),
            shown(rules_path),
            sample.rules(),
        )
    };

    let mut present: Vec<String> = Vec::new();
    if exists(&bench_path) {
        present.push(format!("{} already exists", shown(&bench_path)));
    }
    if addition.has_bench(&manifest) {
        present.push(format!(
            "{} already has a bench `{BENCH}`",
            shown(&manifest_path)
        ));
    }
    if !present.is_empty() {
        return Err(refusal(&present).help(by_hand()));
    }
    let unchangeable = |path: &Path, problem: &str| {
        let path = shown(path);
        refusal(&[format!("failed to add lines to {path}: {problem}")]).help(by_hand())
    };
    let new_manifest = addition
        .add_to(&manifest)
        .map_err(|problem| unchangeable(&manifest_path, &problem))?;
    let before = rules.map(|rules| rules.config.text().to_owned());
    let new_rules = sample
        .added_to(before.as_deref(), &shown(rules_path))
        .map_err(|problem| unchangeable(rules_path, &problem))?;
    let mut outputs = vec![Output::new_file(bench_path, sample.bench())];
    outputs.extend(rules_files(rules_path, new_rules, before));
    outputs.push(Output {
        path: manifest_path,
        text: new_manifest,
        before: Some(manifest),
    });
    write(outputs, call.shell)?;
    warn_of_older_rust(package, call.shell);
    call.shell.verdict(
        "alloc-gate: wrote a sample; run `cargo alloc-gate`, then replace the sample with a call \
         of your own",
    );
    Ok(Code::Held)
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

/// Warns if the package promises to build with a Rust that is too old for the bench.
fn warn_of_older_rust(package: &Package, shell: &Shell) {
    let ours = env!("CARGO_PKG_RUST_VERSION");
    let minor = |version: &str| -> Option<(u64, u64)> {
        let mut parts = version.split('.').map(str::parse);
        Some((parts.next()?.ok()?, parts.next()?.ok()?))
    };
    let Some(declared) = &package.rust_version else {
        return;
    };
    if Some((declared.major, declared.minor)) < minor(ours) {
        shell.warning(
            &format!(
                "`{}` has rust-version {declared}, and alloc-scenario needs Rust {ours}",
                package.name
            ),
            &format!(
                "run its tests and benches with Rust {ours} or newer; check the older one with \
                 `cargo check`, which leaves dev-dependencies out"
            ),
        );
    }
}

/// The value of `--dependency` as an inline table.
fn inline_table(toml: &str) -> Result<String, Failure> {
    manifest::inline_table(toml).ok_or_else(|| {
        Failure::usage(format!("`{toml}` is not a dependency"))
            .help("write it as in Cargo.toml: `path = \"../alloc-gate/crates/alloc-scenario\"`")
    })
}

/// The package that -p names, or the one in the current folder.
fn package<'w>(
    arguments: &InitArguments,
    workspace: &'w Workspace,
    manifest_path: Option<&Path>,
) -> Result<&'w Package, Failure> {
    let globs = &arguments.build.package;
    let mut names = workspace.package_names();
    names.retain(|name| globs.iter().any(|glob| glob.matches(name)));
    let found = match (globs.as_slice(), names.as_slice()) {
        ([], _) => {
            let here = env::current_dir().unwrap_or_default();
            workspace.package_at(manifest_path, &here)
        }
        ([_], [name]) => workspace.package(name),
        ([_, ..], _) => None,
    };
    found.ok_or_else(|| {
        let what = match (globs.as_slice(), names.as_slice()) {
            ([], _) => String::from("several packages found"),
            ([glob], []) => format!("the workspace has no package `{}`", glob.text()),
            ([_, ..], _) => String::from("-p matches several packages"),
        };
        Failure::usage(what).help(format!(
            "choose one with -p: {}",
            listed(&workspace.package_names())
        ))
    })
}

/// A file to write.
struct Output {
    path: PathBuf,
    text: String,
    /// The text that is replaced; `None` for a new file.
    before: Option<String>,
}

impl Output {
    fn new_file(path: PathBuf, text: String) -> Self {
        Self {
            path,
            text,
            before: None,
        }
    }
}

/// gates.toml, and the schema that its first line names if there is no such file.
fn rules_files(path: &Path, text: String, before: Option<String>) -> Vec<Output> {
    let schema = path.with_file_name(SCHEMA);
    let is_missing = text.starts_with(&format!("#:schema {SCHEMA}")) && !exists(&schema);
    let rules = Output {
        path: path.to_path_buf(),
        text,
        before,
    };
    let schema = Output::new_file(schema, alloc_gate::schema::text().to_owned());
    let outputs = [Some(rules), is_missing.then_some(schema)];
    outputs.into_iter().flatten().collect()
}

/// Writes the files. All are prepared before the first is put in its place, and if one
/// fails, the others get back what they were.
fn write(outputs: Vec<Output>, shell: &Shell) -> Result<(), Failure> {
    let mut prepared = Vec::new();
    for output in outputs {
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
    for output in &written {
        shell.status("Wrote", &shown(&output.path));
    }
    Ok(())
}

/// Whether anything is at the path, a link to nothing included.
fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn refusal(reasons: &[String]) -> Failure {
    Failure::output_failed(format!("nothing was written: {}", reasons.join("; ")))
}
