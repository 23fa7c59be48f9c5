//! Verdicts on what was measured: codes 0 and 1.

use snapbox::str;

use crate::project::Project;

#[test]
fn a_broken_limit_names_gate_scenario_figure_limit_both_places_reason_and_next_step() {
    let project = Project::with(
        "broken-limit",
        "within: 8\nbeyond: 100 20 3",
        r#"
[[gate]]
name = "R12"
scenarios = ["*"]
allocs = "< 3"
bytes = { max = "<= 100" }
reason = "fewer than 3 allocations per write"
"#,
    );
    let ran = project.run("", 1);
    ran.verdict("FAILED: 1 gate checked (1 failed), 2 scenarios measured");
    ran.stdout(str![[r#"
demo/counts  2 scenarios  1 gate  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL beyond  src/lib.rs:51
       allocs     3    < 3 [R12]
       bytes max  123  <= 100 [R12]
       first operations: alloc 100, alloc 20, alloc 3, dealloc 100, dealloc 20, dealloc 3
1 of 2 scenarios failed, 1 of 1 gate (gates.toml:11)
note: R12: fewer than 3 allocations per write
help: if this is intended, change the limits at gates.toml:14:10 and gates.toml:15:17

"#]]);
}

#[test]
fn work_that_is_in_no_figure_fails_unless_it_is_allowed() {
    let gates = r#"
[[gate]]
name = "none"
scenarios = ["*"]
allocs = "== 0"
"#;
    let project = Project::with("hidden-work", "main hidden work", gates);
    let ran = project.run("", 1);
    ran.verdict("FAILED: 1 gate checked (2 errors), 2 scenarios measured");
    ran.stdout_has("error[uncounted-allocations]: in `excluded`, `uncounted` excluded 100 allocations and 100 deallocations in 100 iterations, and 1 allocation and 1 deallocation in the first call; its figures don't include that (src/mains.rs:71)");
    ran.stdout_has(
        "error[foreign-allocations]: while `first on a thread` was counted, other threads made ",
    );
    let allowed = "[policy]\nforeign = \"allow\"\n";
    project.gates(&["counts"], &format!("{gates}{allowed}"));
    project.passes("1 gate checked, 2 scenarios measured");
}
