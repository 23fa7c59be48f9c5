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
        .stderr(str![[r#"
    Building 2 benches
   Measuring demo/counts
   Measuring store/counts
       Wrote accepted.toml
alloc-gate: accepted: 4 changes; review the diff and commit it

"#]])
        .stdout(str![[r#"
new environment: [HOST], profile bench, over std::alloc::System
new: demo/counts/encode
new: own
new: store/counts/encode

"#]]);
    project.has("accepted.toml", "\nversion = 1\n");
    project.run("", 0).stdout(str![[r#"
demo/counts   2 scenarios  2 gates  ok
| scenario           | iters | allocs/op |
|--------------------|-------|-----------|
| demo/counts/encode |   100 |      1.00 |
| own                |   100 |      1.00 |
store/counts  1 scenario   2 gates  ok
| scenario            | iters | allocs/op |
|---------------------|-------|-----------|
| store/counts/encode |   100 |      2.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]]).stderr(str![[r#"
    Building 2 benches
   Measuring demo/counts
   Measuring store/counts
alloc-gate: passed: 3 gates checked, 3 scenarios measured

"#]]);
    project.run("list", 0).stdout(str![[r#"
demo/counts
  encode: one, no-creep
  own: one, no-creep
store/counts
  encode: two, no-creep

"#]]);

    project.write("store/counts.scenarios", "encode: 8 8 8");
    project.run("", 1).stdout(str![[r#"
store/counts  1 scenario   2 gates  FAILED
demo/counts   2 scenarios  2 gates  ok
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL store/counts/encode                                store/src/lib.rs:60
       allocs      2 -> 3 (+1)    <= 2 [two], <= baseline [no-creep]
       first operations: 3 x alloc 8, 3 x dealloc 8
1 of 3 scenarios failed, 2 of 3 gates (gates.toml:21, gates.toml:27)
help: if this is intended, run `cargo alloc-gate accept`, and change the limit at gates.toml:25:10

"#]]).stderr(str![[r#"
    Building 2 benches
   Measuring demo/counts
   Measuring store/counts
alloc-gate: FAILED: 3 gates checked (2 failed), 3 scenarios measured

"#]]);
    project.run("accept --check", 1).stderr(str![[r#"
    Building 2 benches
   Measuring demo/counts
   Measuring store/counts
alloc-gate: FAILED: the committed baseline is out of date; run `cargo alloc-gate accept` and review the diff

"#]]);
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
    project.run("list --scenarios *e", 0).stdout(str![[r#"
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
    project.run("", 0).stderr(str![[r#"
    Building 2 benches
   Measuring demo/counts
   Measuring demo/other
alloc-gate: passed: 3 gates checked, 2 scenarios measured

"#]]);
    project.run("accept --check", 1).stdout(str![[r#"
moved: encode from demo/counts to demo/other
moved: other from demo/other to demo/counts

"#]]);
    // A second `encode` has no accepted figures; the first one keeps them.
    project.scenarios("counts", "other: 8\nencode: 8");
    project.run("", 1).stdout(str![[r#"
demo/other   1 scenario   3 gates  FAILED
demo/counts  2 scenarios  3 gates  ok
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

error: the baseline does not have `allocs` of `other/encode` [no-creep]
1 of 3 scenarios failed, 1 of 3 gates (gates.toml:30)
help: run `cargo alloc-gate accept`, and commit what it writes

"#]]);
}
