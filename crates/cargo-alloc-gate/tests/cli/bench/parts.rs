//! `--scenarios`: a part of the scenarios is measured, judged and accepted as a part.

use crate::project::Project;
use crate::recorded::acceptances::{DATA, RULES};

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
bytes = { growth = "O(n)" }
"#;

#[test]
fn a_part_of_the_scenarios_is_judged_and_the_last_line_says_that_it_is_a_part() {
    let project = Project::with("part", BODY, GATES);
    let ran = project.run("check --scenarios two*", 0);
    ran.stdout_has("demo/counts  1 scenario  1 gate  ok\n");
    ran.stderr_has("   Measuring 1 scenario of demo/counts\n");
    ran.verdict("passed: 1 gate checked (1 not selected), 1 of 6 scenarios measured");
    // The results of a part are refused as results of the whole, unless others have the rest.
    let recorded = project.results("counts");
    project.run_on(&recorded, "", 104);
    project.run("run --scenarios {*box*,vec/*=10} --output parts/1", 0);
    project.run("run --scenarios vec/*=100* --output parts/2", 0);
    let joined = project.run("check --results parts", 0);
    joined.verdict("passed: 2 gates checked, 6 scenarios measured");
    // A selection of all is the whole.
    let whole = project.run("", 0);
    assert_eq!(whole.stdout_text(), joined.stdout_text());
    let named = project.run("--scenarios *box* --scenarios vec/*", 0);
    assert_eq!(named.stderr_text(), whole.stderr_text());
    // A growth has no points.
    project.gates(&["counts"], &GATES.replace("allocs = \"== 1\"\n", ""));
    let ran = project.run("--scenarios vec/n=10", 4);
    ran.stdout_has("\nskipped  vectors (gates.toml:16): the scenarios that it compares with were not selected\n");
    ran.verdict("NOTHING CHECKED: 0 gates checked (2 not selected), 1 of 6 scenarios measured");
}

#[test]
fn run_measures_a_part_of_several_benches_and_records_it() {
    let project = Project::new(
        "part-run",
        &[("counts", BODY), ("other", "other box: 8")],
        GATES,
    );
    let ran = project.run("run --scenarios *box", 0);
    ran.stderr_has("   Measuring 1 scenario of demo/counts\n   Measuring demo/other\n");
    ran.verdict("measured 2 of 7 scenarios (`run` checks no gates)");
    // A bench without a selected scenario does not run.
    let ran = project.run("run --scenarios other*", 0);
    ran.stderr_has("    Building 2 benches\n   Measuring demo/other\n    Recorded ");
    ran.verdict("measured 1 of 7 scenarios (`run` checks no gates)");
}

/// The line of iterations that allocate this often.
fn allocs(n: u64) -> String {
    format!("\nallocs = {n}\n")
}

#[test]
fn single_scenarios_are_accepted_and_all_others_stay() {
    let of_a = "--odd: 8\nof a/1: 8\nof a/1, twice: 8\nof a/2: 8";
    let project = Project::new(
        "accept-scenario",
        &[("counts", of_a), ("other", "of b: 8")],
        RULES,
    );
    project.run("accept", 0);
    let data = project.read(DATA);
    // Seven boxes in each, and another name for a scenario.
    let old = data.replace(&allocs(1), &allocs(7));
    let old = old.replace("name = \"of b\"", "name = \"old of b\"");
    project.write(DATA, &old);
    let ran = project.run_args(
        &["accept", "--scenarios", "*odd", "--scenarios", "of ?/1"],
        0,
    );
    ran.stdout("--odd: allocs 7 -> 1 (-6)\nof a/1: allocs 7 -> 1 (-6)\n")
        .verdict("accepted: 2 changes; review the diff and commit it");
    let new = project.read(DATA);
    assert_eq!(new.matches(&allocs(1)).count(), 2);
    assert_eq!(new.matches(&allocs(7)).count(), 3);
    // The data has `old of b`, and the bench has `of b`.
    assert!(new.contains("name = \"old of b\""));
    let ran = project.run_args(&["accept", "--check", "--scenarios", "of b"], 1);
    ran.stdout("new: of b\n");
    // Each glob has to select something.
    let ran = project.run("accept --scenarios *odd --scenarios nosuch", 4);
    ran.stderr_has("error: no scenario matches `nosuch`\n");
    assert_eq!(project.read(DATA), new);
}
