//! `audit`: gates that can fail, gates that can't, and the exit codes.

use snapbox::str;

use crate::project::Project;

const BODY: &str = "one: 8\nnothing:\n";

const GATES: &str = r#"
[[gate]]
name = "boxes"
scenarios = ["*"]
allocs = "<= 1"
bytes = { max = "<= 8" }
"#;

/// A limit that no result file can exceed: counts go to 2^60.
const DEAD: &str = r#"
[[gate]]
name = "failures"
scenarios = ["one"]
failed = "<= 18_446_744_073_709_551_615"
"#;

#[test]
fn gates_that_can_fail_are_broken_once_for_each_scenario() {
    let project = Project::with("audit", BODY, GATES);
    let ran = project.run("audit", 0);
    ran.stdout(str![[r#"
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]
proved     boxes: 2 rules
           allocs <= 1: 2 breaches, such as 1.00 to 1.01 in 1 iteration of one
           bytes max <= 8: 2 breaches, such as 8 to 9 in 1 iteration of one

"#]])
        .only_verdict("audited: 1 gate, 2 rules, 4 breaches injected, all seen");
}

#[test]
fn a_gate_that_cannot_fail_ends_with_1_in_every_format() {
    let project = Project::with("audit-dead", BODY, &format!("{GATES}{DEAD}"));
    project.run("run", 0);
    let file = project.results("counts");
    // The gate holds, and the check finds the limit too.
    let checked = project.run_on(&file, "check", 1);
    checked.stdout_has("error[unreachable-limit]");
    let ran = project.run_on(
        &file,
        "audit -v --report json=out/audit.json --report=markdown=out/audit.md",
        1,
    );
    ran.stdout(str![[r#"
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]
proved     boxes: 2 rules
           allocs <= 1: 2 breaches, such as 1.00 to 1.01 in 1 iteration of one
             <= 1: 1.00 to 1.01 in 1 iteration of one: fail
             <= 1: 0.00 to 1.01 in 1 iteration of nothing: fail
           bytes max <= 8: 2 breaches, such as 8 to 9 in 1 iteration of one
             <= 8: 8 to 9 in 1 iteration of one: fail
             <= 8: 0 to 9 in 1 iteration of nothing: fail
CAN'T FAIL failures: 1 rule
           failed <= 18_446_744_073_709_551_615: nothing was injected; can't fail on 1 scenario
             <= 18_446_744_073_709_551_615: one: the limit comes to 18,446,744,073,709,551,615, and the figure of a record is never above 1,152,921,504,606,846,976

CAN'T FAIL failures
  required: `failed <= 18_446_744_073_709_551_615` (gates.toml:20:10)
  scenario: `one`
  why:      the limit comes to 18,446,744,073,709,551,615, and the figure of a record is never above 1,152,921,504,606,846,976
  help:     write a limit at gates.toml:20:10 that a figure can break, or take it out

far failures: the limit is far from what is measured
  worst:    0 of `one`
  required: `failed <= 18_446_744_073_709_551_615` (gates.toml:20:10)
  help:     `failed = "<= 0"` at gates.toml:20:10 leaves no room

"#]])
        .only_line("AUDIT FAILED: 2 gates, 3 rules, 4 breaches injected, all seen, 1 rule can't \
             fail");
    let json: serde_json::Value =
        serde_json::from_str(&project.read("out/audit.json")).expect("the report is JSON");
    assert_eq!(json["outcome"], "cannot-fail");
    assert_eq!(json["gates"][1]["standing"], "cannot-fail");
    project.has("out/audit.md", "| **CAN'T FAIL** |");
    let again = project.run_on(&file, "audit --format markdown", 1);
    assert_eq!(again.stdout_text(), project.read("out/audit.md"));
}

#[test]
fn a_gate_that_fails_already_does_not_fail_the_audit() {
    let project = Project::with("audit-red", BODY, &GATES.replace("<= 1", "<= 0"));
    let ran = project.run("audit", 0);
    ran.stdout_has("\nfailing boxes\n");
    ran.verdict("audited: 1 gate, 2 rules, 3 breaches injected, all seen, 1 rule failing already");
}

#[test]
fn an_audit_without_a_broken_gate_is_no_success() {
    let project = Project::with("audit-none", BODY, "");
    let ran = project.run("audit", 4);
    ran.verdict("NOTHING AUDITED: 0 gates, 0 rules, 0 breaches injected");
    project.gates(&["counts"], GATES);
    let ran = project.run("audit --report json=Cargo.toml/audit.json", 110);
    ran.verdict(
        "audited: 1 gate, 2 rules, 4 breaches injected, all seen; but an output could \
         not be written (exit code 110)",
    );
}
