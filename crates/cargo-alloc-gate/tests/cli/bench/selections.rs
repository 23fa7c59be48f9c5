//! The selection of benches and scenarios, and code 4 when nothing is selected.

use snapbox::str;

use crate::project::{BOXES, Project};

const BODY: &str = "one box: 8";

#[test]
fn a_package_that_is_not_there_selects_nothing() {
    let rules = format!("\n[baseline]\ndata = \"accepted.toml\"\n{BOXES}");
    let project = Project::with("select-none", BODY, &rules);
    for command in ["check", "run", "accept", "list"] {
        let ran = project.run_args(&[command, "-p", "nosuch"], 4);
        ran.not_judged(str![[r#"
error: --package nosuch matches no bench
  help: the benches are `demo/counts`

"#]]);
    }
}

#[test]
fn a_misspelt_bench_is_an_error_beside_a_right_one() {
    let project = Project::with("select-typo", BODY, BOXES);
    let ran = project.run("--bench counts --bench count", 4);
    ran.not_judged(str![[r#"
error: --bench count matches no bench
  help: the benches are `demo/counts`

"#]]);
}

#[test]
fn a_workspace_that_names_no_bench_selects_nothing() {
    let project = Project::new("no-bench", &[("counts", BODY)]);
    project.gates(&[], BOXES);
    project.run("", 4).not_judged(str![[r#"
error: neither gates.toml nor a package's metadata names a bench
  help: add `[[bench]]` with `package` and `target` to gates.toml, or `benches = ["..."]` to `[package.metadata.alloc-gate]` in the package's Cargo.toml

"#]]);
}

#[test]
fn rules_without_gates_judge_nothing() {
    let project = Project::with("no-gates", BODY, "\n[policy]\nungated = \"allow\"\n");
    project
        .run("", 4)
        .stdout(str![[r#"
demo/counts  1 scenario
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| one box  |   100 |      1.00 |        8 |        1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]])
        .after_measuring(str![[r#"
error: gates.toml has no gates
  help: add a `[[gate]]` with `name`, `scenarios` and a limit such as `allocs = "<= 3"`
alloc-gate: NOTHING CHECKED: 0 gates checked, 1 scenario measured

"#]]);
}

#[test]
fn a_selection_that_no_gate_applies_to_judges_nothing() {
    let project = Project::with_two(
        "select-ungated",
        BODY,
        "other box: 8",
        &BOXES.replace('*', "one*"),
    );
    let ran = project.run("--bench other", 4);
    ran.stdout_has("warning[ungated-scenario]: no gate applies to `other box` (src/lib.rs:60)");
    ran.stderr_has("error: no gate in gates.toml applies to the selected scenarios\n");
    ran.verdict("NOTHING CHECKED: 0 gates checked (1 not selected), 1 scenario measured");
}

#[test]
fn a_part_of_the_benches_is_judged_by_the_gates_that_apply() {
    let others = BOXES.replace("boxes", "others").replace('*', "other*");
    let gates = format!("{}{others}", BOXES.replace('*', "one*"));
    let project = Project::with_two("select-some", BODY, "other box: 8", &gates);
    let ran = project.run("--bench other", 0);
    ran.stdout(str![[r#"
demo/other  1 scenario  1 gate  ok
| scenario  | iters | allocs/op |
|-----------|-------|-----------|
| other box |   100 |      1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]])
        .stderr(str![[r#"
    Building 1 bench
   Measuring demo/other
alloc-gate: passed: 1 gate checked (1 not selected), 1 scenario measured

"#]]);
}

#[test]
fn list_shows_scenarios_their_gates_and_what_is_ungated_without_measuring() {
    let gates = format!(
        "{}{BOXES}",
        BOXES.replace("boxes", "rows").replace('*', "rows/n=[12]")
    );
    let project = Project::with(
        "list",
        "one box: panic\nuse rows",
        &gates.replace("\"*\"", "\"one*\", \"two*\""),
    );
    let ran = project.run("list", 0);
    ran.stdout(str![[r#"
demo/counts
  one box: boxes
  rows/n=1: rows
  rows/n=2: rows
no scenario matches `two*` of the gate boxes

"#]])
        .stderr(str![[r#"
    Building 1 bench
alloc-gate: listed 3 scenarios, 0 of them ungated

"#]]);
}

#[test]
fn list_says_why_scenarios_can_not_be_measured_here_each_reason_once() {
    let body = "one box: panic\nuse unavailable";
    let project = Project::with("list-unavailable", body, &BOXES.replace('*', "pair/*"));
    let ran = project.run("list", 0);
    ran.stdout(str![[r#"
demo/counts
  one box: (ungated)
  pair/subject=tbb,size=8: boxes
  pair/subject=tbb,size=64: boxes
  resident: (ungated)
  other: (ungated)
not measured here: pair/subject=tbb,size=8 and 2 more (libtbb.so is not installed)
not measured here: resident (the system says nothing)

"#]])
        .stderr(str![[r#"
    Building 1 bench
alloc-gate: listed 5 scenarios, 3 of them ungated

"#]]);
    // With a selection, only its scenarios.
    project.run("list --scenarios o*", 0).stdout(str![[r#"
demo/counts
  one box: (ungated)
  other: (ungated)
not measured here: other (libtbb.so is not installed)

"#]]);
    let recorded = project.results("counts");
    assert!(!std::path::Path::new(&recorded).exists(), "nothing is kept");
}

#[test]
fn list_works_without_the_counter() {
    let project = Project::new("list-dead", &[("dead", "")]);
    project.gates(&["dead"], BOXES);
    let ran = project.run("list", 0);
    ran.stdout_has("demo/dead\n  one box: boxes\n");
    ran.stderr_has(
        "warning: failed to list the unavailable scenarios: demo/dead: the counter is not active",
    );
    ran.verdict("listed 1 scenario, 0 of them ungated");
}

#[test]
fn a_bench_that_cannot_list_its_scenarios_fails_the_list() {
    let project = Project::with("list-crash", "main fails always", BOXES);
    project.run("list", 104).not_judged(str![[r#"
    Building 1 bench
--- output of demo/counts
  | ::error::list
---
error: demo/counts did not list its scenarios: exit status: 3
  help: create the suite with `Suite::from_args()` in `main`

"#]]);
}

#[test]
fn a_bench_without_scenarios_is_nothing_selected() {
    let project = Project::with("list-none", "", BOXES);
    project.run("list", 4).stderr(str![[r#"
    Building 1 bench
error: the benches have no scenarios
  help: register one with `Suite::scenario`, and return the result of `Suite::finish` from `main`
alloc-gate: error: the benches have no scenarios (exit code 4)

"#]]);
    project.run("run", 4).after_measuring(str![[r#"
    Recorded [TARGET]/alloc-gate/demo.counts.jsonl
error: the benches have no scenarios
  help: register one with `Suite::scenario`, and return the result of `Suite::finish` from `main`
alloc-gate: error: the benches have no scenarios (exit code 4)

"#]]);
}

/// A project with a bench that gates.toml does not name, and with a bench over another
/// harness, which has the crate's name in a comment.
fn with_unlisted(name: &str, rest: &str) -> Project {
    let project = Project::new(name, &[("counts", BODY), ("other", "other box: 8 8")]);
    project.gates(&["counts"], &format!("{rest}{BOXES}"));
    project.write("benches/plain.rs", "// like alloc_scenario\nfn main() {}\n");
    project.add_to_manifest("\n[[bench]]\nname = \"plain\"\nharness = false\n");
    project
}

#[test]
fn a_bench_that_nothing_names_fails_the_check() {
    let project = with_unlisted("unlisted", "");
    // One whose code is in other files, and one of these, which cargo takes for a bench.
    project.write("benches/hidden.rs", "include!(\"body.rs\");\n");
    project.write("benches/body.rs", "mod common;\nfn main() {}\n");
    project.write("benches/common.rs", "pub use alloc_scenario::Suite;\n");
    project.add_to_manifest("\n[[bench]]\nname = \"hidden\"\n\n[[bench]]\nname = \"common\"\n");
    let ran = project.run("", 1);
    ran.verdict("FAILED: 1 gate checked (2 errors), 1 scenario measured");
    ran.stdout_has("error[unlisted-bench]: gates.toml does not name `demo/hidden`, ");
    ran.stdout_has("error[unlisted-bench]: gates.toml does not name `demo/other`, a bench over alloc-scenario, so it did not run");
    // A selected part of the benches is what was asked for.
    project.run("--bench counts", 0);
    let list = project.run("list", 0);
    list.stderr_has(
        "warning: gates.toml does not name `demo/other`, a bench over alloc-scenario\n  help: add \
         a `[[bench]]` for it to gates.toml, with `run = false` to leave it out\n",
    );
    let suggest = project.run("suggest", 0);
    suggest.stderr_has("warning: gates.toml does not name `demo/other`");
}

#[test]
fn a_bench_is_named_or_left_out_or_allowed() {
    let other = "\n[[bench]]\npackage = \"demo\"\ntarget = \"other\"\n";
    let left_out = with_unlisted("unlisted-left-out", &format!("{other}run = false\n"));
    left_out.passes("1 gate checked (1 bench left out), 1 scenario measured");
    // gates.toml has the last word about a bench that the metadata names too.
    left_out.add_to_manifest("\n[package.metadata.alloc-gate]\nbenches = [\"other\"]\n");
    left_out.passes("1 gate checked (1 bench left out), 1 scenario measured");
    let allowed = with_unlisted("unlisted-allowed", "\n[policy]\nunlisted = \"allow\"\n");
    allowed.passes("1 gate checked, 1 scenario measured");
    let named = with_unlisted("unlisted-named", other);
    named
        .run("", 1)
        .verdict("FAILED: 1 gate checked (1 failed), 2 scenarios measured");
}

#[test]
fn packages_and_benches_are_selected_by_globs_and_excluded() {
    let project = Project::with_two("select-globs", BODY, "other box: 8", BOXES);
    project.add_member("store", "stored box: 8");
    for (line, expected) in [
        ("-p st*", "store/counts\n  stored box: boxes\n"),
        (
            "-p {demo,store} --bench oth*",
            "demo/other\n  other box: boxes\n",
        ),
        ("--exclude d?mo", "store/counts\n  stored box: boxes\n"),
        (
            "--exclude store --bench counts",
            "demo/counts\n  one box: boxes\n",
        ),
        (
            "--bench c*",
            "demo/counts\n  one box: boxes\nstore/counts\n  stored box: boxes\n",
        ),
    ] {
        let ran = project.run(&format!("list {line}"), 0);
        assert_eq!(ran.stdout_text(), expected, "{line}");
    }
    let ran = project.run("--exclude store", 0);
    ran.verdict("passed: 1 gate checked, 2 scenarios measured");
}

#[test]
fn globs_that_select_no_bench_are_errors() {
    let project = Project::with_two("select-no-globs", BODY, "other box: 8", BOXES);
    for (line, error) in [
        ("--bench counts --bench x*", "--bench x* matches no bench"),
        ("-p demo -p d", "--package d matches no bench"),
        ("-p demo --exclude demo", "--package demo matches no bench"),
        ("--exclude *", "--exclude leaves out every bench"),
    ] {
        project.run(line, 4).not_judged(format!(
            "error: {error}\n  help: the benches are `demo/counts`, `demo/other`\n"
        ));
    }
    project.run("--exclude stroe", 4).not_judged(str![[r#"
error: --exclude stroe matches no package
  help: the packages are `demo`

"#]]);
    project.run("--bench [", 2).not_judged(str![[r#"
error: invalid value '[' for '--bench <GLOB>': `[` has no matching `]`

For more information, try '--help'.

"#]]);
    project.run_args(&["--exclude", ""], 2).not_judged(str![[r#"
error: invalid value '' for '--exclude <GLOB>': an empty pattern matches nothing

For more information, try '--help'.

"#]]);
}
