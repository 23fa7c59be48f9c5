//! Cases: rules, a baseline and results in, verdicts and reports out.
//!
//! Each text file beside this one is a case. `case.rs` has the format of a case and the crate
//! sample-results the format of results. `BLESS=1` rewrites what the cases expect.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests read their cases from files"
)]

mod case;
mod given;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use alloc_gate::Code;

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

fn is_blessing() -> bool {
    env::var_os("BLESS").is_some_and(|value| value == "1")
}

/// Runs a case; the error is its difference from what it expects.
fn run(path: &Path, bless: bool) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let case = Case::parse(&text);
    let actual = case.run()?;
    match case.compare(&actual) {
        Err(_) if bless => {
            fs::write(path, case.with_expectations(&actual)).map_err(|error| error.to_string())
        }
        compared => compared,
    }
}

#[test]
fn every_case_comes_to_what_it_expects() {
    let files = case_files();
    assert_eq!(files.len(), CASES, "cases in {FOLDER}");
    let bless = is_blessing();
    let failures = files.iter().filter_map(|path| {
        let problem = run(path, bless).err()?;
        Some(format!("--- {}\n{problem}\n", path.display()))
    });
    let failures: Vec<String> = failures.collect();
    assert!(
        failures.is_empty(),
        "{}\nof {} cases, {} failed; BLESS=1 rewrites what they expect; read the difference \
         before you commit it",
        failures.join("\n"),
        files.len(),
        failures.len(),
    );
}

/// Without a case, nobody reviews the words of a code.
#[test]
fn every_code_occurs_in_a_case() {
    let read = |path| fs::read_to_string(path).expect("a case can be read");
    let texts: Vec<String> = case_files().into_iter().map(read).collect();
    let cases: Vec<Case<'_>> = texts.iter().map(|text| Case::parse(text)).collect();
    let is_absent = |code: &&str| {
        // The reasons for skipping a gate have codes that reports don't print.
        let [shown, listed, skipped] = [
            format!("[{code}]"),
            format!(" | {code} | "),
            format!(": {code}\n"),
        ];
        let mut expected = cases.iter().flat_map(Case::expectations);
        !expected.any(|(section, text)| match section {
            "mistakes" => text.contains(&listed),
            "judgements" => text.contains(&skipped),
            "diagnostics" | "terminal" | "report" => text.contains(&shown),
            _ => false,
        })
    };
    let codes = Code::ALL.iter().map(|code| code.name());
    let absent: Vec<&str> = codes.filter(is_absent).collect();
    assert!(absent.is_empty(), "no case shows {absent:?}");
}

/// The last column is the page's own; `BLESS=1` writes the one before.
#[test]
fn the_page_of_codes_has_one_line_for_each_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/codes.md");
    let page = fs::read_to_string(path).expect("the page can be read");
    let row = |line| str::strip_prefix(line, "| `")?.split_once("` | ");
    let documented: Vec<&str> = page.lines().filter_map(row).map(|(code, _)| code).collect();
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(
        BTreeSet::from_iter(&codes).len(),
        codes.len(),
        "a code occurs twice"
    );
    let is_kebab = |code: &&str| code.bytes().all(|b| b == b'-' || b.is_ascii_lowercase());
    assert!(codes.iter().all(is_kebab), "{codes:?}");
    assert_eq!(documented, codes, "the codes of the page and of the source");
    let mut codes = Code::ALL.iter();
    let lines = page.lines().map(|line| {
        let code = row(line).and_then(|(_, cells)| Some((codes.next()?, cells)));
        code.map_or_else(
            || format!("{line}\n"),
            |(code, cells)| {
                let (_, what_to_do) = cells.split_once(" | ").expect("a row has three cells");
                format!("| `{code}` | {} | {what_to_do}\n", code.description())
            },
        )
    });
    let written: String = lines.collect();
    if is_blessing() {
        fs::write(path, written).expect("the page can be written");
    } else {
        assert_eq!(page, written, "BLESS=1 writes what the codes mean");
    }
}
