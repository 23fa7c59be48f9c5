//! Under GitHub Actions, an end without a verdict has annotations and a summary.

use snapbox::str;

use crate::bench::beginnings::fresh;
use crate::program::Ran;
use crate::project::{BOXES, Project};

/// Runs the program as a step of a workflow.
fn step(project: &Project, args: &[&str]) -> Ran {
    let mut program = project.command();
    program
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", "summary.md")
        .args(args);
    project.finish(program)
}

/// The workflow commands that it printed, below the line that names the page.
fn annotations(ran: &Ran) -> String {
    let text = ran.stderr_text();
    let page = "What to do: `design/red.md` in its repository.\n::error ";
    assert!(text.contains(page), "{text}");
    let lines = text.lines().filter(|line| line.starts_with("::"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn mistakes_in_rules_are_annotated_on_their_lines() {
    let project = Project::with("red-rules", "one box: 8", "\n[gate]\nname = \"a\"\n");
    let ran = step(&project, &[]).code(96);
    ran.same(&annotations(&ran), str![[r#"
::error file=gates.toml,line=11,title=alloc-gate%3A gates.toml or a baseline is invalid::`gate` must be an array of tables (`[[gate]]`), found table%0Ahelp: write `[[gate]]`

"#]]);
    ran.same(&project.read("summary.md"), str![[r#"

## alloc-gate: gates.toml or a baseline is invalid

    gates.toml is invalid: 1 mistake
    help: fix the errors above; nothing was built
    gates.toml:11: `gate` must be an array of tables (`[[gate]]`), found table
    help: write `[[gate]]`

There is no verdict (exit code 96). The command of this step shows the same on your machine.

alloc-gate checks how often and how much this code allocates. What to do: `design/red.md` in its repository.

"#]]);
}

#[test]
fn a_build_that_fails_is_annotated() {
    let project = fresh("red-build");
    project.run("init", 0);
    project.write("src/lib.rs", "pub fn broken() -> u8 { }\n");
    let ran = step(&project, &[]).code(101);
    ran.same(&annotations(&ran), str![[r#"
::error title=alloc-gate%3A a bench did not build::failed to build the benches%0Ahelp: see cargo's errors above; `cargo bench --no-run --package red-build --bench alloc_count` repeats them

"#]]);
}

#[test]
fn a_panic_is_annotated_on_its_scenario_and_a_hang_says_which_it_was() {
    let project = Project::with("red-panic", "first: 8\npanics: panic", BOXES);
    let ran = step(&project, &[]).code(104);
    ran.same(&annotations(&ran), str![[r#"
::error file=src/lib.rs,line=48,title=alloc-gate%3A panicked-scenario::`panics` was not measured: panicked: no more (at src/lib.rs:48:54)%0Ahelp: fix the scenario, and measure again

"#]]);
    project.has("summary.md", "\n## alloc-gate: a bench crashed");

    let project = Project::with("red-hang", "first: 8\nhangs: hang", BOXES);
    let rules = project.read("gates.toml");
    let limited = rules.replace("[run]\n", "[run]\ntimeout = \"3s\"\n");
    project.write("gates.toml", &limited);
    let ran = step(&project, &["check"]).code(104);
    ran.same(&annotations(&ran), str![[r#"
::error title=alloc-gate%3A a bench crashed%2C timed out%2C was incomplete%2C or its counter was not live::demo/counts timed out after 3 s while it measured `hangs`%0Ahelp: if it hangs, run it by itself: `cargo bench --package demo --bench counts`; if it is slow, raise `timeout` under `[run]` in gates.toml

"#]]);
    project.has(
        "summary.md",
        "\n    demo/counts timed out after 3 s while it measured `hangs`\n",
    );
}

#[test]
fn nothing_selected_and_outputs_that_fail_are_annotated() {
    let project = Project::with("red-outputs", "one box: 8", BOXES);
    let ran = step(&project, &["--scenarios", "nosuch"]).code(4);
    ran.same(&annotations(&ran), str![[r#"
::error title=alloc-gate%3A nothing was selected::no scenario matches `nosuch`%0Ahelp: a glob must match the whole name; `cargo alloc-gate list` prints the names; '*nosuch*' selects by a part of the name

"#]]);
    let ran = step(&project, &["--report", "json=Cargo.toml/gates.json"]).code(110);
    ran.same(&annotations(&ran), str![[r#"
::error title=alloc-gate%3A an output could not be written::failed to write Cargo.toml/gates.json: Cargo.toml is not a directory%0Ahelp: make the path writable, or choose another; an existing file was not changed

"#]]);
}
