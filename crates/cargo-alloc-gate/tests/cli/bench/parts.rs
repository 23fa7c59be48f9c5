//! `--scenarios`: a part of the scenarios is measured, and judged as a part.

use snapbox::str;

use crate::project::Project;

const BODY: &str = "one box: 8\ntwo boxes: 8 8\nuse vectors\n";

const GATES: &str = r#"
[[gate]]
name = "boxes"
scenarios = ["one*", "two*"]
allocs = "<= 2"

[[gate]]
name = "vectors"
scenarios = ["vec/*"]
allocs = "== 1"
"#;

#[test]
fn a_part_of_the_scenarios_is_judged_and_the_last_line_says_that_it_is_a_part() {
    let project = Project::with("part", BODY, GATES);
    let ran = project.run("check --scenarios two*", 0);
    ran.stdout(str![[r#"
demo/counts  1 scenario  1 gate  ok
| scenario  | iters | allocs/op |
|-----------|-------|-----------|
| two boxes |   100 |      2.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]])
        .stderr(str![[r#"
    Building 1 bench
   Measuring 1 scenario of demo/counts
alloc-gate: passed: 1 gate checked (1 not selected), 1 of 5 scenarios measured

"#]]);
    // The results of a part are refused as results of the whole.
    let recorded = project.results("counts");
    project.run_on(&recorded, "", 104);
    let report = project
        .run("--scenario=vec/n=10 --scenario=one* --format=json", 0)
        .json();
    assert_eq!(report["scenarios-measured"], 2);
    assert_eq!(report["scenarios-left-out"], 3);
}

#[test]
fn a_selection_of_all_scenarios_is_the_whole() {
    let project = Project::with("part-all", BODY, GATES);
    let whole = project.run("", 0);
    let named = project.run("--scenarios *box* --scenarios vec/*", 0);
    assert_eq!(named.stdout_text(), whole.stdout_text());
    assert_eq!(named.stderr_text(), whole.stderr_text());
    let line = "alloc-gate: passed: 2 gates checked, 5 scenarios measured";
    assert_eq!(named.last_line(), line);
}

#[test]
fn run_measures_a_part_of_several_benches_and_records_it() {
    let project = Project::with_two("part-run", BODY, "other box: 8", GATES);
    let ran = project.run("run --scenarios *box", 0);
    ran.stdout(str![[r#"
demo/counts  1 scenario
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| one box  |   100 |      1.00 |        8 |        1.00 |
demo/other   1 scenario
| scenario  | iters | allocs/op | bytes/op | deallocs/op |
|-----------|-------|-----------|----------|-------------|
| other box |   100 |      1.00 |        8 |        1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]])
        .stderr(str![[r#"
    Building 2 benches
   Measuring 1 scenario of demo/counts
   Measuring demo/other
    Recorded [TARGET]/alloc-gate/demo.counts.jsonl
    Recorded [TARGET]/alloc-gate/demo.other.jsonl
alloc-gate: measured 2 of 6 scenarios (`run` checks no gates)

"#]]);
    // A bench without a selected scenario does not run.
    project.run("run --scenarios other*", 0).stderr(str![[r#"
    Building 2 benches
   Measuring demo/other
    Recorded [TARGET]/alloc-gate/demo.other.jsonl
alloc-gate: measured 1 of 6 scenarios (`run` checks no gates)

"#]]);
}

#[test]
fn globs_that_match_nothing_select_nothing() {
    let project = Project::with("part-none", BODY, GATES);
    for command in ["check", "run", "list"] {
        let ran = project.run_args(&[command, "--scenarios", "one*", "--scenarios", "vec"], 4);
        ran.not_judged(str![[r#"
    Building 1 bench
error: no scenario matches `vec`
  help: a glob must match the whole name; `cargo alloc-gate list` prints the names; did you mean `vec/n=10`?

"#]]);
    }
}

#[test]
fn a_failure_of_a_part_is_a_failure() {
    let project = Project::with("part-fails", BODY, &GATES.replace("<= 2", "<= 1"));
    let ran = project.run("-q --scenarios two*", 1);
    ran.verdict("FAILED: 1 gate checked (1 failed, 1 not selected), 1 of 5 scenarios measured");
    project.run("-q --scenarios one*", 0);
}

#[test]
fn growth_of_a_part_is_not_judged_and_not_missing() {
    let gates = r#"
[[gate]]
name = "linear"
scenarios = ["vec/*"]
bytes = { growth = "O(n)" }
"#;
    let project = Project::with("part-growth", BODY, gates);
    let ran = project.run("--scenarios vec/n=10", 4);
    ran.stdout_has("\nskipped linear: the scenarios that it compares with were not selected\n");
    ran.verdict("NOTHING CHECKED: 0 gates checked (1 not selected), 1 of 5 scenarios measured");
}

#[test]
fn more_names_than_a_command_line_has_room_for_are_refused() {
    // 1,000 names of more than 1,000 bytes each.
    let project = Project::with("part-long", "use long names", GATES);
    let ran = project.run("run --scenarios */n=[1-9]*", 4);
    let error = ran.stderr_text();
    let what = "error: 1,000 scenarios of demo/counts are too many to be selected by name: \
                a command line has room for ";
    assert!(error.contains(what), "{error}");
    // A few names fit.
    let ran = project.run("run -q --scenarios */n=[12]", 0);
    ran.verdict("measured 2 of 1,001 scenarios (`run` checks no gates)");
}
