//! The page about CI: its lines for other systems than GitHub, whose commands are run.

use std::fs;

#[cfg(target_os = "linux")]
use crate::ci_lines::has_jq;
use crate::ci_lines::{Snippet, System, snippets};
use crate::ci_snippets::{CHECKS_OUT, CLONES, mistakes_of};
#[cfg(target_os = "linux")]
use crate::pages::blocks;
use crate::pages::read;
use crate::project::{BOXES, Project};

#[test]
fn each_mistake_in_lines_for_other_systems_is_found() {
    let install = "cargo install --locked --path ../alloc-gate/crates/cargo-alloc-gate";
    let before = format!("{CLONES} && {CHECKS_OUT} && {install}");
    let azure = "\n- inputs: {testResultsFiles: a.xml}";
    for (system, text, expected) in [
        (
            System::Yaml,
            format!("- script: {before} && cargo alloc-gate --report junit=b.xml{azure}"),
            "no report a.xml",
        ),
        (
            System::Yaml,
            format!("- script: cargo alloc-gate --report junit=a.xml && {before}{azure}"),
            "not cloned, checked out and installed",
        ),
        (
            System::Yaml,
            format!("- script: {before} && cargo alloc-gate --report unit=a.xml{azure}"),
            "invalid value 'unit=a.xml'",
        ),
        (
            System::Yaml,
            "a: {script: [cargo alloc-gates], artifacts: {reports: {junit: a.xml}}}".to_owned(),
            "unknown command cargo alloc-gates",
        ),
        (System::Yaml, "a: {script: [}".to_owned(), "no YAML"),
        (
            System::Jenkins,
            format!("sh '{before} && cargo alloc-gate --report junit=a.xml'\njunit 'b.xml'"),
            "no report b.xml",
        ),
        (
            System::Jenkins,
            format!("sh '{before} && cargo alloc-gate'"),
            "no report",
        ),
    ] {
        let text = text.as_str();
        let found = mistakes_of(&Snippet { system, text });
        assert!(
            found.iter().any(|mistake| mistake.contains(expected)),
            "{text}: {found:?}"
        );
    }
}

/// Each command of this program in the page about CI, in a project with a gate that fails: the
/// reports are there also then.
#[test]
fn the_commands_of_the_page_about_ci_write_their_reports() {
    let page = read("design/ci.md");
    let mut written = Vec::new();
    let project = Project::with("ci-page", "one: 8 8", BOXES);
    for snippet in snippets(&page).0 {
        if let System::GitHub = snippet.system {
            continue;
        }
        let (commands, reports) = snippet.commands_and_reports().expect("it is YAML");
        let args = commands
            .iter()
            .find_map(|command| command.strip_prefix("cargo alloc-gate"));
        project.run(args.expect("it checks"), 1);
        for report in reports {
            let path = project.path(&report);
            written.push(fs::read_to_string(&path).expect("the report is there"));
            fs::remove_file(path).expect("it was there");
        }
    }
    let [gitlab, quality, jenkins, azure] = &written[..] else {
        panic!("{written:?}");
    };
    for junit in [gitlab, jenkins, azure] {
        assert!(junit.starts_with("<?xml ") && junit.contains("<failure "));
    }
    assert!(quality.contains("\"fingerprint\""));
}

/// The badge, by the real `jq`.
#[cfg(target_os = "linux")]
#[test]
fn the_badge_of_the_page_about_ci_says_the_verdict() {
    if !has_jq() {
        return;
    }
    let page = read("design/ci.md");
    let all = blocks(&page);
    let badge = all.iter().find(|block| block.info == "sh");
    let badge = badge.expect("there is a badge").content;
    let (check, jq) = badge.split_once('\n').expect("two commands");
    let project = Project::with("ci-badge", "one: 8", BOXES);
    for (scenarios, code, expected) in [("one: 8", 0, "held"), ("one: 8 8", 1, "failed")] {
        project.scenarios("counts", scenarios);
        let args = check.strip_prefix("cargo alloc-gate").expect("it checks");
        project.run(args, code);
        let mut shell = project.command_in("sh", "");
        shell.args(["-c", jq]);
        let badge = project.finish(shell).code(0).json();
        assert_eq!(badge["message"], expected);
        assert_eq!(badge["isError"], code == 1);
        assert_eq!(badge["schemaVersion"], 1);
    }
}
