//! The program: what it writes, what it says, and how it exits.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use lab_page::store;
use tempfile::TempDir;

use crate::support::{results, times};

fn lab_page(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab-page"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .output()
        .unwrap()
}

const PAGE: &str = "page --results results.jsonl --page page.md";

/// A folder with results.
fn measured() -> TempDir {
    let folder = TempDir::new().unwrap();
    let cells = times(
        "pair/subject={},size=64,memory=untouched",
        "system 9, other 18",
    );
    let text = store::text(&results(cells));
    fs::write(folder.path().join("results.jsonl"), text).unwrap();
    folder
}

#[test]
fn results_become_a_page() {
    let folder = measured();
    let page = folder.path().join("page.md");
    assert_eq!(lab_page(folder.path(), PAGE).status.code(), Some(0));
    let text = fs::read_to_string(&page).unwrap();
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
}

#[test]
fn a_quick_run_takes_no_options_of_what_it_does_not_do() {
    let folder = TempDir::new().unwrap();
    for option in ["--rounds 2", "--results results.jsonl", "--page page.md"] {
        let output = lab_page(folder.path(), &format!("run --quick {option}"));
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("cannot be used with"), "{option}");
    }
}

#[test]
fn a_page_with_a_wrong_marker_is_left_as_it_is() {
    let folder = measured();
    let page = folder.path().join("page.md");
    let wrong = "<!-- lab-page: begin pair-by-size -->\n";
    fs::write(&page, wrong).unwrap();
    let output = lab_page(folder.path(), PAGE);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    let begin = "error: page.md: line 1: `pair-by-size` has no end";
    assert!(error.starts_with(begin), "{error}");
    assert_eq!(fs::read_to_string(&page).unwrap(), wrong);
}
