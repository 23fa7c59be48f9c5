//! Under GitHub Actions, an end without a verdict has annotations and a summary.

use crate::program::Ran;
use crate::project::{BOXES, Project};

/// Runs the program as a step of a workflow, and asserts its code and its only annotation.
#[track_caller]
fn step(project: &Project, line: &str, code: i32, annotation: &str) -> Ran {
    let of_github = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_STEP_SUMMARY", "summary.md"),
    ];
    let ran = project.run_with(&of_github, line, code);
    ran.stderr_has("What to do: `docs/red.md` in its repository.\n::error ");
    let text = ran.stderr_text();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
    assert!(lines.len() == 1 && lines[0].contains(annotation), "{text}");
    ran
}

#[test]
fn mistakes_in_rules_are_annotated_on_their_lines() {
    let project = Project::recorded("red-rules", "one: 1 x", "\n[gate]\nname = \"a\"\n");
    let said = "`gate` must be an array of tables (`[[gate]]`), found table";
    step(
        &project,
        "check",
        96,
        &format!(
            "::error file=gates.toml,line=11,title=alloc-gate%3A gates.toml or a baseline is \
         invalid::{said}%0Ahelp: write `[[gate]]`"
        ),
    );
    project.has("summary.md", &format!(
        "## alloc-gate: gates.toml or a baseline is invalid\n\n    gates.toml is invalid: 1 mistake\n    \
         help: fix the errors above; nothing was built\n    gates.toml:11: {said}\n"
    ));
    project.has("summary.md", "\nThere is no verdict (exit code 96). ");
}

#[test]
fn a_panic_is_annotated_on_its_scenario_and_a_hang_says_which_it_was() {
    let project = Project::with("red-panic", "first: 8\npanics: panic", BOXES);
    step(
        &project,
        "",
        104,
        "::error file=src/lib.rs,line=47,title=alloc-gate%3A panicked-scenario::`panics` was not \
         measured: panicked: no more (at src/lib.rs:47:54)%0Ahelp: ",
    );
    project.has("summary.md", "\n## alloc-gate: a bench crashed");
    project.scenarios("counts", "first: 8\nhangs: hang");
    project.run_keys("timeout = \"3s\"");
    let said = "demo/counts timed out after 3 s while it measured `hangs`";
    step(
        &project,
        "check",
        104,
        &format!("::{said}%0Ahelp: if it hangs, "),
    );
    project.has("summary.md", &format!("\n    {said}\n"));
}

#[test]
fn outputs_that_fail_are_annotated() {
    let project = Project::recorded("red-outputs", "one box: 1 x", BOXES);
    step(
        &project,
        "check --results ../r --report json=Cargo.toml/gates.json",
        110,
        "::error title=alloc-gate%3A an output could not be written::failed to write \
         Cargo.toml/gates.json: Cargo.toml is not a directory%0Ahelp: ",
    );
}
