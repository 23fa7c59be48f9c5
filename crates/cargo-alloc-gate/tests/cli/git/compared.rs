//! `compare REF`: its output, its verdicts, its errors about the base, and that it leaves
//! nothing behind.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use snapbox::str;

use crate::project::{BOXES, Project, bench};
use crate::repository::Repository;

/// One allocation of 8 bytes, two of 25, one of 4.
const BASE: &str = "box: 8\ntwo: 24 1\nold: 4\n";

/// One more block in `two`, and another scenario instead of `old`.
const HEAD: &str = "box: 8\ntwo: 48 1 1\nfresh: 2\n";

/// The verdict on an equal base and head.
const UNCHANGED: &str =
    "compared 3 scenarios: 0 changed, 3 unchanged (without --gate, no gates are checked)";

const GATE: &str = "
[baseline]
data = \"baseline.toml\"

[policy]
stale = \"deny\"

[[gate]]
name = \"no-creep\"
scenarios = [\"*\"]
allocs = \"<= baseline\"
";

#[test]
fn each_changed_scenario_has_a_row_above_the_count_of_the_others() {
    let project = Project::with("compare-changed", BASE, "");
    let repository = Repository::from_project(project.with_common_target());
    // The rules of the working tree apply to both sides.
    let rules = repository.project.read("gates.toml");
    repository.project.write("gates.toml", "these are no rules");
    repository.commit("Break the rules");
    repository.project.write("gates.toml", &rules);
    repository.scenarios(HEAD);
    repository.project.write("staged.txt", "of the user\n");
    repository.git(&["add", "staged.txt"]);
    repository.project.write("untracked.txt", "of the user\n");
    // `git status` with locks would write the new time of this file to the index.
    let same = repository.project.read("Cargo.lock");
    repository.project.write("Cargo.lock", &same);
    let before = repository.state();
    let ran = repository.run("compare main", 0);
    assert_eq!(repository.state(), before);
    repository.is_clean();
    ran.verdict(
        "compared 2 scenarios: 1 changed, 1 unchanged, 1 new, 1 removed (without --gate, no \
         gates are checked)",
    );
    // A block of 24 or 48 bytes, and one or two of 1 byte.
    ran.stdout(str![[r#"
base: main ([..])
head: the working tree at [..], 4 files with uncommitted changes

two  allocs 2 -> 3 (+1), bytes 25 -> 50 (2.00x), peak-bytes 25 -> 50 (2.00x)

new: `fresh`
removed: `old`
1 scenario unchanged

"#]]);
    repository.run("compare main -q", 0).stdout("");
    let kept = fs::metadata(
        repository
            .project
            .target()
            .join("alloc-gate/compare/target"),
    );
    assert!(kept.expect("what was built is kept").is_dir());
}

#[test]
fn a_gate_with_a_baseline_is_judged_against_the_ref() {
    let repository = Repository::new("compare-gate", BASE, GATE);
    let args = "compare HEAD --gate";
    let equal = repository.run(args, 0);
    equal.verdict("passed: 1 gate checked, 3 scenarios measured");

    repository.scenarios(&HEAD.replace("fresh", "old"));
    let mut command = repository.command();
    command
        .args(args.split(' '))
        .args(["--report", "markdown=report.md"]);
    let project = &repository.project;
    let worse = project.finish_with(command, &[("GITHUB_ACTIONS", "true")], 1);
    worse.verdict("FAILED: 1 gate checked (1 failed), 3 scenarios measured");
    worse.stdout_has("FAIL two  ");
    worse.stdout_has("       allocs  2 -> 3 (+1)  <= baseline [no-creep]\n");
    worse.stdout_has(
        "\nhelp: if this is intended, run `cargo alloc-gate accept`, and commit what it writes, \
         which approves the change\n",
    );
    worse.stderr_has(
        "title=alloc-gate%3A two failed::allocs 2 -> 3 (+1), required: <= baseline [no-creep]\n",
    );
    project.has(
        "report.md",
        "<!-- alloc-gate -->\n## Allocations compared\n",
    );
    project.has("report.md", "\n## alloc-gate: **FAILED**: 1 gate");

    // Without --gate the exit code is 0.
    let ungated = repository.run("compare HEAD", 0);
    ungated.stdout_has("two  allocs 2 -> 3 (+1)");
    // An improvement needs no `accept`.
    repository.scenarios(&BASE.replace("24 1", "1"));
    let better = repository.run(args, 0);
    assert_eq!(better.last_line(), equal.last_line());

    // A new scenario passes; a removed one is a finding.
    repository.scenarios(&format!("{BASE}new: 72\n"));
    let ran = repository.run("compare HEAD --gate --format json", 0);
    let report = ran.json();
    assert_eq!(report["new"], serde_json::json!(["new"]));
    assert_eq!(report["changes"], serde_json::json!([]));
    assert_eq!(report["check"]["outcome"], "held");
    repository.scenarios("box: 8");
    let gone = repository.run(args, 1).stdout_text();
    assert!(gone.contains("error[unmeasured-scenario]"), "{gone}");
    assert!(gone.contains("run `cargo alloc-gate accept`"), "{gone}");
    repository.is_clean();
}

#[test]
fn the_committed_baseline_of_the_head_approves_changes() {
    let gate = GATE.replace("<= baseline", "== baseline");
    let repository = Repository::new("compare-approved", BASE, &gate);
    repository.run("accept", 0);
    repository.commit("Accept");
    // An improvement, an increase, a new scenario, and one that is gone.
    repository.scenarios("box:\ntwo: 48 1 1\nfresh: 2\n");
    let line = "compare HEAD --gate";
    let failed = repository.run(line, 1);
    failed.verdict("FAILED: 1 gate checked (1 failed, 2 errors), 3 scenarios measured");
    failed.stdout_has(
        "run `cargo alloc-gate accept`, and commit what it writes, which approves the change",
    );
    repository.run("accept", 0);
    let approved = repository.run(line, 0);
    approved.stdout_has("\napproved by the committed baseline: `box`, `old`, `two`\n");
    approved.verdict("passed: 1 gate checked, 3 scenarios measured");
    let json = repository
        .run("compare HEAD --gate --format json", 0)
        .json();
    assert_eq!(json["approved"], serde_json::json!(["box", "old", "two"]));
    // What changes after that is not approved.
    repository.scenarios("box:\ntwo: 48 1 1 1\nfresh: 2\n");
    let failed = repository.run(line, 1);
    failed.stdout_has("FAIL two  ");
    let text = failed.stdout_text();
    assert!(!text.contains("FAIL box"), "{text}");
    // A baseline that does not change approves nothing, even if it allows more.
    repository.scenarios("box:\ntwo: 1\nfresh: 2\n");
    repository.commit("Improve without accepting");
    repository.scenarios("box:\ntwo: 48 1 1\nfresh: 2\n");
    let failed = repository.run(line, 1);
    failed.stdout_has("FAIL two  ");
    // Nor does one that can't be compared with that of the base.
    let data = repository.project.read("baseline.toml");
    repository.project.write("baseline.toml", "not a baseline");
    repository.commit_scenarios("Break the baseline", "box:\ntwo: 1\nfresh: 2\n");
    repository.project.write("baseline.toml", &data);
    repository.scenarios("box:\ntwo: 48 1 1\nfresh: 2\n");
    let failed = repository.run(line, 1);
    failed.stderr_has(
        "warning: failed to read the baseline of the base, so no change counts as approved: baseline.toml:",
    );
    repository.is_clean();
}

#[test]
fn what_is_no_commit_ends_with_2() {
    // Nothing is built.
    let project = Project::recorded("compare-unknown", "box: 1 x\n", BOXES);
    let repository = Repository::committed(project);
    let ran = repository.run("compare nosuch", 2);
    ran.stderr_has("error: `nosuch` is not a commit in this repository\n");
    repository.run("compare --gate", 2);
    fs::remove_dir_all(repository.project.path(".git")).expect("it is there");
    let mut command = repository.command();
    command.env("LC_ALL", "C").args(["compare", "main"]);
    let ran = repository.project.finish(command).code(2);
    ran.stderr_has("/project is not in a git repository");
}

#[test]
fn a_base_that_does_not_build_or_run_is_an_error() {
    let repository = Repository::new("compare-unusable", BASE, "");
    let manifest = repository.project.read("Cargo.toml");
    repository
        .project
        .add_to_manifest("path = \"gates.toml\"\n");
    repository.commit("Break the build");
    repository.project.write("Cargo.toml", &manifest);
    repository.commit_scenarios("Panic", "box: panic");
    repository.commit_scenarios("Measure nothing", "");
    repository.scenarios(BASE);
    let before = repository.state();
    for (reference, code, words) in [
        ("main~2", 101, "): failed to build the benches\n"),
        (
            "main~1",
            104,
            "): `box` of committed/counts was not measured (exit code 104)",
        ),
        (
            "main",
            4,
            " can't be compared with the working tree: the base has no scenarios",
        ),
    ] {
        let ran = repository
            .run(&format!("compare {reference}"), code)
            .stdout("");
        ran.stderr_has(words);
        assert_eq!(repository.state(), before);
        repository.is_clean();
    }
}

#[test]
fn a_bench_that_the_base_does_not_have_is_judged_by_its_limits_alone() {
    let repository = Repository::new("compare-new-bench", BASE, GATE);
    let project = &repository.project;
    project.add_to_manifest("path = \"benches/counts.rs\"\n");
    let files = ["Cargo.toml", "gates.toml"].map(|file| (file, project.read(file)));
    for (name, before, removed) in [
        ("\"counts\"", "\"other\"", "committed/other"),
        ("\"committed\"", "\"earlier\"", "earlier/counts"),
    ] {
        for (file, text) in &files {
            project.write(file, &text.replace(name, before));
        }
        repository.commit("Have another name");
        for (file, text) in &files {
            project.write(file, text);
        }
        let ran = repository.run("compare main --gate", 0);
        ran.stdout_has(&format!(
            "\nnew: `box`, `old`, `two`\nremoved benches: `{removed}`\nno scenario is on both \
             sides\n"
        ));
        ran.verdict("passed: 1 gate checked, 3 scenarios measured");
    }
    let few = format!("{}{BOXES}", files[1].1);
    project.write("gates.toml", &few);
    let failed = repository.run("compare main --gate", 1);
    failed.stdout_has("       allocs  2  <= 1 [boxes]\n");
    let json = repository.run("compare main --format json", 0).json();
    assert_eq!(
        json["removed-benches"],
        serde_json::json!(["earlier/counts"])
    );

    repository.commit_without_manifest();
    let ran = repository.run("compare main", 102);
    ran.stderr_has("): there is no Cargo.toml\n");
    repository.is_clean();
}

#[test]
#[cfg(unix)]
fn the_next_run_removes_what_a_killed_run_left_even_after_cargo_clean() {
    let repository = Repository::new("compare-killed", BASE, "");
    let manifest = repository.project.read("Cargo.toml");
    // Nothing is built: the base has no manifest.
    repository.commit_without_manifest();
    repository.project.write("Cargo.toml", &manifest);
    let git = repository.beside().join("git");
    let kill = "case \"$*\" in *worktree*add*) /usr/bin/env git \"$@\"; kill -s KILL $PPID ;; esac";
    let real = format!("PATH=${{PATH#*:}}\n{kill}\nexec git \"$@\"");
    crate::stand_in::program(&git, &real);
    let path = std::env::var("PATH").expect("it is set");
    let path = format!("{}:{path}", repository.beside().display());
    let target = tempfile::tempdir().expect("a temporary folder can be made");
    let mut killed = repository.command();
    killed.args(["compare", "HEAD"]).env("PATH", path);
    killed.env("CARGO_TARGET_DIR", target.path());
    let killed = killed.output().expect("the program starts");
    assert_eq!(killed.status.code(), None);
    let worktrees = repository.git(&["worktree", "list", "--porcelain"]);
    let mut left = worktrees
        .lines()
        .filter_map(|line| line.strip_prefix("worktree "));
    let left = left.next_back().expect("there is a worktree");
    assert!(left.contains("/.alloc-gate-compare-"), "{worktrees}");
    repository.git(&["worktree", "lock", left]);
    fs::remove_dir_all(target.path()).expect("it is there");

    let mut compare = repository.command();
    compare.args(["compare", "HEAD"]);
    compare.env("CARGO_TARGET_DIR", target.path());
    let ran = repository.project.finish(compare).code(102);
    ran.stderr_has(&format!("    Removing {left}, left by an earlier run\n"));
    fs::remove_file(git).expect("it is there");
    repository.is_clean();
}

#[test]
fn two_comparisons_take_turns() {
    let repository = Repository::new("compare-turns", BASE, "");
    let target = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = target.path().join("alloc-gate/compare");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let lock = File::create(folder.join("lock")).expect("the file can be made");
    lock.lock().expect("nobody else has it");
    // Nothing is built: the base has no manifest.
    repository.commit_without_manifest();
    let mut child = repository
        .command()
        .args(["compare", "HEAD"])
        .env("CARGO_TARGET_DIR", target.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let stderr = child.stderr.take().expect("it is piped");
    let mut lines = BufReader::new(stderr).lines();
    let first = lines.next().expect("it says something");
    let first = first.expect("it is UTF-8");
    assert!(
        first.starts_with("    Blocking waiting for another comparison in "),
        "{first}"
    );
    let status = child.try_wait().expect("it can be asked");
    assert_eq!(status, None, "it waits");
    assert_eq!(repository.git(&["worktree", "list"]).lines().count(), 1);
    drop(lock);
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(102), "{rest:#?}");
    repository.is_clean();
}

#[test]
fn a_workspace_below_the_root_of_the_repository_is_found_there() {
    let repository = Repository::new("compare-below", BASE, "");
    let files = [
        "Cargo.toml",
        "Cargo.lock",
        "gates.toml",
        "counts.scenarios",
        "benches",
    ];
    for file in files {
        let to = format!("inner/{file}");
        fs::create_dir_all(repository.project.path("inner")).expect("the folder can be made");
        repository.git(&["mv", file, &to]);
    }
    repository.commit("Move it below");
    // A git hook sets these variables.
    let mut command = repository.command();
    command
        .env("GIT_DIR", ".git")
        .env("GIT_INDEX_FILE", ".git/index")
        .args(["compare", "main", "--manifest-path", "inner/Cargo.toml"]);
    let ran = repository.project.finish(command).code(0);
    ran.verdict(UNCHANGED);
    let ran = repository.run("compare main~1 --manifest-path inner/Cargo.toml", 102);
    ran.stderr_has("): there is no inner/Cargo.toml\n");
    repository.is_clean();
}

#[test]
fn packages_beside_the_repository_are_found() {
    let boxed = "    suite.scenario(\"boxed\", compare_beside_helper::boxed);\n";
    let project =
        Project::own("compare-beside", &[("counts", &bench("", boxed))]).with_common_target();
    let helper = "../compare-beside-helper";
    project.write(
        &format!("{helper}/Cargo.toml"),
        "[package]\nname = \"compare-beside-helper\"\nversion = \"1.0.0\"\nedition = \"2024\"\n",
    );
    project.write(
        &format!("{helper}/src/lib.rs"),
        "pub fn boxed() -> Box<u64> {\n    Box::new(7)\n}\n",
    );
    let manifest = project.read("Cargo.toml");
    let dependency = format!("[dev-dependencies]\ncompare-beside-helper = {{ path = '{helper}' }}");
    project.write(
        "Cargo.toml",
        &manifest.replace("[dev-dependencies]", &dependency),
    );
    project.gates(&["counts"], "");
    let repository = Repository::from_project(project);
    let ran = repository.run("compare HEAD", 0);
    ran.verdict(
        "compared 1 scenario: 0 changed, 1 unchanged (without --gate, no gates are checked)",
    );
    repository.is_clean();
}
