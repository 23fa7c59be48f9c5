//! The description of runs on the page, and which runs may be compared.

use lab_page::environment::environment;
use lab_page::results::{Cell, Results};
use lab_page::stamp::stamp;

use crate::support::{cell, results, run};

/// The figures of `late` are of a second run with a flag of the compiler.
fn with_a_flag() -> Results {
    let pair = |subject| cell(&format!("pair/subject={subject},size=64"), 10.0);
    let mut results = results([pair("system"), pair("other"), pair("late")]);
    let mut late = run("2026-11-24", "CPU");
    late.rustflags = "RUSTFLAGS=\"-C target-cpu=native\"".to_owned();
    results.runs.push(late);
    results.cells[2].run = 1;
    results
}

#[test]
fn runs_with_other_compiler_flags_are_not_compared() {
    let results = with_a_flag();
    let ratio = |index: usize| results.ratio_of(&results.cells[index], Cell::headline);
    assert!(ratio(1).is_some());
    assert_eq!(ratio(2), None);
}

#[test]
fn the_compiler_flags_of_a_run_are_on_the_page() {
    let results = with_a_flag();
    let flag = "`RUSTFLAGS=\"-C target-cpu=native\"`";
    let text = environment(&results);
    assert_eq!(text.matches("- Compiler flags: ").count(), 1, "{text}");
    assert!(
        text.contains(&format!("- Compiler flags: {flag}\n")),
        "{text}"
    );
    let cells: Vec<_> = results.cells.iter().collect();
    let text = stamp(&results, &cells);
    let late = format!("except `late` (2026-11-24, {flag} instead of no `RUSTFLAGS`).");
    assert!(text.ends_with(&late), "{text}");
}

#[test]
fn the_commit_says_that_the_tree_was_dirty() {
    let mut results = results([cell("pair/subject=system,size=64", 10.0)]);
    results.runs[0].commit = "0123456789ab-dirty".to_owned();
    let text = environment(&results);
    assert!(text.contains("- Commit: `0123456789ab-dirty`\n"), "{text}");
}
