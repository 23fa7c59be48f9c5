//! No text from outside gives commands to a CI system or reaches a terminal as an escape:
//! not from records, rules, paths, arguments or commits. What cargo prints itself is not
//! changed.

use std::collections::BTreeSet;
use std::fs;

use crate::project::{BOXES, Project};

/// Commands behind every kind of line break, escape sequences, and invisible characters.
const HOSTILE: &str = "x\n::error::a\r  ::error::b\u{1b}[8m\u{1b}]0;c\u{7}\u{9b}2J\u{85}::error::d\
                       \u{2028}::error::e\u{2029}::error::f\u{202e}g\u{200b}h\u{feff}";

const BODY: &str = "one: 100 x allocs=1 bytes=8\n";

const FILE: &str = "../r/demo.counts.x86_64-unknown-linux-gnu.jsonl";

/// Reports in all formats; `--format` does the same as `--report`. `harmless` adds the
/// summary of a step.
const REPORTS: [&str; 3] = [
    "--color=always",
    "--report=markdown=/dev/stdout",
    "--report=json=/dev/stderr",
];

#[test]
fn no_record_is_a_command_or_an_escape() {
    let results = format!("{BODY}other: unavailable libtbb.so is not installed\n");
    let project = Project::recorded("hostile-records", &results, RULES_OF_RECORDS);
    let text = project.read(FILE);
    let begins = strings(&text);
    assert!(begins.len() > 10, "{text}");
    for begin in begins {
        let (before, rest) = text.split_at(begin);
        let hostile = serde_json::to_string(HOSTILE).expect("it is a string");
        let changed = format!("{before}{}{rest}", &hostile[1..hostile.len() - 1]);
        project.write("hostile.jsonl", &changed);
        harmless_on(&project, "hostile.jsonl");
    }
}

const RULES_OF_RECORDS: &str = r#"
[baseline]
data = "accepted.toml"

[[gate]]
name = "boxes"
scenarios = ["*"]
allocs = "< 1"
"#;

#[test]
fn no_rule_is_a_command_or_an_escape() {
    let project = Project::recorded("hostile-rules", BODY, RULES);
    let rules = project.read("gates.toml");
    let begins = toml_strings(&rules);
    assert!(begins.len() > 8, "{rules}");
    let escaped: String = HOSTILE.chars().map(toml_escape).collect();
    for begin in begins {
        // Escaped, and as it is in a string of several lines.
        let (before, rest) = rules.split_at(begin);
        let (old, after) = rest.split_once('"').expect("the string ends");
        let raw = format!("\"\"{old}{HOSTILE}\"\"\"");
        for changed in [
            format!("{before}{old}{escaped}\"{after}"),
            format!("{before}{raw}{after}"),
        ] {
            project.write("gates.toml", &changed);
            harmless_on(&project, FILE);
        }
    }
    // A key.
    project.write("gates.toml", &format!("{rules}\n\"{escaped}\" = 1\n"));
    harmless(&project, &["check", "--results", FILE]);
}

const RULES: &str = r#"
[baseline]
data = "accepted.toml"
page = "accepted.md"

[[gate]]
name = "boxes"
scenarios = ["*"]
exclude = ["two"]
reason = "as it is"
allocs = "< 1"
bytes = { max = "<= 8, <= baseline" }
peak-bytes = "<= 2 * [two]"

[[gate]]
name = "elsewhere"
scenarios = ["three"]
when = "cfg(windows)"
rustc = ">= 1.0"
allocs = "< 1"
"#;

#[test]
fn no_path_or_argument_is_a_command_or_an_escape() {
    let project = Project::recorded("hostile-arguments", BODY, BOXES);
    fs::copy(project.path(FILE), project.path(HOSTILE)).expect("Linux has such names");
    let report = format!("json=none/{HOSTILE}/x");
    let page = format!("json={HOSTILE}");
    let option = format!("--{HOSTILE}");
    let reference = format!("x{HOSTILE}");
    for args in [
        &[HOSTILE][..],
        &[&option],
        &["check", HOSTILE],
        &["check", "--results", FILE, "--report", &report],
        &["check", "--results", FILE, "--report", &page],
        &["check", "--results", "gates.toml", HOSTILE],
        &["check", "--scenarios", &format!("[{HOSTILE}")],
        &["compare", &reference],
    ] {
        harmless(&project, args);
    }
}

#[test]
fn no_commit_is_a_command_or_an_escape() {
    let name = HOSTILE.replace(['\n', ':'], "");
    let scenarios = |size: u32| format!("one: {size}\n{name}: {size}\n");
    let project = Project::repository("hostile-commits", &scenarios(8), BOXES);
    project.commit_scenarios(HOSTILE, &scenarios(16));
    harmless(
        &project,
        &[&["compare", "HEAD~1", "--gate"], &REPORTS[..]].concat(),
    );
}

/// Runs the commands that read recorded results. All of them refuse the same rules and
/// results.
#[track_caller]
fn harmless_on(project: &Project, results: &str) {
    let with_reports = |command| [&[command, "--results", results], &REPORTS[..]].concat();
    if !harmless(project, &with_reports("check")) {
        return;
    }
    for command in ["list", "accept"] {
        harmless(project, &[command, "--results", results]);
    }
}

/// Runs the program, and asserts that its output and the step's summary are harmless.
/// Returns whether there is a verdict.
#[track_caller]
fn harmless(project: &Project, args: &[&str]) -> bool {
    project.write("summary.md", "");
    let mut command = project.command();
    command
        .args(args)
        .env("GITHUB_STEP_SUMMARY", project.path("summary.md"));
    let ran = project.finish(command);
    let summary = project.read("summary.md");
    for text in [ran.stdout_text(), ran.stderr_text(), summary] {
        let visible = without_styles(&text);
        for line in visible.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
            assert!(!line.trim_start().starts_with("::"), "{args:?}:\n{text}");
        }
        let is_bad = |c: char| {
            (c.is_control() && c != '\n' && c != '\t')
                || "\u{2028}\u{2029}\u{202e}\u{200b}\u{feff}".contains(c)
        };
        assert!(!visible.contains(is_bad), "{args:?}:\n{visible:?}");
    }
    !ran.last_line().starts_with("alloc-gate: error: ")
}

/// The text without the styles that the program itself uses; it never hides text.
fn without_styles(text: &str) -> String {
    let mut text = text.to_owned();
    for code in [
        "0", "1", "2", "4", "31", "32", "33", "34", "36", "91", "92", "93", "94", "96",
    ] {
        text = text.replace(&format!("\u{1b}[{code}m"), "");
    }
    text
}

/// Where the values of strings in JSON lines begin, once for each key and the text before it.
fn strings(text: &str) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let values = text.match_indices("\":\"").map(|(at, _)| at + 3);
    values
        .filter(|begin| seen.insert(&text.as_bytes()[begin.saturating_sub(20)..*begin]))
        .collect()
}

fn toml_strings(text: &str) -> Vec<usize> {
    let quotes = text.match_indices('"').map(|(at, _)| at + 1);
    quotes.step_by(2).collect()
}

fn toml_escape(character: char) -> String {
    match character {
        '\0'..='\u{ff}' if !character.is_ascii_graphic() && character != ' ' => {
            format!("\\u{:04X}", u32::from(character))
        }
        _ => character.to_string(),
    }
}
