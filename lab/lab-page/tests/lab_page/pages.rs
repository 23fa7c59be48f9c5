//! The file of results, and the pages: their markers, that the committed ones are up to date, and
//! that each published table has one here.

use std::fs;
use std::path::Path;

use lab_page::page::{ALLOCATORS, DEVICES, update};
use lab_page::results::Results;

use crate::support::{cell, results, unavailable};

#[test]
fn the_file_is_read_as_it_was_written() {
    let mut odd = unavailable("batch/subject=\"odd\"", "needs | and <this>");
    odd.note = Some("two\nlines".to_owned());
    let results = results([cell("pair/subject=system,size=64", 2.0), odd]);
    let text = results.text();
    assert_eq!(Results::parse("results", &text).unwrap(), results);
}

#[test]
fn a_file_is_of_one_run() {
    let text = results([cell("pair/subject=system,size=64", 2.0)]).text();
    let error = Results::parse("results", &text.repeat(2)).unwrap_err();
    let begin = "results:3: the first line is the run, and all others are cells; measure again";
    assert!(error.to_string().starts_with(begin), "{error}");
    let error = Results::parse("results", "{}\n").unwrap_err().to_string();
    assert!(
        error.starts_with("results:1: not a line of results ("),
        "{error}"
    );
}

#[test]
fn the_text_between_markers_is_replaced_and_the_prose_stays() {
    let mut results = results([]);
    results.run.commit = "0123456789ab-dirty".to_owned();
    results.run.variables = "RUSTFLAGS=\"-C target-cpu=native\"".to_owned();
    let begin = "# Title\n\nbefore\n<!-- lab-page: environment -->\n";
    let end = "<!-- lab-page: end -->\nafter <!-- a comment -->\n";
    let updated = update(&format!("{begin}old\n{end}"), &results).unwrap();
    let fields = "\n- Cores: `2`\n- Variables: \
                  `RUSTFLAGS=\"-C target-cpu=native\"`\n- Commit: `0123456789ab-dirty`\n\n";
    assert_eq!(updated, format!("{begin}{fields}{end}"));
    assert_eq!(update(&updated, &results).unwrap(), updated);
}

#[test]
fn wrong_markers_are_errors() {
    let error = |page: &str| update(page, &results([])).unwrap_err();
    let end = "<!-- lab-page: end -->";
    assert_eq!(
        error("<!-- lab-page: nothing -->"),
        "no block is named `nothing`"
    );
    assert_eq!(error(end), "no block is named `end`");
    let begin = "<!-- lab-page: environment -->";
    let message = format!("`environment` has no end; add `{end}` below it");
    assert_eq!(error(begin), message);
    assert_eq!(error(&format!("{begin}{begin}{end}")), message);
}

#[test]
fn the_committed_pages_are_what_the_committed_results_give() {
    for files in [ALLOCATORS, DEVICES] {
        let results = Results::read(&files.results()).unwrap();
        for (path, text) in files.pages(&results).unwrap() {
            let is_current = fs::read_to_string(&path).unwrap() == text;
            let command = "write it with `cargo run -p lab-page -- page`";
            assert!(is_current, "{} is out of date; {command}", path.display());
        }
    }
}

/// A row of the list is `| NUMBER | what was published | [title](page#heading), ... |`.
#[test]
fn each_of_the_32_published_tables_has_one_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../design");
    let list = fs::read_to_string(folder.join("allocators-published.md")).unwrap();
    for number in 1..=32 {
        let begin = format!("| {number} |");
        let row = list.lines().find(|line| line.starts_with(&begin));
        let row = row.unwrap_or_else(|| panic!("no row for table {number}"));
        let links: Vec<&str> = row.split("](").skip(1).collect();
        assert!(!links.is_empty(), "{row}");
        for link in links {
            let (page, heading) = link.split(')').next().unwrap().split_once('#').unwrap();
            let page = fs::read_to_string(folder.join(page)).unwrap();
            let mut sections = page.split("\n#").skip(1);
            let section = sections.find(|text| anchor(text.lines().next().unwrap()) == heading);
            let section = section.unwrap_or_else(|| panic!("{link} has no heading"));
            let rows = section
                .lines()
                .filter(|line| line.starts_with("| "))
                .count();
            assert!(rows > 2, "{link} has no table");
        }
    }
}

/// As links name a heading.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let text = text.replace(' ', "-");
    text.replace(
        |one: char| !one.is_alphanumeric() && !"-_".contains(one),
        "",
    )
}
