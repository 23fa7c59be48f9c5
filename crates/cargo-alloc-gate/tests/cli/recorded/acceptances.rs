//! `accept`: writes both files of the baseline, or none; a part of the scenarios; several machines.

use crate::project::{Project, RESULTS};

pub(crate) const RULES: &str = r#"
[baseline]
data = "design/accepted.toml"
page = "design/accepted.md"

[[gate]]
name = "no-creep"
scenarios = ["*"]
allocs = "<= baseline"
bytes = { max = "<= baseline" }
reason = "values only go down"
"#;

pub(crate) const DATA: &str = "design/accepted.toml";
pub(crate) const PAGE: &str = "design/accepted.md";

pub(crate) const BODY: &str = "one box: 100 x allocs=1 bytes=8 deallocs=1 freed-bytes=8\n\
    three buffers: 100 x allocs=3 bytes=123 deallocs=3 freed-bytes=123\n";

/// The verdict of `accept --check` where something would change.
const OUT_OF_DATE: &str = "FAILED: the baseline is out of date; run `cargo alloc-gate \
                           accept` and review the diff";

#[test]
fn a_first_accept_writes_data_and_page_and_then_the_check_passes() {
    let project = Project::recorded("accept", BODY, RULES);
    let ran = project.judge("accept", 0);
    ran.stdout(
        "new environment: [HOST], profile bench, over std::alloc::System\nnew: one box\n\
         new: three buffers\n",
    )
    .stderr(
        "       Wrote design/accepted.toml\n       Wrote design/accepted.md\n\
         alloc-gate: accepted: 3 changes; review the diff and commit it\n",
    );
    project.has(
        DATA,
        "\nname = \"three buffers\"\nbench = { package = \"demo\", target = ",
    );
    project.has(PAGE, "\n| three buffers | 100 | 3.00 | 123 | 3.00 |\n");
    project
        .judge("check", 0)
        .verdict("passed: 1 gate checked, 2 scenarios measured");
    let ran = project.judge("accept", 0).stdout("");
    ran.verdict("accepted: no value changed");
    // A check finds a page that is behind.
    let rules = project.read("gates.toml");
    project.write("gates.toml", &rules.replace("only go down", "never go up"));
    let ran = project.judge("check", 0);
    ran.stdout_has("warning[stale-document]: `design/accepted.md` is out of date\n");
}

#[test]
fn accept_check_writes_nothing_and_fails_after_an_edit() {
    let project = Project::recorded("accept-check", BODY, RULES);
    let outdated = |last: &str| {
        let ran = project.judge("accept --check", 1);
        let text = ran.verdict(OUT_OF_DATE).stdout_text();
        assert!(text.ends_with(last), "{text}");
    };
    outdated("new: three buffers\ndesign/accepted.md is out of date\n");
    assert!(!project.path("design").exists());
    project.judge("accept", 0);
    project
        .judge("accept --check", 0)
        .stdout("")
        .verdict("passed: the baseline is up to date");
    let (data, page) = (project.read(DATA), project.read(PAGE));
    project.write(PAGE, &page.replace("| 123 |", "| 99 |"));
    outdated("design/accepted.md is out of date\n");
    project.write(PAGE, &page);
    let of_90 = "\nallocs = { total = 90, p99 = 1, max = 1, first = 1 }\n";
    project.write(DATA, &data.replace("\nallocs = 1\n", of_90));
    outdated("one box: allocs 0.9 -> 1 (+0.1)\ndesign/accepted.md is out of date\n");
}

#[test]
fn excluded_scenarios_are_not_kept_and_are_missing_for_a_gate() {
    let body = "kept: 100 x allocs=1\nlab/1: 100 x allocs=1\n";
    let project = Project::recorded("accept-exclude", body, RULES);
    project.judge("accept", 0);
    project.has(DATA, "name = \"lab/1\"");
    let rules = project.read("gates.toml");
    let excluding = rules.replace("[baseline]\n", "[baseline]\nexclude = [\"lab/*\"]\n");
    project.write("gates.toml", &excluding);
    project.judge("accept", 0).stdout("gone: lab/1\n");
    let written = project.read(DATA) + &project.read(PAGE);
    assert!(
        written.contains("kept") && !written.contains("lab/1"),
        "{written}"
    );
    project.judge("accept --check", 0);
    // The gate applies to all scenarios, and this one has no baseline.
    let ran = project.judge("check", 1);
    ran.stdout_has("error[no-accepted-value]: the baseline has no `allocs` of `lab/1` (");
}

#[test]
fn recorded_results_of_several_machines_are_accepted_in_one_go() {
    let on = |bench: &str, target: &str| {
        let name = if bench == "counts" { "a" } else { "b" };
        format!("bench demo/{bench} target={target}\nof {name}: 100 x allocs=1\n")
    };
    let all = ["one", "two"].map(|target| on("counts", target) + &on("other", target));
    let project = Project::recorded("accept-from", &all.concat(), RULES);
    let ran = project.judge("accept --check", 1);
    assert!(ran.stdout_text().starts_with("new environment: one, "));
    assert!(!project.path(DATA).exists());
    project.judge("accept --bench counts", 2).stdout("");
    let ran = project.judge("accept", 0);
    ran.stdout_has(
        "new: of b (on one, profile bench, over std::alloc::System)\nnew environment: two, ",
    );
    ran.verdict("accepted: 6 changes; review the diff and commit it");
    // All benches of `two`: a scenario of a bench that no longer exists is removed. One bench of
    // `one`: the scenario of the other bench stays.
    let data = project.read(DATA);
    let of_b = "\"of b\"\nbench = { package = \"demo\", target = \"other\" }";
    let old = "\"old of b\"\nbench = { package = \"demo\", target = \"past\" }";
    project.write(DATA, &data.replace(of_b, old));
    project.write_results("some", &(on("counts", "one") + &all[1]));
    project.run("accept --results some", 0);
    assert_eq!(project.read(DATA), data.replacen(of_b, old, 1));
}

#[test]
fn changes_of_custom_metrics_and_failing_gates_are_shown() {
    let results = |metrics: &str| format!("encode: 2 x | custom {metrics}\n");
    let before = results("body bytes 2 x 40 | custom head bytes 2 x 5");
    let rules = RULES.replacen("<= baseline", "> 0", 1);
    let project = Project::recorded("accept-custom", &before, &rules);
    let ran = project.judge("accept", 0);
    ran.stderr_has("\nwarning: gates that still fail: no-creep (gates.toml:");
    let after = results("body bytes 2 x 42 | custom tail bytes 2 x 1");
    project.write_results(RESULTS, &after);
    project
        .judge("accept", 0)
        .stdout("encode: body 40 -> 42 (1.05x), head 5 -> not measured, tail not measured -> 1\n");
}
