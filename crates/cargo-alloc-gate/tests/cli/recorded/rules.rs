//! Mistakes in gates.toml, in the files that it names, and in manifests: code 96.

use std::fs;

use snapbox::str;

use crate::project::{BOXES, Project};

const BODY: &str = "one box: 8";

const BASELINE: &str = "
[baseline]
data = \"accepted.toml\"
page = \"accepted.md\"
";

// The cases of alloc-gate have every diagnostic.
#[test]
fn every_mistake_in_gates_toml_is_underlined_with_line_and_column() {
    let project = Project::with(
        "mistakes",
        BODY,
        r#"
[policy]
ungated = "forbid"

[[gate]]
name = "boxes"
scenarios = ["*"]
alocs = "<= 1"
"#,
    );
    project.run("", 96).not_judged(str![[r#"
error: gates.toml is invalid: 2 mistakes

error[bad-value]: invalid value `forbid` for `ungated`
  --> gates.toml:12:11
   |
12 | ungated = "forbid"
   |           ^^^^^^^^
   |
   = help: expected one of `deny`, `warn`, `allow`

error[unknown-metric]: unknown metric `alocs`
  --> gates.toml:17:1
   |
17 | alocs = "<= 1"
   | ^^^^^
   |
   = help: did you mean `allocs`?

  help: fix the errors above; nothing was built

"#]]);
}

#[test]
fn without_gates_toml_the_error_says_what_to_write() {
    let project = Project::new("no-rules", &[("counts", BODY)]);
    project.run("", 96).not_judged(str![[r#"
error: [ROOT]/gates.toml does not exist
  help: run `cargo alloc-gate init`, or write it yourself: `version = 1`, a `[[bench]]` and a `[[gate]]`

"#]]);
}

#[test]
fn a_member_can_have_rules_of_its_own() {
    let project = Project::with("independent", BODY, "");
    project.add_member("store", "stored box: 2");
    let rules = "version = 1\n[policy]\nunlisted = \"allow\"\n[[bench]]\npackage = \"store\"\n\
                 target = \"counts\"\n[[gate]]\nname = \"boxes\"\nscenarios = [\"*\", \"gone\"]\n\
                 allocs = \"<= 1\"\n";
    project.write("store/gates.toml", rules);
    fs::remove_file(project.path("gates.toml")).unwrap();
    project.run("", 96).not_judged(str![[r#"
error: [ROOT]/gates.toml does not exist
  help: a member has rules of its own, which `--config-file store/gates.toml` names in the workspace's folder

"#]]);
    // Its benches are the whole of a run, so that a glob has to match.
    project
        .run("--config-file store/gates.toml", 1)
        .verdict("FAILED: 1 gate checked (1 missing), 1 scenario measured");
}

#[test]
fn rules_that_were_asked_for_by_name_have_to_be_there() {
    let project = Project::with("no-such-rules", BODY, BOXES);
    for command in ["check", "run", "accept", "list"] {
        let ran = project.run_args(&[command, "--config-file", "other.toml"], 96);
        ran.not_judged(str![[r#"
error: failed to read other.toml: it does not exist
  help: --config-file is relative to the current folder

"#]]);
    }
}

#[test]
fn unreadable_rules_are_an_error() {
    let project = Project::new("unreadable", &[("counts", BODY)]);
    fs::create_dir(project.path("gates.toml")).expect("the folder can be made");
    for command in ["check", "run"] {
        project.run_args(&[command], 96).not_judged(str![[r#"
error: failed to read [ROOT]/gates.toml: [..] (os error [..])
  help: the file must be readable, and in UTF-8

"#]]);
    }
}

#[test]
fn benches_that_the_workspace_does_not_have_are_underlined() {
    let project = Project::with("unknown", BODY, BOXES);
    let other = "\n[[bench]]\npackage = \"elsewhere\"\ntarget = \"counts\"\n";
    project.gates(&["counts", "count"], &format!("{other}{BOXES}"));
    project.run("", 96).not_judged(str![[r#"
error: gates.toml names benches that the workspace does not have

error[unknown-bench]: the workspace has no bench `count` in a package `demo`
  --> gates.toml:13:10
   |
13 | target = "count"
   |          ^^^^^^^
   |
   = help: the benches of `demo` are `counts`

error[unknown-bench]: the workspace has no bench `counts` in a package `elsewhere`
  --> gates.toml:17:10
   |
17 | target = "counts"
   |          ^^^^^^^^
   |
   = help: the packages are `demo`

  help: fix the errors above; nothing was built

"#]]);
}

#[test]
fn a_broken_baseline_is_underlined_and_not_replaced() {
    let project = Project::with("broken-data", BODY, &format!("{BASELINE}{BOXES}"));
    let broken = "version = 1\n<<<<<<< ours\n";
    project.write("accepted.toml", broken);
    project.run("", 96).not_judged(str![[r#"
error: accepted.toml is invalid: 1 mistake

error[bad-baseline]: not a baseline: key with no value, expected `=`
 --> accepted.toml:2:9
  |
2 | <<<<<<< ours
  |         ^
  |
  = help: restore the file with git, or delete it and run `cargo alloc-gate accept`

  help: fix the errors above; nothing was built

"#]]);
    project.run("accept", 96).stdout("");
    assert_eq!(project.read("accepted.toml"), broken);
}

#[test]
fn a_page_with_broken_markers_is_refused_and_not_replaced() {
    let project = Project::with("broken-page", BODY, &format!("{BASELINE}{BOXES}"));
    project.run("accept", 0);
    let page = project.read("accepted.md");
    let broken = page.replace("<!-- alloc-gate: end baseline -->\n", "");
    assert_ne!(broken, page);
    project.write("accepted.md", &broken);
    project.run("check", 96).not_judged(str![[r#"
error: [ROOT]/accepted.md is not a baseline page: line 3: `<!-- alloc-gate: begin baseline -->` has no `<!-- alloc-gate: end baseline -->` after it; restore the line, or delete this one
  help: fix the markers, or delete the file: `cargo alloc-gate accept` writes a new one

"#]]);
    project.run("accept", 96).stdout("");
    assert_eq!(project.read("accepted.md"), broken);
}

#[test]
fn benches_can_be_named_in_the_packages_manifest() {
    let project = Project::new("declared", &[("counts", BODY)]);
    project.gates(&[], BOXES);
    project.add_to_manifest("\n[package.metadata.alloc-gate]\nbenches = [\"counts\"]\n");
    project.passes("1 gate checked, 1 scenario measured");
}

#[test]
fn a_mistake_in_the_packages_manifest_names_it_and_what_to_write() {
    let project = Project::new("misdeclared", &[("counts", BODY)]);
    project.gates(&[], BOXES);
    let manifest = project.read("Cargo.toml");
    for (lines, problem) in [
        (
            "benches = [\"count\"]",
            "the package has no bench `count`; it has `counts`",
        ),
        ("bench = \"counts\"", "unknown key `bench`"),
        ("benches = \"counts\"", "`benches` must be an array"),
    ] {
        let metadata = format!("\n[package.metadata.alloc-gate]\n{lines}\n");
        project.write("Cargo.toml", &format!("{manifest}{metadata}"));
        project.run("", 96).not_judged(format!(
            "error: [package.metadata.alloc-gate] in [ROOT]/Cargo.toml is invalid: {problem}
  help: write `benches = [\"alloc_count\"]`, with names of bench targets
"
        ));
    }
}

#[test]
fn rules_elsewhere_have_their_baseline_beside_them() {
    let project = Project::with("elsewhere", BODY, &format!("{BASELINE}{BOXES}"));
    let rules = project.read("gates.toml").replace("<= 1", "<= 0");
    project.write("ci/strict.toml", &rules);
    let ran = project.run("accept --config-file ci/strict.toml", 0);
    ran.stderr_has("       Wrote ci/accepted.toml\n       Wrote ci/accepted.md\n");
    ran.verdict("accepted: 2 changes; review the diff and commit it");
    let ran = project.run("--config-file ci/strict.toml", 1);
    ran.stdout_has("1 of 1 gate (ci/strict.toml:15)\n");
    ran.stdout_has("change the limit at ci/strict.toml:18:10\n");
}
