//! The lines that allocate, compared with another commit.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use crate::bench::explained::{ENCODE, GATE, LIBRARY, bench, project};
use crate::project::Project;
use crate::repository::git;

/// A committed package with the library, and in the working tree the same with one more vector
/// below a line that moves all lines.
pub(crate) fn planted(name: &str, gate: &str) -> Project {
    let project = project(name, ENCODE).with_common_target();
    project.gates(&["counts"], gate);
    let project = project.committed_with_lock();
    project.write("src/lib.rs", &with_vector());
    project
}

/// Rules with a baseline, which is not written yet.
fn baseline_gate() -> String {
    let gate = GATE.replace("<= 1", "<= baseline");
    format!("[baseline]\ndata = \"baseline.toml\"\n{gate}")
}

/// The library with one more vector.
fn with_vector() -> String {
    let library = LIBRARY.replace("//! Texts", "//! A module.\n//! Texts");
    let text = "(2 * text.len());\n";
    library.replace(
        text,
        &format!("{text}    let text = text.to_uppercase();\n"),
    )
}

/// The excerpt and the table of lines, where a vector was added.
const ADDED_LINE: &str = "  --> src/lib.rs:15:21
   |
15 |     let text = text.to_uppercase();
   |                     ^^^^^^^^^^^^ added: 1 allocation, 5 bytes
   |
   = called by: encode, src/lib.rs:6:17

   allocs        bytes        change  line              call
        1  (+1)      5  (+5)  added   src/lib.rs:15:21  to_uppercase in little_endian
        1           11        same    src/lib.rs:7:21   Vec::with_capacity in encode
        1           10        same    src/lib.rs:14:21  Vec::with_capacity in little_endian
        3  (+1)     26  (+5)          sum
";

#[test]
fn each_command_compares_the_lines_with_those_of_a_base() {
    let project = planted("based", GATE);
    let more = "1 allocation and 5 bytes per iteration more than at";
    for (line, code, sentence) in [
        ("explain --base main", 0, format!("note: {more} main (")),
        ("compare main", 0, format!("note: {more} main (")),
        (
            "compare HEAD --gate",
            1,
            format!("error[allocates-more]: {more} HEAD ("),
        ),
        (
            "--base main",
            1,
            format!("error[allocates-more]: {more} main ("),
        ),
    ] {
        let ran = project.run_explained(line, code);
        ran.stdout_has(&sentence).stdout_has(ADDED_LINE);
        project.is_clean();
    }
    project
        .run_explained("explain --base main --folded", 0)
        .stdout_has(
            "\ncounts::main::{{closure}};based::encode;based::little_endian;<str>::to_uppercase;",
        );
    let ran = project.run_explained("compare main --explain never", 0);
    assert!(!ran.stdout_text().contains("src/lib.rs"));
    let report = project
        .run_explained("compare main --format json", 0)
        .json();
    let lines = report["sites"][0]["lines"].as_array().expect("a list");
    let is_added = lines.iter().any(|line| line["change"] == "added");
    assert!(is_added, "{report}");
    // A commit that does not exist is found before anything is built.
    for (base, said) in [
        ("nowhere", "`nowhere` is not a commit in this repository\n"),
        (
            "baseline",
            "gates.toml has no `[baseline]`\n  help: name a ",
        ),
    ] {
        let ran = project.run_explained(&format!("check --base {base}"), 2);
        ran.stderr_has(&format!("error: {said}"));
    }
    // On the branch itself, the commit before is compared.
    project.commit("Uppercase");
    let failed = project.run_explained("--base HEAD~1", 1);
    failed.stdout_has(" added: 1 allocation, 5 bytes\n");
    // Gates that hold have no lines, and what has less is not explained.
    project.gates(&["counts"], &GATE.replace("<= 1", "<= 3"));
    let ran = project.run_explained("--base HEAD~1", 0);
    assert!(!ran.stderr_text().contains("Checking out"));
    project.write("src/lib.rs", LIBRARY);
    let ran = project.run_explained("compare main", 0);
    assert!(!ran.stdout_text().contains("src/lib.rs"));
}

#[test]
fn lines_without_a_base_say_why() {
    let project = planted("no_base", GATE);
    for (path, text, sentence) in [
        (
            "src/lib.rs",
            LIBRARY.replace("bytes.push(units", "bytes.push(unit"),
            "): failed to build the benches",
        ),
        (
            "benches/counts.rs",
            bench("no_base", &ENCODE.replace("\"encode\"", "\"other\"")),
            "): the bench has no such scenario",
        ),
    ] {
        let now = project.read(path);
        project.write(path, &text);
        project.commit("Make it another one");
        project.write(path, &now);
        let ran = project.run_explained("--base main", 1);
        ran.stdout_has("not compared with the base: ");
        ran.stdout_has(&format!("{sentence}\n"));
        // The lines are there all the same.
        ran.stdout_has("let text = text.to_uppercase();\n");
        project.is_clean();
        project.commit("Put it back");
    }
    // A shallow clone has no other commits.
    let head = project.git(&["rev-parse", "HEAD"]);
    project.write(".git/shallow", &head);
    let ran = project.run_explained("--base main~1", 1);
    ran.stdout_has(
        "not compared with the base: `main~1` is not in this repository, which is a shallow clone: \
         `git fetch --unshallow` gets ",
    );
    project.run_explained("", 1).stderr_has(
        "Note which lines were edited is not known: this shallow clone has no earlier commit; \
         fetch it, in GitHub Actions with `fetch-depth: 2`\n",
    );
}

#[test]
fn the_baseline_is_the_commit_that_changed_the_scenario_in_it() {
    let project = project("baseline_lines", ENCODE).with_common_target();
    project.gates(&["counts"], &baseline_gate());
    let project = project.committed_with_lock();
    project.run_explained("accept", 0);
    let accepted = project.commit("Accept");
    // A commit that is both has one name.
    project.write("src/lib.rs", &with_vector());
    project
        .run_explained("", 1)
        .stdout_has(&format!("added since main ({})", &accepted[..10]));
    project.write("src/lib.rs", LIBRARY);
    project.commit("Go on");
    project.write("src/lib.rs", &with_vector());
    // Marked lines need no other command.
    let help = "help: if this is intended, run `cargo alloc-gate accept`\n";
    project.run_explained("", 1).stdout_has(help);
    let failed = project.run_explained("--base baseline", 1);
    failed.stdout_has(&format!(
        "error[allocates-more]: 1 allocation and 5 bytes per iteration more than at baseline ({})\n",
        &accepted[..10]
    ));
    let gate = format!("{}bytes = \"<= 1\"\n", baseline_gate());
    project.gates(&["counts"], &gate);
    project.run_explained("accept", 0);
    let ran = project.run_explained("--base baseline", 1);
    ran.stdout_has("not compared with the base: its row in baseline.toml is not committed\n");
}

#[test]
fn a_workspace_in_a_folder_of_the_repository_has_the_lines_of_the_base() {
    let project = project("in_folder", ENCODE).with_common_target();
    // A package of the repository that is no member.
    project.add_to_manifest("\n[dependencies]\nnear = { path = '../near' }\n");
    let package = "[package]\nname = \"near\"\nversion = \"1.0.0\"\nedition = \"2024\"\n\n\
                   [workspace]\n";
    let near = "pub fn upper(text: &str) -> String {\n    text.to_owned()\n}\n";
    project.write("../near/Cargo.toml", package);
    project.write("../near/src/lib.rs", near);
    project.run_explained("list --offline --quiet", 0);
    let top = project.root().parent().expect("it is in a folder");
    for args in [
        &["init", "--quiet", "--initial-branch", "main"][..],
        &["add", "--all"],
        &["commit", "--quiet", "--message", "Begin"],
    ] {
        git(top, args);
    }
    let vector = with_vector().replace("text.to_uppercase()", "near::upper(text)");
    project.write("src/lib.rs", &vector);
    project.write(
        "../near/src/lib.rs",
        &near.replace("to_owned", "to_uppercase"),
    );
    let ran = project.run_explained("--base main", 1);
    ran.stdout_has("added   ../near/src/lib.rs:2:10  to_uppercase in upper\n");
    let text = ran.stdout_text();
    let is_same = |line: &&str| line.contains(" same ") && line.contains(" src/lib.rs:");
    assert_eq!(text.lines().filter(is_same).count(), 2, "{text}");
}
