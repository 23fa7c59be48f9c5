//! Scenarios of the same name in several benches and packages.

use crate::project::{BOXES, Project, RESULTS};

/// Both packages have the bench `counts` with a scenario `encode`.
#[test]
fn a_scenario_is_gated_and_selected_by_its_package() {
    let of_store = BOXES.replace("= \"boxes\"", "= \"two\"\npackage = \"store\"");
    let gates = format!(
        "{}package = \"demo\"\n{of_store}",
        BOXES.replace("boxes", "one")
    );
    let stored = "\n[[bench]]\npackage = \"store\"\ntarget = \"counts\"\n";
    let results = "bench demo/counts\nencode: 100 x allocs=1\nown: 100 x allocs=1\n\
                   bench store/counts\nencode: 100 x allocs=3\n";
    let project = Project::recorded("names", results, &format!("{stored}{gates}"));
    let ran = project.judge("list --scenarios sto*/encode", 0);
    ran.stdout("store/counts\n  encode: gated by two\n");
    let ran = project.judge("list --scenarios other/counts/encode", 4);
    ran.stderr_has("error: no scenario matches `other/counts/encode`\n");
    let ran = project.judge("check", 1);
    ran.stdout_has("\nFAIL store/counts/encode  ");
    ran.verdict("FAILED: 1 of 3 scenarios, 1 of 2 gates");
}

#[test]
fn scenarios_that_moved_to_another_bench_are_named() {
    let results = |counts: &str, other: &str| {
        format!("bench demo/counts\n{counts}: 1 x\nbench demo/other\n{other}: 1 x\n")
    };
    let gates = format!("[baseline]\ndata = \"accepted.toml\"\n{BOXES}");
    let project = Project::recorded("names-before", &results("encode", "other"), &gates);
    project.judge("accept", 0);
    project.write_results(RESULTS, &results("other", "encode"));
    let ran = project.judge("accept --check", 1);
    ran.stdout_has("moved: encode from demo/counts to demo/other\nmoved: other from demo/other ");
}
