//! Benches without usable results: code 104. No gate is checked.

use snapbox::str;

use crate::project::{BOXES, Project};

pub(crate) fn project(name: &str, scenarios: &str) -> Project {
    Project::with(name, scenarios, BOXES)
}

#[test]
fn scenarios_that_panic_are_all_named_and_the_others_still_run() {
    let project = project("panics", "use panics");
    let ran = project.run("", 104);
    ran.stderr_has("  | thread 'main'");
    ran.verdict(
        "error: 2 scenarios of demo/counts were not measured; the other scenarios were checked \
         (exit code 104)",
    );
    ran.stdout_has("\n| second   |   100 |      1.00 |\n");
    ran.stdout_has(
        "\nerror[panicked-scenario]: `panics` was not measured: panicked: no more \
         (at src/sets.rs:82:40) (src/sets.rs:82)\nerror[panicked-scenario]: `differs` ",
    );
    // A command that needs every figure stops.
    project.run("run", 104).stdout("");
}

#[test]
fn a_bench_that_aborts_is_named_with_the_scenario_that_it_measured() {
    let project = project("aborts", "first: 8\naborts: abort");
    project.run("", 104).bench_failed(str![[r#"
error: demo/counts crashed ([..]) while it measured `aborts`
  help: run it by itself: `cargo bench --package demo --bench counts`
alloc-gate: error: demo/counts crashed ([..]) while it measured `aborts`; no gates were checked (exit code 104)

"#]]);
}

#[test]
fn a_bench_that_exits_with_0_half_way_fails() {
    let project = project("half-way", "first: 8\nexits: exit 0");
    project.run("", 104).bench_failed(str![[r#"
error: demo/counts exited with code 0, but its results are incomplete: the end record is missing; the bench exited while it measured `exits`
  help: don't exit the process in a scenario; return the result of `Suite::finish` from `main`
alloc-gate: error: demo/counts exited before it had measured all scenarios; no gates were checked (exit code 104)

"#]]);
}

#[test]
fn a_bench_without_the_counter_says_what_to_add() {
    let project = Project::new("forgot", &[("dead", "")]);
    project.gates(&["dead"], BOXES);
    let ran = project.run("", 104).stdout("");
    ran.stderr_has("error: demo/dead: the counter is not active: known allocations read as zero");
    ran.verdict(
        "error: the counter of demo/dead is not live; no gates were checked (exit code 104)",
    );
}

#[test]
fn other_files_among_the_results_are_refused() {
    let project = Project::with_two(
        "garbage-results",
        "main garbage instead of results",
        "main garbage beside results",
        BOXES,
    );
    project.run("", 104)
        .not_judged(str![[r#"
    Building 2 benches
   Measuring demo/counts
error: demo/counts wrote unusable results: its results:1: not a result line of alloc-gate (expected value at line 1 column 1); give the files that a bench wrote under ALLOC_GATE_BENCH_RESULTS
  help: call `Suite::finish` once; nothing else may write to the folder in ALLOC_GATE_BENCH_RESULTS
   Measuring demo/other
error: demo/other wrote unusable results: it wrote several result files: `a.txt` and `other.[..].jsonl`
  help: call `Suite::finish` once; nothing else may write to the folder in ALLOC_GATE_BENCH_RESULTS
error: 2 of 2 benches failed: demo/counts, demo/other
  help: fix the errors above, and measure again

"#]]);
}

#[test]
fn two_scenarios_of_one_name_are_refused_with_both_places() {
    let project = project("same-name", "use one name twice");
    project.run("", 104).bench_failed(str![[r#"
--- output of demo/counts
  | error: two scenarios are called `same`: at src/sets.rs:27:19 and at src/sets.rs:28:19; rename one, or put it into a group
---
error: demo/counts crashed (exit status: 101)
  help: run it by itself: `cargo bench --package demo --bench counts`
alloc-gate: error: demo/counts crashed (exit status: 101); no gates were checked (exit code 104)

"#]]);
}

#[test]
fn a_bench_without_results_does_not_stop_the_others() {
    let project = Project::new(
        "fail-fast",
        &[
            ("counts", "a: 8"),
            ("other", "b: exit 3"),
            ("third", "c: 8"),
            ("fourth", "d: exit 3"),
        ],
    );
    project.gates(&["counts", "other", "third", "fourth"], BOXES);
    let ran = project.run("", 104);
    ran.stdout_has("\n| c        |   100 |      1.00 |\n");
    ran.stdout_has("\n| a        |   100 |      1.00 |\n");
    ran.stderr_has("error: demo/other crashed (exit status: 3) while it measured `b`\n");
    ran.stderr_has("error: demo/fourth crashed (exit status: 3) while it measured `d`\n");
    ran.verdict(
        "error: 2 of 4 benches failed: demo/other, demo/fourth; the other scenarios were checked \
         (exit code 104)",
    );
    // A command that needs every figure stops.
    project.run("run", 104).stdout("");
}
