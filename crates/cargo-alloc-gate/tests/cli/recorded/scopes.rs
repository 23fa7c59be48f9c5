//! Conditions of gates: the cfgs of targets, which the program passes to the engine.

use crate::project::{Project, RESULTS};

/// Gates for existing targets, and for none.
const CONDITIONS: &str = "
[[gate]]
name = \"here\"
scenarios = [\"*\"]
when = 'cfg(any(unix, windows))'
rustc = \">=1.80\"
allocs = \"<= 1\"

[[gate]]
name = \"nowhere\"
scenarios = [\"*\"]
when = 'cfg(not(any(unix, windows)))'
allocs = \"<= 0\"
";

fn on(target: &str) -> String {
    format!("bench demo/counts target={target}\none box: 100 x allocs=1\n")
}

#[test]
fn a_condition_applies_to_the_measured_target_and_not_to_this_machine() {
    let project = Project::recorded("scope-target", "one box: 100 x allocs=1\n", CONDITIONS);
    project
        .judge("check", 0)
        .verdict("passed: 1 gate checked (1 skipped), 1 scenario measured");
    project.judge("list", 0).stdout_has(
        "  one box: gated by here (when cfg(any(unix, windows)), rustc >=1.80), nowhere (when ",
    );
    project.write_results("wasm", &on("wasm32-unknown-unknown"));
    let ran = project.run("check --results wasm", 1);
    ran.verdict("FAILED: 1 of 1 scenario, 1 of 1 gate (1 skipped)");
}

#[test]
fn gates_for_other_targets_alone_judge_nothing() {
    let (_, nowhere) = CONDITIONS.split_at(CONDITIONS.rfind("[[gate]]").unwrap());
    let project = Project::recorded("scope-nowhere", "one box: 100 x allocs=1\n", nowhere);
    let ran = project.judge("check", 4);
    ran.stderr_has("error: no gate in gates.toml applies to the measured scenarios\n");
    ran.verdict("NOTHING CHECKED: 0 gates checked (1 skipped), 1 scenario measured");
}

#[test]
fn cfgs_of_a_target_that_rustc_does_not_know_are_an_error() {
    let project = Project::recorded("scope-unknown", &on("vax-dec-ultrix"), CONDITIONS);
    let ran = project.judge("check", 104);
    ran.stderr_has("error: failed to get the cfgs of `vax-dec-ultrix` from rustc, for a `when`");
    ran.stderr_has("help: set RUSTC to a rustc that knows the target, or write target triples in");
    let by_name = CONDITIONS
        .replace("cfg(any(unix, windows))", "vax-dec-ultrix")
        .replace("cfg(not(any(unix, windows)))", "pdp-11");
    project.gates(&["counts"], &by_name);
    let line = format!("check --results {RESULTS}");
    project
        .run_with(&[("RUSTC", "no-such-rustc")], &line, 0)
        .verdict("passed: 1 gate checked (1 skipped), 1 scenario measured");
}
