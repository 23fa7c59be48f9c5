//! Verdicts on what was measured: codes 0 and 1.

use snapbox::str;

use crate::project::Project;

#[test]
fn gates_that_hold_end_with_0_and_the_figures() {
    let project = Project::with(
        "holds",
        "one box: 8\nthree buffers: 100 20 3",
        r#"
[[gate]]
name = "boxes"
scenarios = ["one *"]
allocs = "== 1"

[[gate]]
name = "all"
scenarios = ["*"]
allocs = { max = "<= 3" }
bytes = "< 124"
net-bytes = "== 0"
"#,
    );
    let ran = project.passes("2 gates checked, 2 scenarios measured");
    ran.stdout(str![[r#"
demo/counts  2 scenarios  2 gates  ok
| scenario      | iters | allocs/op | bytes/op | net-bytes/op |
|---------------|-------|-----------|----------|--------------|
| one box       |   100 |      1.00 |        8 |            0 |
| three buffers |   100 |      3.00 |      123 |            0 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]]);
}

#[test]
fn eight_busy_threads_change_no_figure_of_a_thread() {
    let project = Project::with(
        "busy",
        "main busy threads",
        r#"
[[gate]]
name = "exact"
scenarios = ["*"]
allocs = { mean = "== 1", max = "== 1" }
bytes = "== 8"
deallocs = "== 1"

[policy]
nondeterministic = "deny"
foreign = "allow"
"#,
    );
    project.passes("1 gate checked, 1 scenario measured");
}

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
    let ran = project.fails("1 gate checked (1 failed), 2 scenarios measured");
    ran.stdout(str![[r#"
demo/counts  2 scenarios  1 gate  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL beyond  src/lib.rs:60
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
    let ran = project.fails("1 gate checked (2 errors), 2 scenarios measured");
    ran.stdout_has("error[uncounted-allocations]: in `excluded`, `uncounted` excluded 100 allocations and 100 deallocations in 100 iterations, and 1 allocation and 1 deallocation in the first call; its figures don't include that (src/mains.rs:95)");
    ran.stdout_has(
        "error[foreign-allocations]: while `first on a thread` was counted, other threads made ",
    );
    let allowed = "[policy]\nforeign = \"allow\"\n";
    project.gates(&["counts"], &format!("{gates}{allowed}"));
    project.passes("1 gate checked, 2 scenarios measured");
}
