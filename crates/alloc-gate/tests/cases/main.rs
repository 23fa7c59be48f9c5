//! Cases: rules, a baseline and results in, verdicts and reports out.
//!
//! Each text file beside this one is a case. `case.rs` has the format of a case and the crate
//! sample-results the format of results. `BLESS=1` rewrites what the cases expect.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests read their cases from files"
)]

mod case;
mod compact_json;
mod given;
mod schema;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::slice;

use alloc_gate::report::{Evaluations, Format, Report, View};
use alloc_gate::{Code, Evaluation};

use case::Case;

/// The number of cases. Whoever adds or removes one changes it, so that none is lost unseen.
const CASES: usize = 149;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");

fn case_files() -> Vec<PathBuf> {
    let entries = fs::read_dir(FOLDER).expect("the cases stand beside their driver");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    files
}

/// Runs a case; the error is its difference from what it expects.
fn run(path: &Path, bless: bool) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let case = Case::parse(&text)?;
    let actual = case.run()?;
    if bless {
        let blessed = case.with_expectations(&actual);
        return fs::write(path, blessed).map_err(|error| error.to_string());
    }
    case.compare(&actual)
}

#[test]
fn every_case_comes_to_what_it_expects() {
    let files = case_files();
    assert_eq!(files.len(), CASES, "cases in {FOLDER}");
    let bless = env::var_os("BLESS").is_some_and(|value| value == "1");
    let failures: Vec<String> = files
        .iter()
        .filter_map(|path| {
            let problem = run(path, bless).err()?;
            let name = path.file_name().unwrap_or_default().display();
            Some(format!("--- {name}\n{problem}\n"))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} cases failed:\n{}\nBLESS=1 rewrites what they expect; read the \
         difference before you commit it",
        failures.len(),
        files.len(),
        failures.join("\n")
    );
}

/// Without a case, nobody reviews the words of a code.
#[test]
fn every_code_occurs_in_a_case() {
    let mut shown = BTreeSet::new();
    for path in case_files() {
        let text = fs::read_to_string(&path).expect("a case can be read");
        let case = Case::parse(&text).expect("a case can be parsed");
        for (section, text) in case.expectations() {
            if section == "mistakes" {
                let codes = text.lines().filter_map(|line| line.split(" | ").nth(1));
                shown.extend(codes.map(str::to_owned));
            }
            if ["diagnostics", "terminal", "report"].contains(&section) {
                let codes = text
                    .split('[')
                    .skip(1)
                    .filter_map(|rest| rest.split_once(']'));
                shown.extend(codes.map(|(code, _)| code.to_owned()));
            }
            // The reasons for skipping a gate have codes that reports don't print.
            if section == "judgements" {
                let skipped = text.lines().filter(|line| line.starts_with("skipped "));
                let codes = skipped.filter_map(|line| line.rsplit_once(": "));
                shown.extend(codes.map(|(_, code)| code.to_owned()));
            }
        }
    }
    let codes = Code::ALL.iter().map(|code| code.name());
    let absent: Vec<&str> = codes.filter(|code| !shown.contains(*code)).collect();
    assert!(absent.is_empty(), "no case shows {absent:?}");
}

#[test]
fn the_page_of_codes_has_one_line_for_each_code() {
    let page = include_str!("../../../../docs/codes.md");
    let row = |line: &'static str| line.strip_prefix("| `")?.split_once("` | ");
    let rows: Vec<(&str, &str)> = page.lines().filter_map(row).collect();
    let documented: Vec<&str> = rows.iter().map(|(code, _)| *code).collect();
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(documented, codes, "the codes of the page and of the source");
    for ((name, row), code) in rows.iter().zip(Code::ALL) {
        let said = code.description();
        assert!(
            row.starts_with(said),
            "the row of {name} begins with `{said}`"
        );
    }
}

#[test]
fn a_case_is_refused_for_what_it_must_not_say() {
    for (text, problem) in [
        ("A case.\n=== rules\n", "unknown section `rules`"),
        (
            "A case.\n=== gates.toml\n=== gates.toml\n",
            "the section `gates.toml` occurs twice",
        ),
        ("A case.\n=== gates.toml\n", "nothing is expected"),
        (
            "=== gates.toml\n=== verdict\n",
            "the first line has to say what the case is about",
        ),
    ] {
        assert_eq!(Case::parse(text).err().as_deref(), Some(problem), "{text}");
    }
}

fn rendered(evaluation: &Evaluation, view: View<'_>, format: Format) -> Result<String, String> {
    let mut text = Vec::new();
    let runs = slice::from_ref(evaluation);
    let report = Evaluations {
        runs,
        view,
        repository: None,
    };
    let written = report.write(format, &mut text);
    written.map_err(|error| error.to_string())?;
    let text = String::from_utf8(text).map_err(|error| error.to_string())?;
    Ok(anstream::adapter::strip_str(&text).to_string())
}
