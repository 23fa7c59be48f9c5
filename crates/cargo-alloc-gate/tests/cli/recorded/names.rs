//! Scenarios of the same name in several benches and packages.

use crate::project::{BOXES, Project, RESULTS};

const RULES: &str = "
[[bench]]
package = \"store\"
target = \"counts\"

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
fn workspace(name: &str, of_store: u64) -> Project {
    let project = Project::recorded(name, &two(of_store), RULES);
    project.judge("accept", 0);
    project
}

fn two(of_store: u64) -> String {
    format!(
        "bench demo/counts\nencode: 100 x allocs=1\nown: 100 x allocs=1\n\
         bench store/counts\nencode: 100 x allocs={of_store}\n"
    )
}

#[test]
fn packages_can_have_scenarios_of_the_same_name() {
    let project = workspace("names", 2);
    project.has("accepted.toml", "\nversion = 1\n");
    project
        .judge("check", 0)
        .verdict("passed: 3 gates checked, 3 scenarios measured");
    project.judge("list", 0).stdout(
        "demo/counts\n  encode: one, no-creep\n  own: one, no-creep\n\
         store/counts\n  encode: two, no-creep\n",
    );
    project.write_results(RESULTS, &two(3));
    let ran = project.judge("check", 1);
    ran.stdout_has("\nFAIL store/counts/encode  ");
    ran.verdict("FAILED: 3 gates checked (2 failed), 3 scenarios measured");
    let json = project.judge("check --format json", 1).json();
    let failed = &json["gates"][1]["judgements"][0];
    assert_eq!(failed["scenario"], "encode");
    assert_eq!(failed["bench"], "store/counts");
}

#[test]
fn a_scenario_is_selected_by_its_package() {
    let project = workspace("names-selected", 2);
    let (demo, store) = (
        "demo/counts\n  encode: one, no-creep\n",
        "store/counts\n  encode: two, no-creep\n",
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
