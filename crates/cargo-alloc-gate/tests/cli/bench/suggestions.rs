//! `suggest`: gates from measurements, printed and written.

use snapbox::str;

use crate::project::Project;

const GATE: &str = "
# About the first one.
[[gate]]
name = \"one\"
scenarios = [\"one box\"]
allocs = \"<= 1\"
";

#[test]
fn suggested_gates_are_printed_and_written_and_hold() {
    let body = "one box: 8\ntwo boxes: 8 8\nuse odd\n";
    let project = Project::with("suggest", body, GATE);
    let before = project.read("gates.toml");
    let ran = project.run("suggest", 0);
    let printed = ran.stdout_text();
    let ran = ran.stdout(str![[r#"
[[gate]]
name = "two-boxes"
scenarios = ["two boxes"]
allocs = "<= 2"
bytes = "<= 16"

"#]]);
    ran.verdict("suggested 1 gate (`suggest` checks no gates)");
    assert_eq!(project.read("gates.toml"), before, "only --write writes");

    let ran = project.run("suggest --write", 0);
    assert_eq!(ran.stdout_text(), printed);
    let written = project.read("gates.toml");
    assert_eq!(written, format!("{before}\n{printed}"));
    let checked = project.run("check", 0);
    checked.verdict("passed: 2 gates checked, 3 scenarios measured");

    // An inline array can't be extended, and stays as it is.
    let inline = "version = 1\ngate = [{ name = \"g\", scenarios = [\"one box\"], allocs = \"<= 1\" }]\n\
                  [[bench]]\npackage = \"demo\"\ntarget = \"counts\"\n";
    project.write("gates.toml", inline);
    let ran = project.run("suggest --write", 96);
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
