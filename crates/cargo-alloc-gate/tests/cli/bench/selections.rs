//! The benches that are built, and the list of their scenarios.

use crate::project::{BOXES, Project};

const BODY: &str = "one box: 8";

#[test]
fn list_shows_scenarios_and_their_gates_without_measuring() {
    let rows = BOXES.replace("boxes", "rows").replace('*', "rows/n=[12]");
    let gates = rows + &BOXES.replace("\"*\"", "\"one*\", \"two*\", \"pair/*\"");
    let project = Project::with("list", "one box: panic\nuse rows\nuse unavailable", &gates);
    let ran = project.run("list", 0);
    ran.verdict("listed 7 scenarios, 2 of them ungated");
    ran.stdout(
        "demo/counts
  one box: gated by boxes
  rows/n=1: gated by rows
  rows/n=2: gated by rows
  pair/subject=tbb,size=8: gated by boxes
  pair/subject=tbb,size=64: gated by boxes
  resident: ungated
  other: ungated
",
    );
    // With a selection, only its scenarios.
    project
        .run("list --scenarios o*", 0)
        .stdout("demo/counts\n  one box: gated by boxes\n  other: ungated\n");
    let recorded = project.results("counts");
    assert!(!std::path::Path::new(&recorded).exists(), "nothing is kept");
}

#[test]
fn a_bench_without_a_list_or_scenarios_has_nothing_to_select() {
    let project = Project::with("list-crash", "main fails always", BOXES);
    project
        .run("list", 104)
        .stderr_has("  | ::error::list\n---\nerror: demo/counts did not list its scenarios: exit ");
    project.scenarios("counts", "");
    for command in ["list", "run"] {
        project
            .run(command, 4)
            .stderr_has("error: the benches have no scenarios\n");
    }
}

#[test]
fn a_bench_that_nothing_names_fails_the_check() {
    let project = Project::new(
        "unlisted",
        &[("counts", BODY), ("other", "other box: 8 8")],
        BOXES,
    );
    // One over another harness, which has the crate's name in a comment; one whose code is in other
    // files, and one of these, which cargo takes for a bench.
    project.write("benches/plain.rs", "// like alloc_scenario\nfn main() {}\n");
    project.write("benches/hidden.rs", "include!(\"body.rs\");\n");
    project.write("benches/body.rs", "mod common;\nfn main() {}\n");
    project.write("benches/common.rs", "pub use alloc_scenario::Suite;\n");
    let targets = ["plain", "hidden", "common"];
    let target = |name: &str| format!("\n[[bench]]\nname = \"{name}\"\nharness = false\n");
    project.add_to_manifest(&targets.map(target).concat());
    project.gates(&["counts"], BOXES);
    let ran = project.run("", 1);
    ran.verdict("FAILED: 1 gate checked (2 errors), 1 scenario measured");
    ran.stdout_has("error[unlisted-bench]: gates.toml does not list `demo/hidden`, ");
    ran.stdout_has(
        "error[unlisted-bench]: gates.toml does not list `demo/other`, a bench that uses ",
    );
    // A selected part of the benches is what was asked for.
    project.run("--bench counts", 0);
    for command in ["list", "suggest"] {
        let ran = project.run(command, 0);
        ran.stderr_has(
            "warning: gates.toml does not list `demo/other`, a bench that uses alloc-scenario\n",
        );
    }
    // It is named, or left out, or allowed.
    let bench = |name: &str| format!("\n[[bench]]\npackage = \"demo\"\ntarget = \"{name}\"\n");
    let hidden = format!("{}run = false\n", bench("hidden"));
    let other = bench("other");
    project.gates(&["counts"], &format!("{hidden}{other}run = false\n{BOXES}"));
    project.passes("1 gate checked (2 benches left out), 1 scenario measured");
    project.gates(
        &["counts"],
        &format!("\n[policy]\nunlisted = \"allow\"\n{BOXES}"),
    );
    project.passes("1 gate checked, 1 scenario measured");
    project.gates(&["counts"], &format!("{hidden}{other}{BOXES}"));
    let named = project.run("", 1);
    named.verdict("FAILED: 1 of 2 scenarios, 1 of 1 gate (1 bench left out)");
}
