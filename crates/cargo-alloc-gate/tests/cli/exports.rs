//! Reports for other programs: which command has which, where their paths begin, and that none
//! stays from another run.

use snapbox::str;

use crate::project::{BOXES, Project};
use crate::repository::Repository;

/// The formats of reports with verdicts, each with a file and what it has of a gate that fails.
const VERDICTS: [(&str, &str); 3] = [
    ("tests.xml", "<failure message=\"two: allocs 2, required: "),
    ("alerts.sarif", "\"ruleId\": \"boxes\""),
    ("code-quality=quality.json", "\"check_name\": \"boxes\""),
];

/// The same for those with figures.
const FIGURES: [(&str, &str); 3] = [
    ("table.csv", "demo,counts,two,allocs,count,2,2,2,"),
    ("bmf=bmf.json", "\"lower_value\": 2"),
    ("benchmark-action=charts.json", "\"name\": \"two: allocs\""),
];

fn file(report: &str) -> &str {
    report.split_once('=').map_or(report, |(_, file)| file)
}

fn options(reports: &[(&str, &str)]) -> String {
    let options = reports
        .iter()
        .map(|(report, _)| format!(" --report {report}"));
    options.collect()
}

#[test]
fn reports_have_what_failed_and_an_end_without_a_verdict_leaves_none() {
    let all = [VERDICTS, FIGURES].concat();
    let project = Project::with("exports", "two: 8 8", BOXES);
    let check = format!("check{}", options(&all));
    project.run(&check, 1);
    for (report, part) in &all {
        let text = project.read(file(report));
        assert!(text.contains(part), "{report}: {text}");
    }
    let rules = project.read("gates.toml");
    project.write("gates.toml", "version = 2\n");
    project.run(&check, 96);
    for (report, _) in &all {
        assert!(!project.path(file(report)).exists(), "{report}");
    }
    // What is no report stays.
    project.write("table.csv", "a,b\n");
    project.run(&check, 96);
    assert_eq!(project.read("table.csv"), "a,b\n");
    std::fs::remove_file(project.path("table.csv")).expect("it is there");
    project.write("gates.toml", &rules);
    // A repository of which the package is the root takes its own reports back.
    let repository = Repository::from_project(project);
    repository.project.run(&check, 1);
    let alerts = repository.project.read("alerts.sarif");
    assert!(alerts.contains("\"uri\": \"gates.toml\""), "{alerts}");
    repository.commit("reports");
    repository.project.run(&check, 1);
}

#[test]
fn a_format_that_a_command_has_nothing_for_is_refused() {
    let project = Project::with("no-exports", "one: 8", BOXES);
    for (line, needs) in [
        ("run", &VERDICTS[..]),
        ("explain one", &VERDICTS),
        ("explain one", &FIGURES),
        ("compare HEAD", &VERDICTS),
    ] {
        for (report, _) in needs {
            let ran = project.run(&format!("{line} --report {report}"), 2);
            ran.stderr_has("error: a report in the format `");
            assert!(!project.path(file(report)).exists(), "{line} {report}");
        }
    }
    project
        .run("run --report tests.xml", 2)
        .not_judged(str![[r#"
error: a report in the format `junit` needs the verdicts of gates
  help: `cargo alloc-gate check --report junit=FILE` has them

"#]]);
    project.run(&format!("run{}", options(&FIGURES)), 0);
    assert!(
        project
            .read("table.csv")
            .contains("demo,counts,one,allocs,")
    );
    // Not on stdout, where a CI system looks for commands.
    let ran = project.run("check --format csv", 2);
    ran.stderr_has("invalid value 'csv' for '--format <FORMAT>'");
}
