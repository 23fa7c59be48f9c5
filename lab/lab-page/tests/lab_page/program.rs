//! The program: what it writes, what it says, and how it exits.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::support::{Stream, scenario, with_faults};

const SYSTEM: &str = "pair/subject=system,size=64,memory=untouched";
const OTHER: &str = "pair/subject=other,size=64,memory=untouched";

fn lab_page(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab-page"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .output()
        .unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

const MERGE: &str = "merge --rounds round-1 round-2 --run run.json --results results.jsonl";
const PAGE: &str = "page --results results.jsonl --page page.md";
const CHECK: &str = "check --results results.jsonl --page page.md";

/// A folder with two rounds and their description.
fn measured(second: Stream) -> TempDir {
    let folder = TempDir::new().unwrap();
    let cells = [scenario(SYSTEM, 1, &[100]), scenario(OTHER, 1, &[200])];
    Stream::new(cells).write(folder.path(), "round-1");
    second.write(folder.path(), "round-2");
    let run = r#"{"date":"2026-11-23","cpu":"CPU","libc":"glibc 2.36"}"#;
    fs::write(folder.path().join("run.json"), run).unwrap();
    folder
}

#[test]
fn rounds_become_results_and_results_a_page() {
    let cells = [scenario(SYSTEM, 1, &[90]), scenario(OTHER, 1, &[180])];
    let folder = measured(Stream::new(cells));
    let page = folder.path().join("page.md");
    assert_eq!(lab_page(folder.path(), MERGE).status.code(), Some(0));
    assert_eq!(lab_page(folder.path(), PAGE).status.code(), Some(0));
    assert_eq!(lab_page(folder.path(), CHECK).status.code(), Some(0));
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("- C library: glibc 2.36"), "{text}");
    // 180 ns of ten elements, twice the time of the system.
    assert!(text.contains("| other | 18.0 ns (2.0x) |"), "{text}");

    // A section without a place is named, and one that was not measured is not.
    let (rest, _) = text.split_once("<!-- lab-page: begin environment").unwrap();
    fs::write(&page, rest).unwrap();
    let output = lab_page(folder.path(), PAGE);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("note: no page has a place for `environment`; add "),
        "{said}"
    );
    assert_eq!(said.matches("note: ").count(), 1, "{said}");

    fs::write(&page, text.replace("18.0 ns", "17.0 ns")).unwrap();
    let check = lab_page(folder.path(), CHECK);
    assert_eq!(check.status.code(), Some(1));
    assert_eq!(
        error(&check),
        "error: page.md is out of date; run `lab-page page --results results.jsonl --page page.md`\n"
    );
}

#[test]
fn failed_requests_are_named_after_everything_is_written() {
    let failed = with_faults(scenario(OTHER, 1, &[180]), "null", 3, 100);
    let folder = measured(Stream::new([scenario(SYSTEM, 1, &[90]), failed]));
    let merge = lab_page(folder.path(), MERGE);
    assert_eq!(merge.status.code(), Some(1));
    assert_eq!(
        error(&merge),
        "error: other failed in pair (pair/subject=other,size=64,memory=untouched): FAIL null, \
         3 of 100\n"
    );
    assert_eq!(lab_page(folder.path(), PAGE).status.code(), Some(0));
    let text = fs::read_to_string(folder.path().join("page.md")).unwrap();
    assert!(text.contains("| other | FAIL 3/100 |"), "{text}");
}

#[test]
fn a_scenario_that_failed_is_named_with_its_message() {
    let mut failed = Stream::new([scenario(SYSTEM, 1, &[90])]);
    failed.failures.push((OTHER, "out of memory"));
    let merge = lab_page(measured(failed).path(), MERGE);
    assert_eq!(merge.status.code(), Some(1));
    assert_eq!(
        error(&merge),
        format!("error: other failed in pair ({OTHER}): out of memory\n")
    );
}

#[test]
fn a_quick_run_takes_no_options_of_what_it_does_not_do() {
    let folder = TempDir::new().unwrap();
    for option in ["--rounds 2", "--results results.jsonl", "--page page.md"] {
        let output = lab_page(folder.path(), &format!("run --quick {option}"));
        assert_eq!(output.status.code(), Some(2));
        assert!(error(&output).contains("cannot be used with"), "{option}");
    }
}

#[test]
fn a_run_that_failed_leaves_the_results_as_they_were() {
    let mut broken = Stream::new([scenario(SYSTEM, 1, &[90])]);
    broken.has_end = false;
    let folder = measured(broken);
    let results = folder.path().join("results.jsonl");
    fs::write(&results, "").unwrap();
    let merge = lab_page(folder.path(), MERGE);
    assert_eq!(merge.status.code(), Some(2));
    assert!(
        error(&merge).contains("the end record is missing"),
        "{}",
        error(&merge)
    );
    assert_eq!(fs::read_to_string(&results).unwrap(), "");
}

#[test]
fn a_page_with_a_wrong_marker_is_left_as_it_is() {
    let folder = measured(Stream::new([scenario(SYSTEM, 1, &[90])]));
    let page = folder.path().join("page.md");
    let wrong = "<!-- lab-page: begin pair-by-size -->\n";
    fs::write(&page, wrong).unwrap();
    assert_eq!(lab_page(folder.path(), MERGE).status.code(), Some(0));
    let output = lab_page(folder.path(), PAGE);
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).starts_with("error: page.md: line 1: `pair-by-size` has no end"));
    assert_eq!(fs::read_to_string(&page).unwrap(), wrong);
}

#[test]
fn the_committed_pages_are_what_the_committed_results_give() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let check = "check --results design/allocators.jsonl --page design/allocators.md \
                 design/allocators-tables.md README.md";
    let output = lab_page(&root, check);
    assert_eq!(output.status.code(), Some(0), "{}", error(&output));
}
