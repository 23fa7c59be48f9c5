//! Benches are built with line tables for the members of the workspace, and dependencies as
//! without.

#![cfg(target_os = "linux")]

use crate::program::EXPLAINS;
use crate::project::{Project, bench};

const SCENARIOS: &str = r#"
    suite.scenario("vectors", || {
        let words = ["one", "two", "three"].map(String::from);
        words.iter().map(|word| format!("{word}!")).collect::<Vec<_>>()
    });
    suite.scenario("map", || (0..40).map(|key| (key, key)).collect::<BTreeMap<u8, u8>>());
"#;

/// A project of a bench with these scenarios.
fn project(name: &str) -> Project {
    let source = bench("use std::collections::BTreeMap;\n", SCENARIOS);
    let project = Project::own(name, &[("counts", &source)]);
    project.gates(&["counts"], GATE);
    project
}

const GATE: &str = "
[[gate]]
name = \"few\"
scenarios = [\"*\"]
allocs = \"< 100\"
";

/// The packages that cargo compiles in a run of this program with these arguments.
fn compiled(project: &Project, program: Option<&str>, line: &str) -> Vec<String> {
    let mut command = match program {
        Some(program) => project.command_in(program, ""),
        None => project.command(),
    };
    command
        .args(line.split_whitespace())
        .env("CARGO_TERM_QUIET", "false");
    let ran = project.finish(command).code(0);
    let stderr = ran.stderr_text();
    let lines = stderr.lines();
    let packages = lines.filter_map(|line| line.trim_start().strip_prefix("Compiling "));
    let names = packages.filter_map(|package| package.split(' ').next());
    names.map(str::to_owned).collect()
}

/// What the scenarios did, without their times.
fn values(project: &Project) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(project.results("counts")).expect("there are results");
    let records = text.lines().skip(1).map(|line| {
        let record: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        serde_json::json!([record["name"], record["first"], record["samples"]])
    });
    let records: Vec<_> = records.collect();
    assert!(records[0][2][0]["times"] == 100, "{records:?}");
    records
}

#[test]
fn line_tables_rebuild_no_dependency_and_change_no_value() {
    let project = project("line-tables");
    // All dependencies are there after a build of cargo alone.
    compiled(&project, Some(env!("CARGO")), "bench --no-run");
    project.run_keys("line-tables = false");
    // In this folder outside of the workspace, another checkout could have built the member.
    assert_eq!(compiled(&project, None, ""), ["line-tables"]);
    assert_eq!(compiled(&project, None, ""), [""; 0]);
    let without = values(&project);
    project.gates(&["counts"], GATE);
    assert_eq!(compiled(&project, None, ""), ["line-tables"]);
    assert_eq!(values(&project), without);
    assert_eq!(compiled(&project, None, ""), [""; 0]);
    // A configuration of cargo decides.
    let own = "--config profile.bench.debug=false";
    assert_eq!(compiled(&project, None, own), [""; 0]);
    let stderr = with_lines(&project, own);
    let note = "        Note a failure of line-tables/counts would show no lines: the executable has \
                no line tables; build it with `debug = \"line-tables-only\"`\n";
    assert_eq!(stderr.matches(note).count(), 1, "{stderr}");
    assert!(!with_lines(&project, "").contains("Note"));
}

/// What a run says that may look for lines.
fn with_lines(project: &Project, line: &str) -> String {
    project.run_with(&[(EXPLAINS, "1")], line, 0).stderr_text()
}

#[test]
fn a_profile_that_strips_rebuilds_no_dependency_and_strips_no_member() {
    let project = project("line-tables-stripped");
    project.add_to_manifest("\n[profile.release]\nstrip = true\ndebug = false\n");
    compiled(&project, Some(env!("CARGO")), "bench --no-run");
    assert_eq!(compiled(&project, None, ""), ["line-tables-stripped"]);
    assert_eq!(compiled(&project, None, ""), [""; 0]);
    assert!(!with_lines(&project, "").contains("Note"));
    // The flag reaches the linker of the member alone.
    let own = "--config profile.bench.package.line-tables-stripped.strip=true";
    let stderr = with_lines(&project, own);
    assert!(
        stderr.contains("has no symbols; build it with `strip = false`\n"),
        "{stderr}"
    );
}
