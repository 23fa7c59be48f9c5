//! The lines that allocate, compared with those of another commit.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use snapbox::str;

use crate::explained::{ENCODE, GATE, LIBRARY, bench, project, run};
use crate::program::Ran;
use crate::repository::{Repository, git, printed};

/// A committed package with the library, and in the working tree the same with one more vector
/// below a line that moves all lines.
pub(crate) fn planted(name: &str, gate: &str) -> Repository {
    let project = project(name, ENCODE).with_common_target();
    project.gates(&["counts"], gate);
    let repository = Repository::from_project(project);
    repository.project.write("src/lib.rs", &with_vector());
    repository
}

/// Rules with a baseline, which is not written yet.
fn baseline_gate() -> String {
    let gate = GATE.replace("<= 1", "<= baseline");
    format!("[baseline]\ndata = \"baseline.toml\"\n{gate}")
}

/// The library with one more vector.
fn with_vector() -> String {
    LIBRARY
        .replace("//! Texts", "//! A module.\n//! Texts")
        .replace(
            "(2 * text.len());\n",
            "(2 * text.len());\n    let text = text.to_uppercase();\n",
        )
}

/// Asserts what stderr has, except that the program waited for another test.
#[track_caller]
fn steps(ran: &Ran, expected: snapbox::data::Inline) {
    let text = ran.stderr_text();
    let steps = text.lines().filter(|line| !line.contains("    Blocking "));
    let steps: String = steps.map(|line| format!("{line}\n")).collect();
    ran.same(&steps, expected);
}

/// The library, which does not build.
fn broken() -> String {
    LIBRARY.replace("bytes.push(units", "bytes.push(unit")
}

/// The excerpt and the table of lines, where a vector was added.
const ADDED_LINE: &str = "  --> src/lib.rs:15:21
   |
15 |     let text = text.to_uppercase();
   |                     ^^^^^^^^^^^^ added: 1 allocation, 5 bytes
   |
   = called by: encode, src/lib.rs:6:17

   allocs       bytes              line
        1 (+1)      5 (+5)  added  src/lib.rs:15:21  to_uppercase in little_endian
        1          11       same   src/lib.rs:7:21   Vec::with_capacity in encode
        1          10       same   src/lib.rs:14:21  Vec::with_capacity in little_endian
        3 (+1)     26 (+5)         sum
";

#[test]
fn explain_compares_the_lines_with_those_of_a_base() {
    let repository = planted("based", GATE);
    let project = &repository.project;
    run(project, "explain --base main", 0).stdout(format!(
        r#"encode: allocs

note: 1 allocation and 5 bytes per iteration more than at main ([..])
{ADDED_LINE}
"#
    ));
    // A base that does not build.
    project.write("src/lib.rs", &broken());
    repository.commit("Break");
    project.write("src/lib.rs", &with_vector());
    let ran = run(project, "explain --base main", 0);
    ran.stdout_has("not compared with the base: at main (");
    ran.stdout_has("): failed to build the benches\n");
}

#[test]
fn compare_shows_the_lines_of_figures_that_grew() {
    let repository = planted("compared_lines", GATE);
    let project = &repository.project;
    let ran = run(project, "compare main", 0);
    let ran = ran.stdout(format!(
        r#"base: main ([..])
head: the working tree at [..], 1 file with uncommitted changes

encode  allocs 2 -> 3 (+1)  bytes 21 -> 26 (1.24x)

encode: allocs

note: 1 allocation and 5 bytes per iteration more than at main ([..])
{ADDED_LINE}
"#
    ));
    steps(
        &ran,
        str![[r#"
Checking out main ([..])
    Building 1 bench
   Measuring compared_lines/counts
   Comparing the working tree
    Building 1 bench
   Measuring compared_lines/counts
  Explaining 1 increase
alloc-gate: compared 1 scenario: 1 changed, 0 unchanged (without --gate, no gates are checked)

"#]],
    );
    repository.is_clean();
    let ran = run(project, "compare main --explain never", 0);
    assert!(!ran.stdout_text().contains("src/lib.rs"));
    let report = run(project, "compare main --format json", 0).json();
    let lines = report["sites"][0]["lines"].as_array().expect("a list");
    assert!(
        lines.iter().any(|line| line["change"] == "added"),
        "{report}"
    );
    // What has less is not explained.
    repository.commit("Plant a vector");
    project.write("src/lib.rs", LIBRARY);
    let ran = run(project, "compare main", 0);
    assert!(!ran.stdout_text().contains("src/lib.rs"));
}

#[test]
fn compare_with_gates_shows_the_lines_of_failures() {
    let repository = planted("compared_gate_lines", &GATE.replace("<= 1", "<= 2"));
    let project = &repository.project;
    let ran = run(project, "compare HEAD --gate", 1);
    let ran = ran.stdout(format!(r#"base: HEAD ([..])
head: the working tree at [..], 1 file with uncommitted changes

encode  allocs 2 -> 3 (+1)  bytes 21 -> 26 (1.24x)


compared_gate_lines/counts  1 scenario  1 gate  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit [..] with uncommitted changes, [TIME]

FAIL encode                                             benches/counts.rs:9
       allocs      2 -> 3 (+1)    <= 2 [few]

error[allocates-more]: 1 allocation and 5 bytes per iteration more than at HEAD ([..])
{ADDED_LINE}
1 of 1 scenario failed, 1 of 1 gate (gates.toml:11)
help: if this is intended, change the limit at gates.toml:14:10
"#));
    steps(
        &ran,
        str![[r#"
Checking out HEAD ([..])
    Building 1 bench
   Measuring compared_gate_lines/counts
   Comparing the working tree
    Building 1 bench
   Measuring compared_gate_lines/counts
  Explaining 1 failing scenario
alloc-gate: FAILED: 1 gate checked (1 failed), 1 scenario measured

"#]],
    );
    // Gates that hold have no lines.
    project.gates(&["counts"], &GATE.replace("<= 1", "<= 3"));
    let ran = run(project, "compare main --gate", 0);
    assert!(!ran.stdout_text().contains("src/lib.rs"));
}

#[test]
fn check_compares_the_lines_of_failures_with_a_commit() {
    let repository = planted("checked_base", GATE);
    let project = &repository.project;
    run(project, "", 1).stdout_has(
        "\nhelp: if this is intended, change the limit at gates.toml:14:10; `cargo alloc-gate check \
         --base main` shows which lines changed\n",
    );
    let ran = run(project, "--base main", 1);
    let ran = ran.stdout(format!(r#"checked_base/counts  1 scenario  1 gate  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit [..] with uncommitted changes, [TIME]

FAIL encode                                             benches/counts.rs:9
       allocs      3    <= 1 [few]

error[allocates-more]: 1 allocation and 5 bytes per iteration more than at main ([..])
{ADDED_LINE}
1 of 1 scenario failed, 1 of 1 gate (gates.toml:11)
help: if this is intended, change the limit at gates.toml:14:10
"#));
    steps(
        &ran,
        str![[r#"
    Building 1 bench
   Measuring checked_base/counts
  Explaining 1 failing scenario
Checking out main ([..])
    Building 1 bench
alloc-gate: FAILED: 1 gate checked (1 failed), 1 scenario measured

"#]],
    );
    repository.is_clean();
    // On the branch itself, the commit before is compared.
    repository.commit("Uppercase");
    run(project, "", 1).stdout_has("`cargo alloc-gate check --base HEAD~1` shows which lines");
    run(project, "--base HEAD~1", 1).stdout_has(" added: 1 allocation, 5 bytes\n");
    // A commit that does not exist is found before anything is built.
    for command in ["--base nowhere", "explain --base nowhere"] {
        let ran = run(project, command, 2);
        ran.stdout("").stderr(str![[r#"
error: `nowhere` is not a commit in this repository
  help: `git log --all --oneline` shows the commits; `git fetch --tags` gets those of the remote, and in CI, `fetch-depth: 0` gets all
alloc-gate: error: `nowhere` is not a commit in this repository (exit code 2)

"#]]);
    }
    run(project, "check --base baseline", 2).stderr(str![[r#"
error: gates.toml has no `[baseline]`
  help: name a commit, or write `--base heads/baseline` for a branch
alloc-gate: error: gates.toml has no `[baseline]` (exit code 2)

"#]]);
    let recorded = format!(
        "--base main --results {} --allow-stale",
        project.results("counts")
    );
    run(project, &recorded, 1)
        .stderr_has("Skipping the lines that allocate: recorded results have none; `cargo alloc-gate` on the machine that measured shows them\n");
    // Without failures there are no lines.
    project.gates(&["counts"], &GATE.replace("<= 1", "<= 3"));
    let ran = run(project, "--base main", 0);
    assert!(!ran.stderr_text().contains("Checking out"));
}

#[test]
fn lines_without_a_base_say_why() {
    let repository = planted("no_base", GATE);
    let project = &repository.project;
    let bench_now = project.read("benches/counts.rs");
    let without = |base: &str, sentence: &str| {
        let ran = run(project, &format!("--base {base}"), 1);
        ran.verdict("FAILED: 1 gate checked (1 failed), 1 scenario measured");
        let text = ran.stdout_text();
        let note = text
            .lines()
            .find_map(|line| line.split_once("not compared with the base: "));
        let (_, note) = note.unwrap_or_else(|| panic!("no reason in {text}"));
        ran.same(&format!("{note}\n"), format!("{sentence}\n"));
        // The lines are there all the same.
        assert!(text.contains("to_uppercase in little_endian"), "{text}");
        repository.is_clean();
    };
    // An older harness records no call stacks.
    let old = bench_now.replace(
        "    let mut suite",
        "    unsafe { std::env::remove_var(\"ALLOC_GATE_SITES\") };\n    let mut suite",
    );
    for (path, text, sentence) in [
        (
            "src/lib.rs",
            LIBRARY.replace("bytes.push(units", "bytes.push(unit"),
            "at main ([..]): failed to build the benches",
        ),
        (
            "benches/counts.rs",
            bench("no_base", &ENCODE.replace("\"encode\"", "\"other\"")),
            "at main ([..]): the bench has no such scenario",
        ),
        (
            "benches/counts.rs",
            old,
            "at main ([..]): its version of alloc-scenario records no call stacks",
        ),
        (
            "Cargo.toml",
            project.read("Cargo.toml").replace(
                "name = \"counts\"",
                "name = \"another\"\npath = \"benches/counts.rs\"",
            ),
            "at main ([..]): the package `no_base` has no bench `counts`; it has `another`",
        ),
    ] {
        let now = project.read(path);
        project.write(path, &text);
        repository.commit("Make it another one");
        project.write(path, &now);
        without("main", sentence);
        repository.commit("Put it back");
    }
    // A shallow clone has no other commits.
    let head = repository.git(&["rev-parse", "HEAD"]);
    project.write(".git/shallow", &head);
    without(
        "main~1",
        "`main~1` is not in this repository, which is a shallow clone",
    );
}

#[test]
fn the_baseline_is_the_commit_that_changed_the_scenario_in_it() {
    let project = project("baseline_lines", ENCODE).with_common_target();
    project.gates(&["counts"], &baseline_gate());
    let repository = Repository::from_project(project);
    let project = &repository.project;
    run(project, "accept", 0);
    let accepted = repository.commit("Accept");
    // The file changes later, and the row does not.
    let data = project.read("baseline.toml");
    project.write("baseline.toml", &format!("# A comment.\n{data}"));
    repository.commit("Comment");
    project.write("src/lib.rs", &with_vector());
    let help = "help: if this is intended, run `cargo alloc-gate accept`; `cargo alloc-gate check \
                --base baseline` shows which lines changed\n";
    run(project, "", 1).stdout_has(help);
    let ran = run(project, "--base baseline", 1);
    let more = "1 allocation and 5 bytes per iteration more than at baseline";
    ran.stdout_has(&format!(
        "error[allocates-more]: {more} ({})\n",
        &accepted[..10]
    ));
    let reason = |sentence: &str| {
        let ran = run(project, "--base baseline", 1);
        ran.stdout_has(&format!("not compared with the base: {sentence}\n"));
    };
    // The commit could be one that is not here.
    project.write(".git/shallow", &format!("{accepted}\n"));
    reason(
        "the repository is a shallow clone without the commit that changed its row in baseline.toml",
    );
    project.write(".git/shallow", "");
    project.gates(
        &["counts"],
        &format!("{}bytes = \"<= 1\"\n", baseline_gate()),
    );
    run(project, "accept", 0);
    reason("its row in baseline.toml is not committed");
}

#[test]
fn a_workspace_in_a_folder_of_the_repository_has_the_lines_of_the_base() {
    let project = project("in_folder", ENCODE).with_common_target();
    run(&project, "list --offline --quiet", 0);
    let top = project.root().parent().expect("it is in a folder");
    for args in [
        &["init", "--quiet", "--initial-branch", "main"][..],
        &["add", "--all"],
        &["commit", "--quiet", "--message", "Begin"],
    ] {
        let mut command = git(top);
        command.args(args);
        printed(command);
    }
    project.write("src/lib.rs", &with_vector());
    let text = run(&project, "--base main", 1).stdout_text();
    let changes = text
        .lines()
        .filter_map(|line| line.split_once("  src/lib.rs"));
    let changes: Vec<&str> = changes
        .filter_map(|(figures, _)| figures.split_whitespace().last())
        .collect();
    assert_eq!(changes, ["added", "same", "same"], "{text}");
}
