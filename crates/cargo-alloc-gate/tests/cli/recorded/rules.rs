//! Mistakes in gates.toml, in the files that it names, and in manifests: code 96.

use std::fs;

use crate::project::{BOXES, Project};

const BODY: &str = "one box: 100 x allocs=1 bytes=8\n";

const BASELINE: &str = "
[baseline]
data = \"accepted.toml\"
page = \"accepted.md\"
";

// The cases of alloc-gate have every diagnostic.
#[test]
fn every_mistake_in_gates_toml_is_underlined_with_line_and_column() {
    let gates = format!(
        "[policy]\nungated = \"forbid\"\n{}",
        BOXES.replace("allocs", "alocs")
    );
    let project = Project::recorded("mistakes", BODY, &gates);
    let ran = project.run("", 96);
    ran.stderr_has("error: gates.toml is invalid: 2 mistakes\n");
    ran.stderr_has("\n11 | ungated = \"forbid\"\n   |           ^^^^^^^^\n");
    ran.stderr_has("\nerror[unknown-metric]: unknown metric `alocs`\n  --> gates.toml:16:1\n");
}

#[test]
fn without_gates_toml_the_error_says_what_to_write() {
    let project = Project::recorded("no-rules", BODY, "");
    fs::remove_file(project.path("gates.toml")).expect("it is there");
    project.run("", 96).stderr_has(
        "/gates.toml does not exist\n  help: run `cargo alloc-gate init`, or write it \
         yourself: `version = 1`, a `[[bench]]` and a `[[gate]]`\n",
    );
    project.run("suggest --write", 96).stderr_has("error: ");
}

#[test]
fn a_member_can_have_rules_of_its_own() {
    let stored = "bench store/counts\nstored box: 100 x allocs=1\n";
    let project = Project::recorded("independent", stored, "");
    let rules = "version = 1\n[policy]\nunlisted = \"allow\"\n[[bench]]\npackage = \"store\"\n\
                 target = \"counts\"\n[[gate]]\nname = \"boxes\"\nscenarios = [\"*\", \"gone\"]\n\
                 allocs = \"<= 1\"\n";
    project.write("store/gates.toml", rules);
    fs::remove_file(project.path("gates.toml")).unwrap();
    project.run("", 96);
    // Its benches are the whole of a run, so that a glob has to match.
    project
        .judge("check --config-file store/gates.toml", 1)
        .verdict("FAILED: 1 of 1 gate (1 missing)");
}

#[test]
fn rules_that_were_asked_for_by_name_have_to_be_there_and_readable() {
    let project = Project::recorded("no-such-rules", BODY, BOXES);
    fs::create_dir(project.path("folder")).expect("the folder can be made");
    let missing = "it does not exist\n  help: --config-file is relative to";
    for (file, said) in [("other.toml", missing), ("folder", "")] {
        let ran = project.run(&format!("check --config-file {file}"), 96);
        ran.stderr_has(&format!("error: failed to read {file}: {said}"));
    }
}

#[test]
fn benches_that_the_workspace_does_not_have_are_underlined() {
    let project = Project::recorded("unknown", BODY, BOXES);
    project.gates(&["counts", "count"], BOXES);
    let ran = project.run("", 96);
    ran.stderr_has("13 | target = \"count\"\n   |          ^^^^^^^\n");
    ran.stderr_has("= help: the benches of `demo` are `counts`\n");
}

#[test]
fn rules_elsewhere_have_their_baseline_beside_them() {
    let project = Project::recorded("elsewhere", BODY, &format!("{BASELINE}{BOXES}"));
    let rules = project.read("gates.toml").replace("<= 1", "<= 0");
    project.write("ci/strict.toml", &rules);
    let ran = project.judge("accept --config-file ci/strict.toml", 0);
    ran.stderr_has("       Wrote ci/accepted.toml\n       Wrote ci/accepted.md\n");
    let ran = project.judge("check --config-file ci/strict.toml", 1);
    ran.stdout_has("change the limit at ci/strict.toml:18:10\n");
}

#[test]
fn a_broken_baseline_or_page_is_named_and_not_replaced() {
    let project = Project::recorded("broken-data", BODY, &format!("{BASELINE}{BOXES}"));
    project.judge("accept", 0);
    let page = project.read("accepted.md");
    let unmarked = page.replace("<!-- alloc-gate: end baseline -->\n", "");
    assert_ne!(unmarked, page);
    for (file, broken, said) in [
        (
            "accepted.md",
            &*unmarked,
            "accepted.md is not a baseline page: line 3: one `<!-- alloc-gate: begin",
        ),
        (
            "accepted.toml",
            "version = 1\n<<<<<<< ours\n",
            "2 | <<<<<<< ours\n  |         ^\n",
        ),
    ] {
        project.write(file, broken);
        for line in ["check", "accept"] {
            project.judge(line, 96).stdout("").stderr_has(said);
        }
        assert_eq!(project.read(file), broken);
    }
}
