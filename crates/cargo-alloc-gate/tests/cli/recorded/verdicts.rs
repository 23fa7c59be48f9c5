//! What is missing is a verdict, and never passes.

use crate::project::Project;

/// Asserts that the gate misses something, and what the report says.
fn misses(name: &str, gate: &str, said: &str) {
    let gate = format!("\n[[gate]]\nname = \"small\"\n{gate}\n");
    let gates = format!("[baseline]\ndata = \"design/accepted.toml\"\n{gate}");
    let project = Project::recorded(name, "one box: 100 x allocs=1 bytes=8\n", &gates);
    let ran = project.judge("check", 1);
    ran.verdict("FAILED: 1 gate checked (1 missing), 1 scenario measured");
    ran.stdout_has(said);
}

#[test]
fn a_missing_baseline_does_not_pass() {
    let gate = "scenarios = [\"*\"]\nbytes = \"<= baseline\"";
    misses(
        "no-baseline",
        gate,
        "error[no-environment]: the baseline has no figures of ",
    );
}

#[test]
fn a_missing_metric_does_not_pass() {
    let gate = "scenarios = [\"*\"]\npeak-bytes = \"<= 1_024\"";
    let said = "error[unmeasured-metric]: `peak-bytes` of `one box` was not measured (";
    misses("no-metric", gate, said);
}

#[test]
fn a_glob_without_a_match_does_not_pass() {
    let gate = "scenarios = [\"one *\", \"two *\"]\nallocs = \"<= 1\"";
    let said = "error[unmatched-pattern]: no measured scenario matches `two *` of the gate `small` (gates.toml:15:23)";
    misses("no-match", gate, said);
}
