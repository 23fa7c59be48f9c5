//! Scenarios of the same name in several benches and packages.

use snapbox::str;

use crate::project::{BOXES, Project};

const RULES: &str = "
[baseline]
data = \"accepted.toml\"

[[gate]]
name = \"one\"
scenarios = [\"*\"]
package = \"demo\"
bench = \"c*\"
allocs = \"<= 1\"

[[gate]]
name = \"two\"
scenarios = [\"encode\"]
package = \"store\"
allocs = \"<= 2\"

[[gate]]
name = \"no-creep\"
scenarios = [\"*\"]
allocs = \"<= baseline\"
";

/// Two packages that both have a bench `counts` with a scenario `encode`.
fn workspace(name: &str, rules: &str) -> Project {
    let project = Project::with(name, "encode: 8\nown: 8", rules);
    project.add_member("store", "encode: 8 8");
    project
}

#[test]
fn packages_can_have_scenarios_of_the_same_name() {
    let project = workspace("names", RULES);
    project
        .run("accept", 0)
        .stdout_has("\nnew: demo/counts/encode\nnew: own\nnew: store/counts/encode\n");
    project.has("accepted.toml", "\nversion = 1\n");
    let ran = project.run("", 0);
    ran.stdout_has("\n| demo/counts/encode |   100 |      1.00 |\n");
    ran.stdout_has("\n| store/counts/encode |   100 |      2.00 |\n");
    ran.verdict("passed: 3 gates checked, 3 scenarios measured");
    project.run("list", 0).stdout(str![[r#"
demo/counts
  encode: one, no-creep
  own: one, no-creep
store/counts
  encode: two, no-creep

"#]]);

    project.write("store/counts.scenarios", "encode: 8 8 8");
    let ran = project.run("", 1);
    ran.stdout_has("\nFAIL store/counts/encode  ");
    ran.verdict("FAILED: 3 gates checked (2 failed), 3 scenarios measured");
    let json = project.run("--format json", 1).json();
    let failed = &json["gates"][1]["judgements"][0];
    assert_eq!(failed["scenario"], "encode");
    assert_eq!(failed["package"], "store");
    assert_eq!(failed["bench"], "counts");
}

#[test]
fn a_scenario_is_selected_by_its_package() {
    let project = workspace("names-selected", BOXES);
    for line in [
        "run --scenarios store/counts/encode",
        "run --scenarios sto*/encode",
        "run -p store --scenarios encode",
    ] {
        let ran = project.run(line, 0);
        ran.stdout_has("| encode   |   100 |      2.00 |       16 |        2.00 |\n");
    }
    // Both packages have the bench, and a full name comes first.
    project
        .run("list --scenarios counts/encode", 0)
        .stdout(str![[r#"
demo/counts
  encode: boxes
store/counts
  encode: boxes

"#]]);
    project
        .run("run --scenarios other/counts/encode", 4)
        .not_judged(str![[r#"
    Building 2 benches
error: --scenarios other/counts/encode matches no scenario
  help: a glob must match the whole name; `cargo alloc-gate list` prints the names

"#]]);
}

#[test]
fn a_baseline_without_shared_names_is_read_after_moves() {
    let project = Project::with_two("names-before", "encode: 8", "other: 8", RULES);
    let edited = project
        .read("gates.toml")
        .replace("package = \"store\"\n", "");
    project.write("gates.toml", &edited.replace("\"c*\"", "\"*\""));
    project.run("accept", 0);
    // Both benches have other scenarios now, and no name is ambiguous.
    project.scenarios("counts", "other: 8");
    project.scenarios("other", "encode: 8");
    project
        .run("", 0)
        .verdict("passed: 3 gates checked, 2 scenarios measured");
    project.run("accept --check", 1).stdout(str![[r#"
moved: encode from demo/counts to demo/other
moved: other from demo/other to demo/counts

"#]]);
    // A second `encode` has no accepted figures; the first one keeps them.
    project.scenarios("counts", "other: 8\nencode: 8");
    project
        .run("", 1)
        .stdout_has("\nerror: the baseline does not have `allocs` of `other/encode` [no-creep]\n");
}
