//! The page of ways in which a gate is wrong and green: each names a test that exists.

use std::collections::BTreeSet;

use super::finding::{Code, Finding};
use super::source::Source;

/// The page, from the workspace's root.
pub(crate) const PATH: &str = "design/wrong-and-green.md";

/// The folder of the cases, from the workspace's root.
pub(crate) const CASES: &str = "crates/alloc-gate/tests/cases";

/// What the page says of a way that no tool sees, and that needs no test.
const NOT_SEEN: &str = "not seen";

/// Checks the text of the page. `cases` are the names of the files in [`CASES`].
pub(crate) fn check(text: &str, sources: &[Source], cases: &BTreeSet<String>) -> Vec<Finding> {
    let functions = sources.iter().flat_map(|source| &source.functions);
    let tests: BTreeSet<&String> = functions.chain(cases).collect();
    let mut findings = Vec::new();
    let mut found = |line, message: String, help| {
        findings.push(Finding::new(
            Code::TestNotFound,
            (PATH, line),
            message,
            help,
        ));
    };
    let (mut ways, mut unseen) = (0, 0);
    for (number, line) in (1..).zip(text.lines()) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", way, outcome, named, ""] = cells[..] else {
            continue;
        };
        if way == "way" || way.starts_with("---") {
            continue;
        }
        ways += 1;
        unseen += usize::from(outcome.starts_with(NOT_SEEN));
        let mut names = named.split('`').skip(1).step_by(2).peekable();
        if names.peek().is_none() && !outcome.starts_with(NOT_SEEN) {
            let message = format!("no test for \"{way}\"");
            found(number, message, "name the test in the third column");
        }
        for name in names.filter(|name| !tests.contains(&(*name).to_owned())) {
            let message = format!("there is no test `{name}`");
            found(
                number,
                message,
                "name a function, or a file in the folder of cases",
            );
        }
    }
    let numbers = [
        format!("Of {ways} ways, {} are", ways - unseen),
        format!("the {unseen} that begin"),
    ];
    for sentence in numbers.iter().filter(|sentence| !text.contains(*sentence)) {
        let message = format!("the page does not say \"{sentence}\"");
        found(1, message, "correct the numbers above the tables");
    }
    findings
}
