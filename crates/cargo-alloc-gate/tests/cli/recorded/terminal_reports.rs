//! The report for a terminal: what a run that passes and one that fails show, `--table`, `-q`
//! and `-v`, and the file that has the whole report.

use std::fs;

use crate::project::{BOXES, Project, RESULTS};

const BASELINE: &str = "
[baseline]
data = \"accepted.toml\"

[policy]
stale = \"allow\"

[[gate]]
name = \"no-creep\"
scenarios = [\"*\"]
allocs = \"<= baseline + 1\"
";

/// Scenarios of these names that allocate so often.
fn boxes(scenarios: &[(&str, u64)]) -> String {
    let line = |(name, allocs): &(&str, u64)| {
        let bytes = 8 * allocs;
        let freed = format!("deallocs={allocs} freed-bytes={bytes}");
        format!("{name}: 100 x allocs={allocs} bytes={bytes} {freed}\n")
    };
    scenarios.iter().map(line).collect()
}

#[test]
fn the_options_of_the_report_say_how_much_is_shown() {
    let project = Project::recorded(
        "report-changed",
        &boxes(&[("same", 1), ("two", 1)]),
        BASELINE,
    );
    project.judge("accept", 0);
    project.write_results(RESULTS, &boxes(&[("same", 1), ("two", 2)]));
    let on = |line: &str| project.judge(line, 0).stdout_text();
    let rows = |text: &str| text.lines().filter(|line| line.starts_with("| ")).count();
    // Each has a row for the header.
    for (table, expected) in [("all", 3), ("changed", 2), ("failed", 0), ("none", 0)] {
        assert_eq!(
            rows(&on(&format!("check --table {table}"))),
            expected,
            "{table}"
        );
    }
    assert_eq!(on("check -q"), "");
    let verbose = on("check --table none -v");
    assert!(
        verbose.contains("\npass  no-creep (gates.toml:17): 2 scenarios\n"),
        "{verbose}"
    );
}

#[test]
fn a_run_that_fails_shows_before_and_now_and_what_to_do() {
    let before = boxes(&[("one", 1), ("two", 2), ("same", 1)]);
    let project = Project::recorded("report-failed", &before, BASELINE).committed();
    project.judge("accept", 0);
    project.commit("Accept");
    project.write_results(RESULTS, &boxes(&[("one", 3), ("two", 4), ("same", 1)]));
    project.add_to_manifest("# edited\n");
    let ran = project.judge("check", 1);
    let failures = "\
FAIL one  benches/counts.rs:2
       allocs  1 -> 3 (+2)  <= baseline + 1 (limit 2) [no-creep]
FAIL two  benches/counts.rs:3
       allocs  2 -> 4 (+2)  <= baseline + 1 (limit 3) [no-creep]
help: if this is intended, run `cargo alloc-gate accept`; `cargo alloc-gate compare main` shows what changed
";
    ran.stdout_has("demo/counts  3 scenarios  1 gate  FAILED\n");
    ran.stdout_has(failures);
    let quiet = project.judge("check -q", 1).stdout(failures);
    quiet.verdict("FAILED: 2 of 3 scenarios, 1 of 1 gate");
    project.judge("accept", 0);
    project.judge("check", 0);
}

#[test]
fn the_last_line_names_a_file_with_the_whole_report() {
    let results = boxes(&[("one", 1), ("two", 2)]);
    let project = Project::recorded("report-file", &results, BOXES);
    let file = project.target().join("alloc-gate/report.md");
    let ran = project.judge("check -q --format json", 1);
    assert_eq!(ran.report_file().as_deref(), file.to_str());
    let text = fs::read_to_string(&file).expect("the file is there");
    assert!(text.contains("| two | 2 |\n"), "{text}");
    // Nobody asked for the file, so that the verdict does not depend on it.
    fs::remove_file(&file).expect("the file is there");
    fs::create_dir(&file).expect("there is room for a folder");
    let ran = project.judge("check", 1);
    ran.stderr_has("warning: failed to write ");
    assert_eq!(ran.report_file(), None);
}
