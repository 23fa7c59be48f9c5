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
    let (demo, store) = (
        "demo/counts\n  encode: one\n",
        "store/counts\n  encode: two\n",
    );
    // Both packages have the bench, and a full name comes first.
    for (glob, expected) in [
        ("store/counts/encode", store.to_owned()),
        ("sto*/encode", store.to_owned()),
        ("counts/encode", format!("{demo}{store}")),
    ] {
        let ran = project.judge(&format!("list --scenarios {glob}"), 0);
        ran.stdout(expected);
    }
    let ran = project.judge("list --scenarios other/counts/encode", 4);
    ran.stderr_has("error: no scenario matches `other/counts/encode`\n");
    let ran = project.judge("check", 1);
    ran.stdout_has("\nFAIL store/counts/encode  ");
    ran.verdict("FAILED: 2 gates checked (1 failed), 3 scenarios measured");
    let json = project.judge("check --format json", 1).json();
    let failed = &json["gates"][1]["judgements"][0];
    assert_eq!(
        (&failed["scenario"], &failed["bench"]),
        (&"encode".into(), &"store/counts".into())
    );
}

#[test]
fn a_baseline_without_shared_names_is_read_after_moves() {
    let results = |[counts, other]: [&str; 2]| {
        let bench = |target: &str, names: &str| {
            let names = names.split(' ');
            let lines = names.map(|name| format!("{name}: 100 x allocs=1\n"));
            format!("bench demo/{target}\n{}", lines.collect::<String>())
        };
        bench("counts", counts) + &bench("other", other)
    };
    let gates = format!("[baseline]\ndata = \"accepted.toml\"\n{BOXES}");
    let gates = gates.replace("<= 1", "<= 1, <= baseline");
    let project = Project::recorded("names-before", &results(["encode", "other"]), &gates);
    project.judge("accept", 0);
    // Both benches have other scenarios now, and no name is ambiguous.
    project.write_results(RESULTS, &results(["other", "encode"]));
    project
        .judge("check", 0)
        .verdict("passed: 1 gate checked, 2 scenarios measured");
    let ran = project.judge("accept --check", 1);
    ran.stdout_has("moved: encode from demo/counts to demo/other\nmoved: other from demo/other ");
    // A second `encode` has no accepted figures; the first one keeps them.
    project.write_results(RESULTS, &results(["other encode", "encode"]));
    project.judge("check", 1).stdout_has(
        "\nerror[no-accepted-figure]: the baseline does not have `allocs` of `other/encode` (",
    );
}
