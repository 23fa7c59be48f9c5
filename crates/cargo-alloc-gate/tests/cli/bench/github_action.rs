//! The script of the GitHub action, with files in place of GitHub's and, to see what it
//! installs and reads, with scripts in place of cargo and of the command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{PROGRAM, Ran, path_with};
use crate::project::{BOXES, Project};
use crate::stand_in;

const ACTION: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../.github/actions/alloc-gate"
);

/// The script in the folder of the project, with programs of `first` before all others.
fn script(project: &Project, first: &Path, args: &str, version: &str) -> Command {
    let mut command = project.command_in("bash", "");
    command
        .arg(format!("{ACTION}/run.sh"))
        .env("PATH", path_with(first))
        .env("INPUT_ARGS", args)
        .env("INPUT_VERSION", version)
        .env("ACTION_FOLDER", ACTION)
        .env("RUNNER_TEMP", temp(project))
        .env("GITHUB_OUTPUT", project.path("output"))
        .env("GITHUB_STEP_SUMMARY", project.path("summary.md"));
    command
}

/// The folder of temporary files of the job, outside of the workspace.
fn temp(project: &Project) -> PathBuf {
    project.root().with_file_name("temp")
}

/// The script with the program under test as the installed command.
fn with_program(project: &Project, args: &str) -> Command {
    let bin = Path::new(PROGRAM).parent().expect("it is in a folder");
    for file in ["output", "summary.md"] {
        project.write(file, "");
    }
    script(project, bin, args, "")
}

/// Runs the script with the program under test as the installed command.
fn run(project: &Project, args: &str, code: i32) -> Ran {
    project.finish(with_program(project, args)).code(code)
}

/// Writes a script that can be run.
fn write_program(project: &Project, path: &str, text: &str) {
    let path = project.path(path);
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it can be made");
    stand_in::program(&path, text);
}

#[test]
fn the_action_posts_the_report_and_ends_with_the_exit_code() {
    let project = Project::with("action", "one: 8", BOXES);
    let ran = run(&project, "check --color never", 0);
    ran.stderr_has("alloc-gate: passed: ").stdout_has("one");
    project.has("output", "exit-code=0\nverdict=alloc-gate: passed: ");
    project.has("summary.md", "one");
    assert!(!project.read("summary.md").contains("```text\nalloc-gate: "));

    project.scenarios("counts", "one: 8 8");
    let failing = with_program(&project, "check");
    project.write("summary.md", "of another step\n");
    project.finish(failing).code(1);
    project.has("output", "exit-code=1\nverdict=alloc-gate: FAILED: ");
    project.has("summary.md", "one");
    let page = temp(&project).join("cargo-alloc-gate/allocations.html");
    project.has("output", &format!("page={}\n", page.display()));
    let html = fs::read_to_string(&page).expect("it is there");
    assert!(html.contains("FAILED"), "{html}");
    assert!(project.read("summary.md").starts_with("of another step\n"));

    // The outputs have no colours, which many workflows ask cargo for.
    let colored = run(&project, "check --color always", 1);
    colored.stderr_has("\u{1b}[1m\u{1b}[31malloc-gate: FAILED: ");
    project.has("output", "exit-code=1\nverdict=alloc-gate: FAILED: ");

    // Other commands have no page.
    run(&project, "list", 0);
    assert!(!page.exists());

    // The summary of an end without a verdict is the command's, too.
    run(&project, "check\n--bench nothing", 4);
    project.has("output", "exit-code=4\nverdict=alloc-gate: ");
    project.has("summary.md", "## alloc-gate: nothing was selected\n");
    assert!(!project.read("summary.md").contains("```text\nalloc-gate: "));
}

/// A cargo that writes what it is called with and, if it installs, where and how; and that
/// has an alias `alloc-gate`.
const CARGO: &str = r#"#!/usr/bin/env bash
echo "cargo $*" >>"$CALLS"
case "$*" in
  "binstall -V") test -e "${CALLS%calls}binstall" ;;
  install\ * | binstall\ *)
    echo "in $PWD, target ${CARGO_TARGET_DIR-}, flags ${RUSTFLAGS-none}" >>"$CALLS"
    if [ -e "${CALLS%calls}offline" ]; then exit 101; fi
    mkdir bin
    cp "${CALLS%calls}program" bin/cargo-alloc-gate
    ;;
  "alloc-gate --version") echo "cargo alloc-gate 0.1.0" ;;
esac
"#;

/// A command that writes what it is called with.
const COMMAND: &str = r#"#!/usr/bin/env bash
if [ "$*" = --version ]; then
  echo "cargo alloc-gate 0.1.0"
  exit
fi
echo "cargo-alloc-gate $*" >>"$CALLS"
echo "alloc-gate: passed: 1 gate checked" >&2
"#;

/// The script of a project with these programs, on a runner that has these files beforehand.
fn on_runner(name: &str, files: &[&str], version: &str) -> (Project, Command) {
    let project = Project::recorded(name, "one: 1 x\n", BOXES);
    let temp = temp(&project);
    if temp.exists() {
        fs::remove_dir_all(&temp).expect("an old folder can be removed");
    }
    project.write("calls", "");
    write_program(&project, "program", COMMAND);
    write_program(&project, "bin/cargo", CARGO);
    // As if it were missing, also where it is installed.
    write_program(&project, "bin/cargo-alloc-gate", "#!/bin/sh\nexit 127\n");
    for file in files {
        write_program(&project, file, COMMAND);
    }
    let mut command = script(&project, &project.path("bin"), "check -p a", version);
    command
        .env("CALLS", project.path("calls"))
        .env("RUSTFLAGS", "-Dwarnings");
    (project, command)
}

/// The calls of cargo and of the command, with a runner that has these files beforehand.
fn calls(name: &str, files: &[&str], version: &str) -> Vec<String> {
    let (project, command) = on_runner(name, files, version);
    let temp = temp(&project);
    project.finish(command).code(0);
    let verdict = "alloc-gate: passed: 1 gate checked";
    project.has("output", &format!("exit-code=0\nverdict={verdict}\n"));
    project.has("summary.md", &format!("```text\n{verdict}\n```\n"));
    let temp = temp.to_str().expect("the path is UTF-8");
    let calls = project.read("calls");
    let calls = calls.replace(ACTION, "ACTION").replace(temp, "TEMP");
    calls.lines().map(str::to_owned).collect()
}

/// Outside of the workspace, whose configuration, toolchain file and flags are not for the
/// command, and over nothing of the user's.
const APART: &str = "in TEMP/cargo-alloc-gate, target TEMP/cargo-alloc-gate/target, flags none";

#[test]
fn the_action_installs_what_is_missing() {
    let check = "cargo-alloc-gate check -p a --report html=TEMP/cargo-alloc-gate/allocations.html";
    let from_sources = "cargo install --locked --root TEMP/cargo-alloc-gate \
                        --path ACTION/../../../crates/cargo-alloc-gate";
    let from_registry = "cargo install --locked --root TEMP/cargo-alloc-gate \
                         cargo-alloc-gate --version 0.2.0";
    let installed = &["bin/cargo-alloc-gate"][..];
    let name = "action-installs";
    assert_eq!(calls(name, &[], ""), [from_sources, APART, check]);
    assert_eq!(calls(name, installed, ""), [check]);
    assert_eq!(calls(name, installed, "0.1.0"), [check]);
    for files in [&[], installed] {
        let expected = ["cargo binstall -V", from_registry, APART, check];
        assert_eq!(calls(name, files, "0.2.0"), expected);
    }
    let binstall = "cargo binstall --no-confirm --root TEMP/cargo-alloc-gate \
                    cargo-alloc-gate@0.2.0";
    let expected = ["cargo binstall -V", binstall, APART, check];
    assert_eq!(calls(name, &["binstall"], "0.2.0"), expected);
}

#[test]
fn an_installation_that_fails_is_said_in_outputs_and_summary() {
    let (project, command) = on_runner("action-offline", &["offline"], "");
    project.finish(command).code(101);
    let verdict = "alloc-gate: error: failed to install the command (exit code 101)";
    project.has("output", &format!("exit-code=101\nverdict={verdict}\n"));
    project.has("summary.md", &format!("```text\n{verdict}\n```\n"));
}

/// The outputs after a command that ends with these lines on stderr, and in this way.
fn outputs(project: &Project, lines: &str, end: &str) -> String {
    project.write("output", "");
    let lines = lines.replace('\n', "\\n");
    let text = format!(
        "#!/usr/bin/env bash\n\
         if [ \"$*\" = --version ]; then echo 'cargo alloc-gate 0.1.0'; exit; fi\n\
         printf '{lines}' >&2\n{end}\n"
    );
    write_program(project, "bin/cargo-alloc-gate", &text);
    let command = script(project, &project.path("bin"), "", "");
    project.finish(command);
    project.read("output")
}

#[test]
fn only_the_command_decides_the_verdict() {
    let project = Project::recorded("action-verdict", "one: 1 x\n", BOXES);
    let outputs = |lines: &str, end: &str| outputs(&project, lines, end);
    let (ok, passed) = ("alloc-gate: ok\n", "alloc-gate: passed: 1 gate checked\n");
    let failed = "alloc-gate: FAILED: 1 gate checked (1 failed)\n";
    let crashed = "alloc-gate: error: a bench crashed (exit code 104)\n";
    let stopped = "alloc-gate: error: stopped by SIGTERM\n";
    // What other programs print before the verdict, and after it.
    for (verdict, end, code) in [
        (passed, "exit 0", 0),
        (failed, "exit 1", 1),
        (crashed, "exit 104", 104),
        (stopped, "kill -TERM $$", 143),
    ] {
        let expected = format!("exit-code={code}\nverdict={verdict}");
        assert_eq!(outputs(&format!("{ok}{verdict}"), end), expected);
        assert_eq!(outputs(&format!("{failed}{verdict}bye\n"), end), expected);
        if code != 0 {
            assert_eq!(outputs(&format!("{verdict}{ok}{passed}"), end), expected);
        }
    }
    // A command that is killed has no verdict.
    let verdict = "alloc-gate: ended without a verdict (exit code 137)\n";
    let expected = format!("exit-code=137\nverdict={verdict}");
    assert_eq!(outputs(&format!("{ok}{passed}"), "kill -KILL $$"), expected);
}

/// The script runs with `set -u`, so that the variables of these tests are all that it reads.
#[test]
fn the_action_sets_each_variable_and_only_its_first_step_decides() {
    let text = fs::read_to_string(Path::new(ACTION).join("action.yml")).expect("it is there");
    let (_, steps) = text.split_once("\n  steps:").expect("it has steps");
    let (first, others) = steps.split_once("\n    - if: ").expect("it has several");
    for line in [
        "INPUT_ARGS: ${{ ",
        "INPUT_VERSION: ${{ ",
        "ACTION_FOLDER: ${{ ",
        "run: bash \"$ACTION_FOLDER/run.sh\"\n",
    ] {
        assert!(first.contains(line), "{first}");
    }
    assert!(!first.contains("continue-on-error"), "{first}");
    for step in others.split("\n    - ") {
        let is_after = step.contains("${{ !cancelled() && ");
        let has_no_say = step.contains("\n      continue-on-error: true\n");
        assert!(is_after && has_no_say && !step.contains(" run: "), "{step}");
    }
}
