//! The script of the GitHub action, with files in place of GitHub's and, to see what it
//! installs, with a script in place of cargo.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{PROGRAM, Ran};
use crate::project::{BOXES, Project};

const ACTION: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../.github/actions/alloc-gate"
);

/// The script in the folder of the project, with programs of `first` before all others.
fn script(project: &Project, first: &Path, args: &str, version: &str) -> Command {
    let mut command = project.command_in("bash", "");
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [first.to_owned()]
        .into_iter()
        .chain(env::split_paths(&path));
    command
        .arg(format!("{ACTION}/run.sh"))
        .env(
            "PATH",
            env::join_paths(folders).expect("no folder has a `:`"),
        )
        .env("INPUT_ARGS", args)
        .env("INPUT_VERSION", version)
        .env("ACTION_FOLDER", ACTION)
        .env("GITHUB_OUTPUT", project.path("output"))
        .env("GITHUB_STEP_SUMMARY", project.path("summary.md"));
    command
}

/// Runs the script with the program under test as the installed command.
fn run(project: &Project, args: &str, code: i32) -> Ran {
    let bin = Path::new(PROGRAM).parent().expect("it is in a folder");
    for file in ["output", "summary.md"] {
        project.write(file, "");
    }
    project.finish(script(project, bin, args, "")).code(code)
}

#[test]
fn the_action_posts_the_report_and_ends_with_the_exit_code() {
    let project = Project::with("action", "one: 8", BOXES);
    let ran = run(&project, "check --color never", 0);
    let verdict = "alloc-gate: passed: ";
    assert!(ran.stderr_text().contains(verdict), "{}", ran.stderr_text());
    assert!(ran.stdout_text().contains("one"), "{}", ran.stdout_text());
    project.has("output", "exit-code=0\nverdict=alloc-gate: passed: ");
    project.has("summary.md", "one");
    assert!(!project.read("summary.md").contains("```text\nalloc-gate: "));

    project.scenarios("counts", "one: 8 8");
    run(&project, "check", 1);
    project.has("output", "exit-code=1\nverdict=alloc-gate: FAILED: ");
    project.has("summary.md", "one");

    // Without a report, the summary has the verdict.
    run(&project, "check\n--bench nothing", 4);
    project.has("output", "exit-code=4\nverdict=alloc-gate: ");
    project.has("summary.md", "```text\nalloc-gate: ");
}

/// A cargo that writes what it is called with, and has the command once it installed it.
const CARGO: &str = r#"#!/usr/bin/env bash
echo "$*" >>calls
case "$1 ${2-}" in
  "install "*) touch installed ;;
  "binstall -V") test -e binstall ;;
  "binstall "*) touch installed ;;
  "alloc-gate --version") test -e installed && echo "cargo-alloc-gate 0.1.0" ;;
  "alloc-gate "*) echo "alloc-gate: passed" >&2 ;;
esac
"#;

/// The calls of cargo, with a runner that has these files beforehand.
fn calls(name: &str, files: &[&str], version: &str) -> Vec<String> {
    let project = Project::with(name, "one: 8", BOXES);
    project.write("bin/cargo", CARGO);
    let cargo: PathBuf = project.path("bin/cargo");
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(cargo, executable).expect("it is there");
    for file in files {
        project.write(file, "");
    }
    let command = script(&project, &project.path("bin"), "check -p a", version);
    project.finish(command).code(0);
    project.has("summary.md", "```text\nalloc-gate: passed\n```\n");
    let calls = project.read("calls");
    let calls = calls.lines().filter(|call| !call.ends_with(" --version"));
    calls.map(|call| call.replace(ACTION, "ACTION")).collect()
}

#[test]
fn the_action_installs_what_is_missing() {
    let check = "alloc-gate check -p a";
    let from_sources = "install --locked --force --path ACTION/../../../crates/cargo-alloc-gate";
    let from_registry = "install --locked --force cargo-alloc-gate --version 0.2.0";
    let name = "action-installs";
    assert_eq!(calls(name, &[], ""), [from_sources, check]);
    assert_eq!(calls(name, &["installed"], ""), [check]);
    assert_eq!(calls(name, &["installed"], "0.1.0"), [check]);
    for files in [&[][..], &["installed"]] {
        let expected = ["binstall -V", from_registry, check];
        assert_eq!(calls(name, files, "0.2.0"), expected);
    }
    let binstall = "binstall --no-confirm --force cargo-alloc-gate@0.2.0";
    let expected = ["binstall -V", binstall, check];
    assert_eq!(calls(name, &["binstall"], "0.2.0"), expected);
}

#[test]
fn the_action_sets_each_variable_that_the_script_reads() {
    let read = |file| fs::read_to_string(Path::new(ACTION).join(file)).expect("it is there");
    let (action, script) = (read("action.yml"), read("run.sh"));
    let is_of_name = |c: char| c.is_ascii_uppercase() || c == '_';
    let words = script.split(|c| !is_of_name(c));
    let ours = words.filter(|word| word.starts_with("INPUT_") || *word == "ACTION_FOLDER");
    let ours: BTreeSet<&str> = ours.collect();
    assert_eq!(ours.len(), 3, "{ours:?}");
    for name in ours {
        assert!(
            action.contains(&format!("\n        {name}: ${{{{ ")),
            "{name}"
        );
    }
}
