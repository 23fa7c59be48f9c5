//! `accept`: writes both files of the baseline, or none.

use snapbox::str;

use crate::project::Project;

pub(crate) const BODY: &str = "one box: 8\nthree buffers: 100 20 3\n";

pub(crate) const RULES: &str = r#"
[baseline]
data = "design/accepted.toml"
page = "design/accepted.md"

[[gate]]
name = "no-creep"
scenarios = ["*"]
allocs = "<= baseline"
bytes = { max = "<= baseline" }
reason = "figures only go down"
"#;

pub(crate) const DATA: &str = "design/accepted.toml";
pub(crate) const PAGE: &str = "design/accepted.md";

/// The verdict of `accept --check` where something would change.
const OUT_OF_DATE: &str = "FAILED: the committed baseline is out of date; run `cargo alloc-gate \
                           accept` and review the diff";

#[test]
fn a_first_accept_writes_data_and_page_and_then_the_check_passes() {
    let project = Project::with("accept", BODY, RULES);
    let ran = project.run("accept", 0);
    ran.stdout(str![[r#"
new environment: [HOST], profile bench, over std::alloc::System
new: one box
new: three buffers

"#]])
        .after_measuring(str![[r#"
       Wrote design/accepted.toml
       Wrote design/accepted.md
alloc-gate: accepted: 3 changes; review the diff and commit it

"#]]);
    project.has(
        DATA,
        "\nname = \"three buffers\"\nbench = { package = \"demo\", target = \"counts\" }\n",
    );
    project.has(PAGE, "\n| three buffers | 100 | 3.00 | 123 | 3.00 |\n");
    project.passes("1 gate checked, 2 scenarios measured");
}

#[test]
fn accepting_again_changes_no_byte() {
    let project = Project::with("accept-again", BODY, RULES);
    project.run("accept", 0);
    let (data, page) = (project.read(DATA), project.read(PAGE));
    let ran = project.run("accept", 0);
    ran.stdout("").after_measuring(str![[r#"
       Wrote design/accepted.toml
       Wrote design/accepted.md
alloc-gate: accepted: no figure changed

"#]]);
    assert_eq!(project.read(DATA), data);
    assert_eq!(project.read(PAGE), page);
}

#[test]
fn accepting_a_part_keeps_what_the_other_benches_have() {
    let project = Project::with_two("accept-part", "of a: 8", "of b: 8", RULES);
    project.run("accept", 0).stdout(str![[r#"
new environment: [HOST], profile bench, over std::alloc::System
new: of a
new: of b

"#]]);
    let data = project.read(DATA);
    let other = data.replace("name = \"of a\"", "name = \"old of a\"");
    let other = other.replace("name = \"of b\"", "name = \"old of b\"");
    project.write(DATA, &other);
    // The old scenario of `b` stays; the one of `a` is removed.
    let ran = project.run("accept --bench counts", 0);
    ran.stdout(str![[r#"
new: of a
gone: old of a

"#]])
        .after_measuring(str![[r#"
       Wrote design/accepted.toml
       Wrote design/accepted.md
alloc-gate: accepted: 2 changes; review the diff and commit it

"#]]);
    let expected = data.replace("name = \"of b\"", "name = \"old of b\"");
    assert_eq!(project.read(DATA), expected);
}

#[test]
fn accept_check_writes_nothing_and_fails_after_an_edit() {
    let project = Project::with("accept-check", BODY, RULES);
    let ran = project.run("accept --check", 1);
    ran.stdout(str![[r#"
new environment: [HOST], profile bench, over std::alloc::System
new: one box
new: three buffers
design/accepted.md is out of date

"#]])
        .only_verdict(OUT_OF_DATE);
    assert!(!project.path("design").exists());

    project.run("accept", 0);
    let ran = project.run("accept --check", 0);
    ran.stdout("")
        .only_verdict("passed: the committed baseline is up to date");

    let page = project.read(PAGE);
    project.write(PAGE, &page.replace("| 123 |", "| 99 |"));
    let ran = project.run("accept --check", 1);
    ran.stdout(str![[r#"
design/accepted.md is out of date

"#]])
        .only_verdict(OUT_OF_DATE);
    project.write(PAGE, &page);

    let data = project.read(DATA);
    let edited = data.replace(
        "\nallocs = 1\n",
        "\nallocs = { total = 90, min = 0, p50 = 1, p99 = 1, max = 1, first = 1 }\n",
    );
    project.write(DATA, &edited);
    project.run("accept --check", 1).stdout(str![[r#"
one box: allocs 0.9 -> 1 (+0.1)
design/accepted.md is out of date

"#]]);
}

#[test]
fn the_check_warns_of_a_page_that_is_out_of_date() {
    let project = Project::with("accept-stale-page", BODY, RULES);
    project.run("accept", 0);
    let rules = project
        .read("gates.toml")
        .replace("only go down", "never go up");
    project.write("gates.toml", &rules);
    let ran = project.passes("1 gate checked, 2 scenarios measured");
    ran.stdout_has("warning[stale-document]: `design/accepted.md` is out of date\n");
}
