//! Conditions of gates: the cfgs of targets, which the program passes to the engine.

use snapbox::str;

use crate::project::Project;

const BODY: &str = "one box: 8\n";

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

#[test]
fn a_gate_for_another_target_is_skipped_with_its_reason() {
    let project = Project::with("scope-target", BODY, CONDITIONS);
    project.passes("1 gate checked (1 skipped), 1 scenario measured");
}

#[test]
fn gates_for_other_targets_alone_judge_nothing() {
    let (_, nowhere) = CONDITIONS.split_at(CONDITIONS.rfind("[[gate]]").unwrap());
    let project = Project::with("scope-nowhere", BODY, nowhere);
    project.run("", 4).after_measuring(str![[r#"
error: no gate in gates.toml applies to the measured scenarios
  help: the report says why each gate is skipped; add a gate that applies here
alloc-gate: NOTHING CHECKED: 0 gates checked (1 skipped), 1 scenario measured

"#]]);
}

/// The project, with results of another target.
fn recorded_on(name: &str, gates: &str, target: &str) -> Project {
    let project = Project::with(name, BODY, gates);
    project.run("run", 0);
    let text = project.results_from("counts", target);
    project.write("results.jsonl", &text);
    project
}

#[test]
fn a_condition_applies_to_the_measured_target_and_not_to_this_machine() {
    let gates = CONDITIONS.replace("cfg(any(unix, windows))", "cfg(target_arch = \"wasm32\")");
    let project = recorded_on("scope-recorded", &gates, "wasm32-unknown-unknown");
    let ran = project.run("--results results.jsonl", 1);
    ran.only_line("FAILED: 2 gates checked (1 failed), 1 scenario measured");
}

#[test]
fn cfgs_of_a_target_that_rustc_does_not_know_are_an_error() {
    let project = recorded_on("scope-unknown", CONDITIONS, "vax-dec-ultrix");
    let ran = project.run("--results results.jsonl", 104);
    ran.not_judged(str![[r#"
error: failed to get the cfgs of `vax-dec-ultrix` from rustc, for a `when` in gates.toml: error: [..]
  help: set RUSTC to a rustc that knows the target, or write target triples in `when` instead of cfgs

"#]]);
    let by_name = CONDITIONS
        .replace("cfg(any(unix, windows))", "vax-dec-ultrix")
        .replace("cfg(not(any(unix, windows)))", "pdp-11");
    project.gates(&["counts"], &by_name);
    let mut program = project.command();
    program
        .args(["--results", "results.jsonl"])
        .env("RUSTC", "no-such-rustc");
    project
        .finish(program)
        .code(0)
        .only_line("passed: 1 gate checked (1 skipped), 1 scenario measured");
}

#[test]
fn list_shows_where_gates_apply() {
    let body = format!("{BODY}two boxes:\n");
    let gate = "
[[gate]]
name = \"none\"
scenarios = [\"*\"]
exclude = [\"two*\", \"three*\"]
when = 'cfg(any(unix, windows))'
allocs = \"== 0\"
";
    let project = Project::with("scope-list", &body, gate);
    project.run("list", 0).stdout(str![[r#"
demo/counts
  one box: none (when cfg(any(unix, windows)))
  two boxes: (ungated)
the gate none excludes `two*`, `three*`
no scenario matches `three*` of the gate none

"#]]);
}
