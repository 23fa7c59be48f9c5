//! Verdicts: codes 0 and 1.

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
| scenario      | iters | allocs/op | bytes/op | deallocs/op |
|---------------|-------|-----------|----------|-------------|
| one box       |   100 |      1.00 |        8 |        1.00 |
| three buffers |   100 |      3.00 |      123 |        3.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

pass    boxes: 1 scenario
        allocs == 1: 1.00
pass    all: 2 scenarios
        allocs max <= 3: 1 to 3
        bytes < 124: 8 to 123
        net-bytes == 0: 0

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
allocs = { min = "== 1", max = "== 1" }
bytes = "== 8"
deallocs = "== 1"

[policy]
nondeterministic = "deny"
foreign = "allow"
"#,
    );
    let ran = project.passes("1 gate checked, 1 scenario measured");
    ran.stdout(str![[r#"
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| one box  |   100 |      1.00 |        8 |        1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

pass    exact: 1 scenario
        allocs min == 1: 1
        allocs max == 1: 1
        bytes == 8: 8
        deallocs == 1: 1.00

"#]]);
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
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| within   |   100 |      1.00 |        8 |        1.00 |
| beyond   |   100 |      3.00 |      123 |        3.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL    R12: 2 scenarios
        allocs < 3: 1.00 to 3.00
        bytes max <= 100: 8 to 123

FAIL R12: beyond
  measured:         allocs 3.00 per iteration
  required:         `allocs < 3` (gates.toml:14:10)
  first operations: alloc 100, alloc 20, alloc 3, dealloc 100, dealloc 20, dealloc 3
  reason:           fewer than 3 allocations per write
  scenario:         benches/counts.rs:62
  next:             fix the code that benches/counts.rs:62 measures, or change the limit at gates.toml:14:10

FAIL R12: beyond
  measured:         bytes 123 in the worst iteration
  required:         `bytes max <= 100` (gates.toml:15:17)
  first operations: alloc 100, alloc 20, alloc 3, dealloc 100, dealloc 20, dealloc 3
  reason:           fewer than 3 allocations per write
  scenario:         benches/counts.rs:62
  next:             fix the code that benches/counts.rs:62 measures, or change the limit at gates.toml:15:17

"#]]);
}

#[test]
fn denied_findings_fail_and_say_how_to_fix_them() {
    let project = Project::with(
        "denied",
        "use policies",
        r#"
[baseline]
data = "accepted.toml"

[policy]
stale = "deny"
ungated = "deny"
nondeterministic = "deny"

[[gate]]
name = "no-creep"
scenarios = ["better*", "every*"]
allocs = "<= baseline"
"#,
    );
    project.run("accept", 0);
    let accepted = project.read("accepted.toml");
    let figures = "\nallocs = 1\n";
    // As older programs wrote it.
    let worse = "\nallocs = { total = 200, min = 2, p50 = 2, p99 = 2, max = 2, first = 2 }\n";
    assert_eq!(accepted.matches(figures).count(), 2, "{accepted}");
    project.write("accepted.toml", &accepted.replacen(figures, worse, 1));
    let ran = project.fails("1 gate checked (1 stale, 2 denied findings), 3 scenarios measured");
    ran.stdout(str![[r#"
| scenario             | iters | allocs/op | bytes/op | deallocs/op |
|----------------------|-------|-----------|----------|-------------|
| better than accepted |   100 |      1.00 |        8 |        1.00 |
| every second time *  |   100 |      0.50 |        4 |        0.50 |
| forgotten            |   100 |      1.00 |        8 |        1.00 |
* the iterations differ; the table has means
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

stale   no-creep: 2 scenarios
        allocs <= baseline: 0.50 to 1.00

stale (denied) no-creep: better than accepted
  measured: allocs 1.00 per iteration
  required: `allocs <= baseline` (gates.toml:22:10)
  baseline: 2.00
  scenario: benches/sets.rs:98
  next:     check that the scenario still does its work; `cargo alloc-gate accept` makes the better figure the baseline, so that it can't get lost unnoticed

denied[nondeterministic-scenario]: the iterations of `every second time` (benches/sets.rs:100) differ: allocs 0 to 1
  next: make the input the same each time; or gate `max` as well as the mean, and set `nondeterministic = "allow"` in the gate

denied[ungated-scenario]: no gate applies to `forgotten` (benches/sets.rs:104)
  next: add it to the `scenarios` of a gate, or set `ungated = "allow"` in `[policy]`

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
    let ran = project.fails("1 gate checked (2 denied findings), 2 scenarios measured");
    ran.stdout(str![[r#"
| scenario          | iters | allocs/op | bytes/op | deallocs/op |
|-------------------|-------|-----------|----------|-------------|
| excluded          |   100 |      0.00 |        0 |        0.00 |
| first on a thread |   100 |      0.00 |        0 |        0.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

pass    none: 2 scenarios
        allocs == 0: 0.00 (first call: 3)

denied[uncounted-allocations]: in `excluded` (benches/mains.rs:95), `uncounted` excluded 100 allocations and 100 deallocations in 100 iterations, and 1 allocation and 1 deallocation in the first call; its figures don't include that
  next: move the work into `setup` or `input`, or set `uncounted = "allow"` in `[policy]` and limit `uncounted-allocs`

denied[foreign-allocations]: while `first on a thread` (benches/mains.rs:97) was counted, other threads made [..] in the first call; its figures don't include that
  next: count them with `scope(Scope::Process)` if they work for the scenario, or set `foreign = "allow"` in `[policy]`

"#]]);
    let allowed = "[policy]\nforeign = \"allow\"\nuncounted = \"allow\"\n";
    let project = Project::with(
        "work-elsewhere",
        "main hidden work",
        &format!("{gates}{allowed}"),
    );
    project.passes("1 gate checked, 2 scenarios measured");
}

#[test]
fn a_missing_baseline_does_not_pass() {
    let project = Project::with(
        "no-baseline",
        "one box: 8",
        r#"
[baseline]
data = "design/accepted.toml"
document = "design/accepted.md"

[[gate]]
name = "no-creep"
scenarios = ["*"]
bytes = "<= baseline"
reason = "bytes only go down"
"#,
    );
    let ran = project.fails("1 gate checked (1 missing), 1 scenario measured");
    ran.stdout(str![[r#"
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| one box  |   100 |      1.00 |        8 |        1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

missing no-creep: 1 scenario
        bytes <= baseline: 8

missing no-creep: one box
  measured: bytes 8 per iteration
  required: `bytes <= baseline` (gates.toml:18:9)
  missing:  the baseline has no figures of [HOST], profile bench, over std::alloc::System
  reason:   bytes only go down
  scenario: benches/counts.rs:62
  next:     run `cargo alloc-gate accept`, and commit what it writes

"#]]);
}

#[test]
fn a_missing_metric_does_not_pass() {
    let project = Project::with(
        "no-metric",
        "use pool",
        r#"
[[gate]]
name = "peak"
scenarios = ["pool"]
peak-bytes = "<= 1_024"
"#,
    );
    let ran = project.fails("1 gate checked (1 missing), 1 scenario measured");
    ran.stdout(str![[r#"
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| pool     |   100 |      2.00 |       16 |        2.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

missing peak: 1 scenario
        peak-bytes <= 1_024: not measured

missing peak: pool
  measured: peak-bytes was not measured
  required: `peak-bytes <= 1_024` (gates.toml:14:14)
  missing:  the metric was not measured
  scenario: benches/sets.rs:39
  next:     `peak-bytes` is not measured on several threads in thread scope: give the scenario process scope, or remove the rule at gates.toml:14:14

"#]]);
}

#[test]
fn a_glob_without_a_match_does_not_pass() {
    let project = Project::with(
        "no-match",
        "one box: 8",
        r#"
[[gate]]
name = "boxes"
scenarios = ["one *", "two *"]
allocs = "<= 1"
"#,
    );
    let ran = project.fails("1 gate checked (1 missing), 1 scenario measured");
    ran.stdout(str![[r#"
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| one box  |   100 |      1.00 |        8 |        1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

missing boxes: 1 scenario
        allocs <= 1: 1.00

missing boxes: no measured scenario matches `two *`
  next: see `cargo alloc-gate list` for the scenarios, and correct the pattern at gates.toml:13:23

"#]]);
}
