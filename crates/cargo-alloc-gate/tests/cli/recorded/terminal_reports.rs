//! The report for a terminal: what a run that passes and one that fails show, `--table`, `-q`
//! and `-v`, and the file that has the whole report.

use std::fmt::Write;
use std::fs;

use snapbox::str;

use crate::project::{BOXES, Project};
use crate::repository::Repository;

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

/// More scenarios than the rows of a whole table.
fn many(of_last: &str) -> String {
    let mut text = String::new();
    for number in 1..=21 {
        writeln!(text, "box {number}: 8").expect("memory takes it");
    }
    text + "last: " + of_last + "\n"
}

#[test]
fn a_run_that_passes_shows_what_changed_of_many_scenarios() {
    let project = Project::with("report-changed", &many("8"), BASELINE);
    project.run("accept", 0);
    let same = project.run("", 0);
    same.stdout(str![[r#"
demo/counts  22 scenarios  1 gate  ok
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]]);
    project.scenarios("counts", &(many("8 8") + "fresh: 8\n"));
    // The new scenario has no baseline to be compared with.
    let rules = project.read("gates.toml");
    let rules = rules.replace("[\"*\"]", "[\"box *\", \"last\"]");
    project.write("gates.toml", &rules);
    let results = project.results("counts");
    let changed = project.run("", 0);
    changed.stdout_has("warning[ungated-scenario]: no gate applies to `fresh` (src/lib.rs:60)");
    let on = |line: &str| project.run_on(&results, line, 0).stdout_text();
    let rows = |text: &str| text.lines().filter(|line| line.starts_with("| ")).count();
    // Each has a row for the header.
    assert_eq!(rows(&on("check --table all")), 24);
    assert_eq!(rows(&on("check --table changed")), 3);
    assert_eq!(rows(&on("check --table failed")), 0);
    assert_eq!(rows(&on("check --table none")), 0);
    assert_eq!(on("check -q"), "");
    let verbose = on("check --table none -v");
    assert!(
        verbose.contains("\npass    no-creep: 22 scenarios\n"),
        "{verbose}"
    );
}

#[test]
fn a_run_that_fails_shows_before_and_now_and_what_to_do() {
    let repository = Repository::new("report-failed", "one: 8\ntwo: 8 8\nsame: 8\n", BASELINE);
    repository.run("accept", 0);
    repository.commit("Accept");
    let cases = "one: 8 8 8\ntwo: 8 8 8 8\nsame: 8\n";
    repository.scenarios(cases);
    let ran = repository.run("", 1);
    ran.stdout(str![[r#"
committed/counts  3 scenarios  1 gate  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit [..] with uncommitted changes, [TIME]

FAIL one [..]src/lib.rs:60
       allocs      1 -> 3 (+2)    <= baseline + 1 (limit 2) [no-creep]
       first operations: 3 x alloc 8, 3 x dealloc 8
FAIL two [..]src/lib.rs:60
       allocs      2 -> 4 (+2)    <= baseline + 1 (limit 3) [no-creep]
       first operations: 4 x alloc 8, 4 x dealloc 8
2 of 3 scenarios failed, 1 of 1 gate (gates.toml:17)
help: if this is intended, run `cargo alloc-gate accept`; `cargo alloc-gate compare main` shows what changed

"#]]);
    // Every command of the advice works.
    repository.run("compare main", 0);
    let quiet = repository.run("-q", 1);
    quiet
        .stdout(str![[r#"
FAIL one [..]src/lib.rs:60
       allocs      1 -> 3 (+2)    <= baseline + 1 (limit 2) [no-creep]
       first operations: 3 x alloc 8, 3 x dealloc 8
FAIL two [..]src/lib.rs:60
       allocs      2 -> 4 (+2)    <= baseline + 1 (limit 3) [no-creep]
       first operations: 4 x alloc 8, 4 x dealloc 8
2 of 3 scenarios failed, 1 of 1 gate (gates.toml:17)
help: if this is intended, run `cargo alloc-gate accept`; `cargo alloc-gate compare main` shows what changed

"#]])
        .only_line("FAILED: 1 gate checked (1 failed), 3 scenarios measured");
    repository.run("accept", 0);
    repository.run("", 0);
}

#[test]
fn an_environment_without_a_baseline_is_one_sentence() {
    let project = Project::with("report-environment", "one: 8\ntwo: 8 8\n", BASELINE);
    project.run("accept", 0);
    let elsewhere = project.results_from("counts", "wasm32-wasip1");
    project.write("elsewhere.jsonl", &elsewhere);
    let ran = project.run_on("elsewhere.jsonl", "check", 1);
    ran.stdout(str![[r#"
demo/counts  2 scenarios  1 gate  FAILED
environment: wasm32-wasip1, profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

error: the baseline has no figures of wasm32-wasip1, profile bench, over std::alloc::System (it has those of [HOST], profile bench, over std::alloc::System); 2 scenarios were not compared [no-creep]
2 of 2 scenarios failed, 1 of 1 gate (gates.toml:17)
help: to compare in this environment too, run `cargo alloc-gate accept` in it, or `accept --results` with its recorded results, and commit what it writes; to leave it out, limit the gate by `when`

"#]]);
}

#[test]
fn the_last_line_names_a_file_with_the_whole_report() {
    let project = Project::with("report-file", "one: 8\ntwo: 8 8\n", BOXES);
    let file = project.target().join("alloc-gate/report.md");
    for (line, code) in [("", 1), ("-q", 1), ("--format json", 1), ("run", 0)] {
        let _ = fs::remove_file(&file);
        let ran = project.run(line, code);
        assert_eq!(ran.report_file().as_deref(), file.to_str(), "{line}");
        let text = fs::read_to_string(&file).expect("the file is there");
        assert!(text.starts_with("## Allocation gates\n"), "{text}");
        assert!(text.contains("| two | 100 | 2.00 | 16 | 2.00 |"), "{text}");
    }
    // Nobody asked for the file, so that the verdict does not depend on it.
    fs::remove_file(&file).expect("the file is there");
    fs::create_dir(&file).expect("there is room for a folder");
    let ran = project.run("", 1);
    ran.stderr_has("warning: failed to write ");
    assert_eq!(ran.report_file(), None);
}
