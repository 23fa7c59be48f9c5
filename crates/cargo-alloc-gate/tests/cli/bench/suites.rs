//! Benches with a `main` of their own. If it does not return the result of one
//! `Suite::finish`, the code is 104, whatever was measured.

use snapbox::str;

use crate::bench::benches::project;
use crate::project::Project;

#[test]
fn implementations_are_compared_on_an_axis() {
    let gates = "
[[gate]]
name = \"one per word\"
scenarios = [\"count/impl=copied,*\"]
allocs = { per-element = \"== 1\" }

[[gate]]
name = \"no more than the copying one\"
scenarios = [\"count/impl=borrowed,*\"]
allocs = \"== 0, < 1 * [count/impl=copied,words=*]\"
";
    let project = Project::with("implementations", "main implementations", gates);
    project.run("", 0).stdout(str![[r#"
demo/counts  4 scenarios  2 gates  ok
| scenario                        | iters | allocs/op | allocs/element |
|---------------------------------|-------|-----------|----------------|
| count/impl=copied,words=10      |   100 |     10.00 |           1.00 |
| count/impl=copied,words=100     |   100 |    100.00 |           1.00 |
| count/impl=borrowed,words=* (2) |   100 |      0.00 |           0.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]]);
}

/// Each call boxes two jobs, and each job makes a vector. The channel has a block now and
/// then. The second job may be freed after the call.
#[test]
fn the_work_of_a_pool_is_counted_in_process_scope() {
    // Beside the 4 of an iteration, the channels allocate a few times when a thread first waits:
    // no iteration has a maximum.
    let gates = "
[[gate]]
name = \"two jobs\"
scenarios = [\"pool\"]
allocs = \">= 4, <= 4.2\"
nondeterministic = \"allow\"
";
    let project = Project::with("own-pool", "main own pool", gates);
    project.passes("1 gate checked, 1 scenario measured");
    let gates = gates.replace(">= 4, <= 4.2", "< 4");
    project.gates(&["counts"], &gates);
    project.fails("1 gate checked (1 failed), 1 scenario measured");
}

#[test]
fn a_bench_that_fails_after_a_whole_measurement_is_not_judged() {
    let project = project("afterwards", "main fails afterwards");
    project.run("", 104).bench_failed(str![[r#"
error: demo/counts failed after it had measured all scenarios (exit status: 1)
  help: return the result of `Suite::finish` from `main`, and do nothing after it
alloc-gate: error: demo/counts failed after it had measured all scenarios (exit status: 1); no gates were checked (exit code 104)

"#]]);
}

#[test]
fn a_bench_that_ends_with_0_and_never_calls_finish_has_measured_nothing() {
    let project = project("unfinished", "main never finishes");
    project.run("", 104).bench_failed(str![[r#"
error: demo/counts exited without writing results
  help: register scenarios with `alloc_scenario::Suite` and return the result of `finish` from `main`; `cargo alloc-gate init` says how a bench of criterion counts; remove one of another harness from gates.toml
alloc-gate: error: demo/counts exited without writing results; no gates were checked (exit code 104)

"#]]);
}

#[test]
fn a_bench_that_forgives_a_panic_with_its_own_code_is_not_judged() {
    let project = project("forgiving", "main forgives a panic");
    project.run("", 104).bench_failed(str![[r#"
--- output of demo/counts
  | 
  | thread 'main'[..] panicked at src/mains.rs:20:49:
  | no more
  | note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
---
error: demo/counts: 1 scenario not measured:
  `panics` (src/mains.rs:20)
  | panicked: no more (at src/mains.rs:20:49)
  help: fix the scenario; the check fails until every scenario is measured
alloc-gate: error: `panics` of demo/counts panicked; no gates were checked (exit code 104)

"#]]);
}

#[test]
fn a_pipe_instead_of_results_is_not_waited_for() {
    let project = project("pipe", "main leaves a pipe instead of results");
    project.run("", 104).bench_failed(str![[r#"
error: demo/counts wrote unusable results: its results:1: no records; run the bench again, and return the result of `Suite::finish` from `main`
  help: call `Suite::finish` once; nothing else may write to the folder in ALLOC_GATE_BENCH_RESULTS
alloc-gate: error: demo/counts wrote unusable results; no gates were checked (exit code 104)

"#]]);
}

#[test]
fn a_second_suite_is_not_lost_behind_the_first() {
    let project = project("two-suites", "main two suites");
    project.run("", 104).bench_failed(str![[r#"
error: demo/counts wrote unusable results: it wrote its results more than once
  help: call `Suite::finish` once; nothing else may write to the folder in ALLOC_GATE_BENCH_RESULTS
alloc-gate: error: demo/counts wrote unusable results; no gates were checked (exit code 104)

"#]]);
}
