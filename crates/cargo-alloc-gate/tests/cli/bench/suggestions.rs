//! `suggest`: gates from measurements, printed and written.

use crate::project::{BOXES, Project};

#[test]
fn suggested_gates_are_printed_and_written_and_hold() {
    let body = "one box: 8\ntwo boxes: 8 8\nuse odd\n";
    let gate = format!("\n# About the first one.{}", BOXES.replace('*', "one box"));
    let project = Project::with("suggest", body, &gate);
    let before = project.read("gates.toml");
    let printed = "[[gate]]\nname = \"two-boxes\"\nscenarios = [\"two boxes\"]\nallocs = \"<= 2\"\n\
                   bytes = \"<= 16\"\n";
    let ran = project.run("suggest", 0).stdout(printed);
    ran.stderr_has("warning: no gate for `odd`: its counts differ between iterations or runs\n");
    ran.verdict("suggested 1 gate (`suggest` checks no gates)");
    assert_eq!(project.read("gates.toml"), before, "only --write writes");
    project.run("suggest --write", 0).stdout(printed);
    assert_eq!(project.read("gates.toml"), format!("{before}\n{printed}"));
    project.passes("2 gates checked, 3 scenarios measured");
    // An inline array can't be extended, and stays as it is.
    let inline = "version = 1\ngate = [{ name = \"g\", scenarios = [\"one box\"], allocs = \"<= 1\" }]\n\
                  [[bench]]\npackage = \"demo\"\ntarget = \"counts\"\n";
    project.write("gates.toml", inline);
    let ran = project.run("suggest --write", 96);
    ran.stderr_has("error[toml-syntax]")
        .stderr_has("help: nothing was written");
    assert_eq!(project.read("gates.toml"), inline);
}
