//! Recorded results: `check --results` judges them, and refuses what is not whole.

use std::fs;

use crate::project::{BOXES, Project, RESULTS};

const BODY: &str = "one: 100 x allocs=1 bytes=8\ntwo: 100 x allocs=1 bytes=4\n";

const PASSED: &str = "passed: 1 gate checked, 2 scenarios measured";

/// Results of the bench, about which the first line says this.
fn body(about: &str) -> String {
    format!("bench demo/counts {about}\n{BODY}")
}

#[test]
fn files_without_results_are_refused() {
    let project = Project::recorded("record-foreign", BODY, BOXES);
    project.write("notes.txt", "hello\n");
    project.write("cut.jsonl", "");
    project.write("empty/notes.txt", "");
    for (line, said) in [
        (
            "check --results notes.txt",
            "error: notes.txt:1: not a result line of alloc-gate (",
        ),
        ("list --results cut.jsonl", "error: cut.jsonl:1: "),
        (
            "check --results empty",
            "error: no results found in empty: neither it nor a folder in it has a `*.jsonl`",
        ),
    ] {
        let ran = project.run(line, 104).stdout("");
        ran.stderr_has(said);
        ran.stderr_has("\n  help: ");
    }
}

#[test]
fn results_with_a_scenario_that_panicked_are_refused() {
    let results = format!("{BODY}panics: panicked ::error::second\n");
    let project = Project::recorded("record-panic", &results, BOXES);
    project.judge("", 104).stderr_has(
        "error: the results have a scenario that was not measured: `panics` (benches/counts.rs:4)\n  \
         | ::error::second\n  help: fix it, and measure again\n",
    );
}

/// A committed project, and the commit; with results of that commit, about which `about` says more.
fn committed(name: &str, about: &str) -> (Project, String) {
    let project = Project::recorded(name, &body(""), BOXES).committed();
    let commit = project.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let results = body(&format!("commit={commit} {about}"));
    project.write_results(RESULTS, &results);
    (project, commit)
}

#[test]
fn results_of_another_commit_are_refused_unless_asked_for() {
    let (project, first) = committed("record-stale", "clean");
    project.judge("check", 0).verdict(PASSED);
    let second = project.commit("Go on");
    let refused = format!(
        "error: the results of demo/counts are from commit {}, but HEAD is {}\n  help: \
         measure again with `cargo alloc-gate run`, or pass --allow-stale\n",
        &first[..10],
        &second[..10]
    );
    for command in ["check", "list"] {
        project.judge(command, 104).stderr_has(&refused);
        project.judge(&format!("{command} --allow-stale"), 0);
    }
}

#[test]
fn without_a_repository_or_with_an_error_of_git_the_commit_is_a_warning() {
    let (project, _) = committed("record-owner", "clean");
    let owner = [("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")];
    let ran = project.run_with(&owner, &format!("check --results {RESULTS}"), 0);
    ran.stderr_has("warning: the commit is not known: git rev-parse failed: fatal: detected");
    ran.stderr_has("\tgit config --global --add safe.directory ");
    fs::remove_dir_all(project.path(".git")).expect("it is there");
    let ran = project.judge("check", 0);
    ran.stderr_has(", but git finds no commit here\n  help: check them in a git checkout");
}

#[test]
fn results_of_a_clean_tree_that_was_edited_since_are_a_warning() {
    let (project, _) = committed("record-edited", "clean");
    project.write("src/lib.rs", "");
    project.git(&["add", "src/lib.rs"]);
    project.git(&["commit", "--quiet", "--amend", "--no-edit"]);
    let commit = project.git(&["rev-parse", "HEAD"]);
    project.write_results(RESULTS, &body(&format!("commit={} clean", commit.trim())));
    // Neither the rules nor files that nobody committed are sources of the results.
    let rules = project.read("gates.toml").replace("boxes", "one box");
    project.write("gates.toml", &rules);
    project.write("report.md", "");
    project.judge("check", 0).verdict(PASSED);
    project.add_to_manifest("# edited\n");
    project.judge("check", 0).stderr(format!(
        "warning: the results were measured without uncommitted changes, but Cargo.toml was edited \
         since\n  help: measure again with `cargo alloc-gate run`\nalloc-gate: {PASSED}\n"
    ));
    project.write("src/lib.rs", "// edited\n");
    project
        .judge("list", 0)
        .stderr_has("but Cargo.toml and 1 other file were edited since\n");
}

#[test]
fn results_of_an_unknown_or_dirty_commit_or_of_another_profile_are_a_warning() {
    let (project, _) = committed("record-older", "dirty");
    let ran = project.judge("check", 0);
    ran.stderr_has("warning: the results of demo/counts were measured with uncommitted changes\n");
    ran.verdict(PASSED);
    project.write_results(RESULTS, &body("quick profile=dev"));
    let ran = project.judge("check", 0);
    ran.stderr_has("the results of demo/counts don't say from which commit they are\n");
    ran.stderr_has("were measured with the profile `dev`, not `bench`\n");
    ran.stderr_has("the results of demo/counts are from a quick run with fewer iterations\n");
}

#[test]
fn a_bench_without_results_fails_the_check() {
    let both = format!("{}bench demo/other\nother: 100 x allocs=1\n", body(""));
    let project = Project::recorded("record-part", &both, BOXES);
    project.write_results("part", &body(""));
    let ran = project.run("check --results part", 1);
    ran.stdout_has("\nerror[unrecorded-bench]: there are no results of `demo/other`, so none");
    ran.verdict("FAILED: 1 gate checked (1 error), 2 scenarios measured");
    // A part is enough if it is asked for.
    let ran = project.run("check --results part --bench counts", 0);
    ran.verdict(PASSED);
    let ran = project.judge("check", 0);
    ran.verdict("passed: 1 gate checked, 3 scenarios measured");
    project.gates(&["other"], BOXES);
    for line in ["check", "accept"] {
        project.judge(line, 104).stderr_has(
            "error: the results include a bench that gates.toml does not name: demo/counts",
        );
    }
}
