//! JUnit reports: which commands have them, and where their paths begin.

use snapbox::str;

use crate::project::{BOXES, Project};
use crate::repository::Repository;

#[test]
fn a_junit_report_has_what_failed() {
    let project = Project::with("exports", "two: 8 8", BOXES);
    let check = "check --report tests.xml";
    project.run(check, 1);
    let tests = project.read("tests.xml");
    assert!(
        tests.contains("<failure message=\"two: allocs 2, required: "),
        "{tests}"
    );
    // A repository of which the package is the root takes its own reports back.
    let repository = Repository::from_project(project);
    repository.project.run(check, 1);
    let tests = repository.project.read("tests.xml");
    assert!(tests.contains("file=\"src/lib.rs\""), "{tests}");
    repository.commit("reports");
    repository.project.run(check, 1);
}

#[test]
fn a_junit_report_needs_verdicts() {
    let project = Project::with("no-exports", "one: 8", BOXES);
    for line in ["explain one", "compare HEAD"] {
        let ran = project.run(&format!("{line} --report tests.xml"), 2);
        ran.stderr_has("error: a report in the format `junit` needs the verdicts of gates\n");
    }
    project
        .run("run --report tests.xml", 2)
        .not_judged(str![[r#"
error: a report in the format `junit` needs the verdicts of gates
  help: `cargo alloc-gate check --report junit=FILE` has them

"#]]);
    assert!(!project.path("tests.xml").exists());
    // Not on stdout, where a CI system looks for commands.
    let ran = project.run("check --format junit", 2);
    ran.stderr_has("invalid value 'junit' for '--format <FORMAT>'");
}
