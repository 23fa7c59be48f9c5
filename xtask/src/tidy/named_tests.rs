//! The ways in which a gate is wrong and green: each names a test that exists.

use std::collections::BTreeSet;

use super::finding::{Code, Finding};
use super::source::Source;

/// The page of the ways, from the workspace's root.
pub(crate) const PATH: &str = "docs/compared.md";

/// The folder of the cases, from the workspace's root.
pub(crate) const CASES: &str = "crates/alloc-gate/tests/cases";

/// What the page says of a way that no tool sees, and that needs no test.
const NOT_SEEN: &str = "not seen";

/// Checks the text of the page. `cases` are the names of the files in [`CASES`].
pub(crate) fn check(text: &str, sources: &[Source], cases: &BTreeSet<String>) -> Vec<Finding> {
    let functions = sources.iter().flat_map(|source| &source.functions);
    let tests: BTreeSet<&String> = functions.chain(cases).collect();
    let mut findings = Vec::new();
    let (mut ways, mut unseen) = (0, 0);
    let mut table_of_ways = false;
    for (number, line) in (1..).zip(text.lines()) {
        table_of_ways = line.ends_with("| test |") || table_of_ways && line.starts_with('|');
        if !table_of_ways {
            continue;
        }
        if let Some(outcome) = check_row(number, line, &tests, &mut findings) {
            ways += 1;
            unseen += usize::from(outcome.starts_with(NOT_SEEN));
        }
    }
    let numbers = [
        format!("Of {ways} ways, {} are", ways - unseen),
        format!("the {unseen} that begin"),
    ];
    for sentence in numbers.iter().filter(|sentence| !text.contains(*sentence)) {
        let message = format!("the page does not say \"{sentence}\"");
        let help = "correct the numbers above the tables";
        findings.push(finding(1, message, help));
    }
    findings
}

fn finding(line: usize, message: String, help: &str) -> Finding {
    Finding::new(Code::TestNotFound, (PATH, line), message, help)
}

/// The outcome in a row of a table, whose tests it checks. `None` for the lines of its head.
fn check_row<'l>(
    number: usize,
    line: &'l str,
    tests: &BTreeSet<&String>,
    findings: &mut Vec<Finding>,
) -> Option<&'l str> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let ["", way, outcome, named, ""] = cells[..] else {
        return None;
    };
    if named == "test" || way.starts_with("---") {
        return None;
    }
    let mut names = named.split('`').skip(1).step_by(2).peekable();
    if names.peek().is_none() && !outcome.starts_with(NOT_SEEN) {
        let message = format!("no test for \"{way}\"");
        findings.push(finding(
            number,
            message,
            "name the test in the third column",
        ));
    }
    for name in names.filter(|name| !tests.contains(&(*name).to_owned())) {
        let message = format!("there is no test `{name}`");
        let help = "name a function, or a file in the folder of cases";
        findings.push(finding(number, message, help));
    }
    Some(outcome)
}
