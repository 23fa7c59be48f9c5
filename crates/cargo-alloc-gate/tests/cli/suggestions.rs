//! `suggest`: gates from measurements, printed and written.

use snapbox::str;

use crate::project::Project;

/// A box, which has a gate, and a sweep without one: a vector of exact capacity, and a box
/// for each of its elements.
const BODY: &str = "one box: 8\nuse boxes by count\n";

const GATE: &str = "
# About the first one.
[[gate]]
name = \"one\"
scenarios = [\"one box\"]
allocs = \"<= 1\"
";

/// n boxes of 8 bytes, and n pointers of as many.
const SWEEP: &str = r#"# Suggested from what was measured on [HOST], profile bench, over
# std::alloc::System, by [RUSTC] and [HARNESS]. A
# limit is the largest figure of the gate's scenarios: leave room where it may move, and
# add a `reason` for whoever breaks it. `"<= baseline"` limits each scenario by its own
# figure.

# Measured by demo/counts.
[[gate]]
name = "boxes"
scenarios = ["boxes/*"]
alloc-calls = { max = "<= 1_001", per-element = "<= 2", growth = "O(n)" }
bytes = { max = "<= 16_000", per-element = "<= 16", growth = "O(n)" }
net-bytes = "== 0"
"#;

/// The words. The lines break elsewhere with another compiler.
fn words(text: &str) -> String {
    let text = text.replace("\n# ", " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn suggested_gates_are_printed_and_written_and_hold() {
    let project = Project::with("suggest", BODY, GATE);
    let before = project.read("gates.toml");
    let ran = project.run("suggest", 0);
    let printed = ran.stdout_text();
    ran.same(&words(&printed), words(SWEEP));
    ran.after_measuring(str![[r#"
   Measuring demo/counts
alloc-gate: suggested 1 gate for 4 scenarios (`suggest` checks no gates)

"#]]);
    assert_eq!(project.read("gates.toml"), before, "only --write writes");

    // Recorded results are one measurement, of which the iterations are the same here.
    let results = project.results("counts");
    let ran = project.run_on(&results, "suggest --write", 0);
    assert_eq!(ran.stdout_text(), printed);
    ran.stderr(str![[r#"
       Wrote gates.toml
alloc-gate: suggested 1 gate for 4 scenarios (`suggest` checks no gates)

"#]]);
    assert_eq!(project.read("gates.toml"), format!("{before}\n{printed}"));

    let checked = project.run_on(&results, "check", 0);
    checked.verdict("passed: 2 gates checked, 5 scenarios measured");
    let again = project.run_on(&results, "suggest --write", 0);
    again.stdout("").only_line("every scenario has a gate");
    assert_eq!(project.read("gates.toml"), format!("{before}\n{printed}"));
    let all = project.run_on(&results, "suggest --all", 0);
    all.verdict("suggested 2 gates for 5 scenarios (`suggest` checks no gates)");

    // An inline array can't be extended, and stays as it is.
    let inline =
        "version = 1\ngate = [{ name = \"g\", scenarios = [\"one box\"], allocs = \"<= 1\" }]\n";
    project.write("gates.toml", inline);
    let ran = project.run_on(&results, "suggest --write", 96);
    ran.stderr_has("error[toml-syntax]");
    ran.stderr_has("help: nothing was written");
    assert_eq!(project.read("gates.toml"), inline);
}

#[test]
fn gates_are_written_to_rules_that_exist() {
    let project = Project::new("suggest-no-rules", &[]);
    let ran = project.run("suggest --write", 96).stdout("");
    ran.stderr(str![[r#"
error: [ROOT]/gates.toml does not exist
  help: run `cargo alloc-gate init`, or write it yourself: `version = 1`, a `[[bench]]` and a `[[gate]]`
alloc-gate: error: [ROOT]/gates.toml does not exist (exit code 96)

"#]]);
}
