//! `init --criterion`: counts the criterion benches of a package, by one line of its manifest.

use std::env;
use std::fs;
use std::path::Path;

use alloc_gate::Config;
use alloc_gate::rules::Pattern;
use alloc_results::BenchId;

use super::criterion_line::{CRATE, line, replaced};
use super::dependency;
use super::sample::{RULES_HEAD, line_end};
use super::{
    Call, InitArguments, Output, Runnable, package, present_rules, rules_files, warn_of_older_rust,
    write as write_files,
};
use crate::cargo::{Workspace, criterion_benches};
use crate::commands::run::RunArguments;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::shown;

/// The Rust that criterion and alloc-criterion need.
const RUST: (u64, u64) = (1, 86);

/// Shows and writes the lines, and runs one bench.
pub(super) fn write(
    arguments: &InitArguments,
    workspace: &Workspace,
    rules_path: &Path,
    call: &Call<'_>,
) -> Result<Code, Failure> {
    let manifest_path = call.workspace.manifest_path.as_deref();
    let package = package(arguments, workspace, manifest_path)?;
    let benches = criterion_benches(package);
    let globs = &arguments.build.bench;
    let is_wanted =
        |name: &&String| globs.is_empty() || globs.iter().any(|glob| glob.matches(name));
    let Some(first) = benches.iter().find(is_wanted) else {
        let what = format!("`{}` has no bench over criterion", package.name);
        let what = if benches.is_empty() {
            what
        } else {
            format!("{what} that --bench selects")
        };
        return Err(Failure::usage(what).help(
            "name another package with -p, or write a new bench with `cargo alloc-gate init`",
        ));
    };
    let manifest_path = package.manifest_path.clone().into_std_path_buf();
    let folder = manifest_path.parent().unwrap_or(Path::new(""));
    let here = env::current_dir().unwrap_or_default();
    let source = dependency::source(CRATE, arguments.dependency.as_deref(), &here, folder)?;
    let manifest = fs::read_to_string(&manifest_path).map_err(|error| {
        let path = manifest_path.display();
        Failure::metadata_failed(format!("failed to read {path}: {error}"))
    })?;
    let new = replaced(&manifest, &source).map_err(|problem| {
        unchangeable(&manifest_path, &problem).help(format!(
            "write this line of its own there, with the features of criterion that the benches \
             need: `{}`",
            line(&source)
        ))
    })?;
    let rules = present_rules(workspace, rules_path, call)?;
    let before = rules.as_ref().map(|rules| rules.config.text().to_owned());
    let declared = workspace.declared_benches()?;
    let is_listed = |name: &String| {
        let bench = BenchId {
            package: package.name.to_string(),
            target: name.clone(),
        };
        let is_ruled = rules
            .as_ref()
            .is_some_and(|rules| rules.config.bench(&bench).is_some());
        is_ruled || declared.contains(&(bench.package, bench.target))
    };
    let missing = benches.iter().filter(|name| !is_listed(name));
    let entries: Vec<String> = missing
        .map(|name| {
            format!(
                "[[bench]]\npackage = \"{}\"\ntarget = \"{name}\"\n",
                package.name
            )
        })
        .collect();
    let head = before.as_deref().unwrap_or(RULES_HEAD);
    let text = with_entries(head, &entries);
    Config::parse(&shown(rules_path), &text)
        .map_err(|mistakes| unchangeable(rules_path, &mistakes.to_string()))?;

    let changes = new.lines.iter();
    let changes: Vec<String> = changes
        .map(|(old, new)| format!("{}{}", marked('-', old), marked('+', new)))
        .collect();
    for (path, lines) in [
        (&*manifest_path, changes.concat()),
        (rules_path, marked('+', entries.join("\n").trim_end())),
    ] {
        if !lines.is_empty() {
            call.shell
                .note(&format!("{} gets", shown(path)), lines.trim_end());
        }
    }
    let mut outputs = rules_files(rules_path, text, before, arguments.schema);
    outputs.push(Output {
        path: manifest_path.clone(),
        text: new.text,
        before: Some(manifest),
    });
    write_files(outputs, call.shell)?;
    warn_of_older_rust(package, CRATE, RUST, call.shell);

    let mut build = arguments.build.clone();
    build.package = vec![exactly(&package.name)?];
    build.bench = vec![exactly(first)?];
    RunArguments::with(build)?.run(call)?;
    call.shell.verdict(
        "alloc-gate: counts the criterion benches; run `cargo alloc-gate suggest --write` for gates",
    );
    Ok(Code::Held)
}

/// The error for a file that can't be changed.
fn unchangeable(path: &Path, problem: &str) -> Failure {
    let path = shown(path);
    Failure::output_failed(format!("nothing was written: {path}: {problem}"))
}

/// The rules with entries at their end.
fn with_entries(rules: &str, entries: &[String]) -> String {
    if entries.is_empty() {
        return rules.to_owned();
    }
    let line_end = line_end(rules);
    let entries = entries.join("\n").replace('\n', line_end);
    format!("{}{line_end}{line_end}{entries}", rules.trim_end())
}

/// The lines with a mark before each; nothing for no lines.
fn marked(mark: char, lines: &str) -> String {
    lines
        .lines()
        .map(|line| format!("{mark} {line}").trim_end().to_owned() + "\n")
        .collect()
}

/// A glob for this name alone. Names of packages and targets have no signs of globs.
fn exactly(name: &str) -> Result<Pattern, Failure> {
    crate::arguments::glob(name).map_err(Failure::usage)
}

#[cfg(test)]
mod tests {
    use alloc_results::protocol;

    use super::*;

    #[test]
    fn the_crate_has_this_rust_and_reads_this_variable() {
        let (major, minor) = RUST;
        let manifest = include_str!("../../../../alloc-criterion/Cargo.toml");
        assert!(manifest.contains(&format!("\nrust-version = \"{major}.{minor}\"\n")));
        let script = include_str!("../../../../alloc-criterion/build.rs");
        assert!(script.contains(&format!("\"{}\"", protocol::CRITERION)));
    }
}
