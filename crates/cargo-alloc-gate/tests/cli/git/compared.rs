//! `compare REF`: its output, its verdicts, its errors about the base, and that it leaves
//! nothing behind.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use snapbox::str;

use crate::program::path_with;
use crate::project::{BOXES, Project};

/// One allocation of 8 bytes, two of 25, one of 4.
const BASE: &str = "box: 8\ntwo: 24 1\nold: 4\n";

/// One more block in `two`, and another scenario instead of `old`.
const HEAD: &str = "box: 8\ntwo: 48 1 1\nfresh: 2\n";

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
    let project = project.with_common_target().committed_with_lock();
    // The rules of the working tree apply to both sides.
    let rules = project.read("gates.toml");
    project.write("gates.toml", "these are no rules");
    project.commit("Break the rules");
    project.write("gates.toml", &rules);
    project.scenarios("counts", HEAD);
    project.write("staged.txt", "of the user\n");
    project.git(&["add", "staged.txt"]);
    project.write("untracked.txt", "of the user\n");
    // `git status` with locks would write the new time of this file to the index.
    let same = project.read("Cargo.lock");
    project.write("Cargo.lock", &same);
    let before = project.state();
    let ran = project.run("compare main", 0);
    assert_eq!(project.state(), before);
    project.is_clean();
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
    project.run("compare main -q", 0).stdout("");
    let kept = fs::metadata(project.target().join("alloc-gate/compare/target"));
    assert!(kept.expect("what was built is kept").is_dir());
}

#[test]
fn a_gate_with_a_baseline_is_judged_against_the_ref() {
    let project = Project::repository("compare-gate", BASE, GATE);
    let args = "compare HEAD --gate";
    let equal = project.run(args, 0);
    equal.verdict("passed: 1 gate checked, 3 scenarios measured");

    project.scenarios("counts", &HEAD.replace("fresh", "old"));
    let reported = format!("{args} --report markdown=report.md");
    let worse = project.run_with(&[("GITHUB_ACTIONS", "true")], &reported, 1);
    worse.verdict("FAILED: 1 of 3 scenarios, 1 of 1 gate");
    worse.stdout_has("       allocs  2 -> 3 (+1)  <= baseline [no-creep]\n");
    worse.stdout_has(
        "`cargo alloc-gate accept`, and commit what it writes, which approves the change\n",
    );
    worse.stderr_has("two: 3 allocations per iteration, 2 before, limit <= baseline [no-creep]\n");
    project.has(
        "report.md",
        "<!-- alloc-gate -->\n## Allocations compared\n",
    );
    project.has("report.md", "\n## alloc-gate: **✗** 1 of 3 scenarios");

    // Without --gate the exit code is 0.
    project.run("compare HEAD", 0);
    // An improvement needs no `accept`.
    project.scenarios("counts", &BASE.replace("24 1", "1"));
    let better = project.run(args, 0);
    assert_eq!(better.last_line(), equal.last_line());

    // A new scenario passes; a removed one is a finding.
    project.scenarios("counts", &format!("{BASE}new: 72\n"));
    let ran = project.run("compare HEAD --gate --format json", 0);
    let report = ran.json();
    assert_eq!(report["new"], serde_json::json!(["new"]));
    assert_eq!(report["check"]["outcome"], "held");
    project.scenarios("counts", "box: 8");
    project
        .run(args, 1)
        .stdout_has("error[unmeasured-scenario]");
    project.is_clean();
}

#[test]
fn the_committed_baseline_of_the_head_approves_changes() {
    let gate = GATE.replace("<= baseline", "== baseline");
    let project = Project::repository("compare-approved", BASE, &gate);
    project.run("accept", 0);
    project.commit("Accept");
    // An improvement, an increase, a new scenario, and one that is gone.
    project.scenarios("counts", "box:\ntwo: 48 1 1\nfresh: 2\n");
    let line = "compare HEAD --gate";
    project
        .run(line, 1)
        .verdict("FAILED: 2 of 3 scenarios, 1 of 1 gate (2 errors)");
    project.run("accept", 0);
    let approved = project.run(line, 0);
    approved.stdout_has("\napproved by the committed baseline: `box`, `old`, `two`\n");
    approved.verdict("passed: 1 gate checked, 3 scenarios measured");
    // A baseline that can't be compared with the base's approves nothing.
    let data = project.read("baseline.toml");
    project.write("baseline.toml", "not a baseline");
    project.commit_scenarios("Break the baseline", "box:\ntwo: 1\nfresh: 2\n");
    project.write("baseline.toml", &data);
    project.scenarios("counts", "box:\ntwo: 48 1 1\nfresh: 2\n");
    project.run(line, 1).stderr_has(
        "warning: failed to read the baseline of the base, so no change counts as approved: baseline.toml:",
    );
    project.is_clean();
}

#[test]
fn what_is_no_commit_ends_with_2() {
    // Nothing is built.
    let project = Project::recorded("compare-unknown", "box: 1 x\n", BOXES);
    let project = project.committed();
    let ran = project.run("compare nosuch", 2);
    ran.stderr_has("error: `nosuch` is not a commit in this repository\n");
    project.run("compare --gate", 2);
    fs::remove_dir_all(project.path(".git")).expect("it is there");
    let ran = project.run_with(&[("LC_ALL", "C")], "compare main", 2);
    ran.stderr_has("/project is not in a git repository");
}

#[test]
fn a_base_that_does_not_build_or_run_is_an_error() {
    let project = Project::repository("compare-unusable", BASE, "");
    let manifest = project.read("Cargo.toml");
    project.add_to_manifest("path = \"gates.toml\"\n");
    project.commit("Break the build");
    project.write("Cargo.toml", &manifest);
    project.commit_scenarios("Panic", "box: panic");
    project.commit_scenarios("Measure nothing", "");
    project.scenarios("counts", BASE);
    let before = project.state();
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
        let ran = project
            .run(&format!("compare {reference}"), code)
            .stdout("");
        ran.stderr_has(words);
        assert_eq!(project.state(), before);
        project.is_clean();
    }
}

#[test]
fn a_bench_that_the_base_does_not_have_is_judged_by_its_limits_alone() {
    let project = Project::repository("compare-new-bench", BASE, GATE);
    project.add_to_manifest("path = \"benches/counts.rs\"\n");
    let files = ["Cargo.toml", "gates.toml"].map(|file| (file, project.read(file)));
    for (name, before, removed) in [
        ("\"counts\"", "\"other\"", "committed/other"),
        ("\"committed\"", "\"earlier\"", "earlier/counts"),
    ] {
        for (file, text) in &files {
            project.write(file, &text.replace(name, before));
        }
        project.commit("Have another name");
        for (file, text) in &files {
            project.write(file, text);
        }
        let ran = project.run("compare main --gate", 0);
        ran.stdout_has(&format!(
            "\nnew: `box`, `old`, `two`\nremoved benches: `{removed}`\nno scenario is on both \
             sides\n"
        ));
        ran.verdict("passed: 1 gate checked, 3 scenarios measured");
    }
    project.write("gates.toml", &format!("{}{BOXES}", files[1].1));
    let failed = project.run("compare main --gate", 1);
    failed.stdout_has("       allocs  2  <= 1 [boxes]\n");

    project.commit_without_manifest();
    let ran = project.run("compare main", 102);
    ran.stderr_has("): there is no Cargo.toml\n");
    project.is_clean();
}

#[test]
#[cfg(unix)]
fn the_next_run_removes_what_a_killed_run_left_even_after_cargo_clean() {
    let project = Project::repository("compare-killed", BASE, "");
    let manifest = project.read("Cargo.toml");
    // Nothing is built: the base has no manifest.
    project.commit_without_manifest();
    project.write("Cargo.toml", &manifest);
    let git = project.beside().join("git");
    let kill = "case \"$*\" in *worktree*add*) /usr/bin/env git \"$@\"; kill -s KILL $PPID ;; esac";
    let real = format!("PATH=${{PATH#*:}}\n{kill}\nexec git \"$@\"");
    crate::stand_in::program(&git, &real);
    let path = path_with(project.beside());
    let target = tempfile::tempdir().expect("a temporary folder can be made");
    let mut killed = project.command();
    killed.args(["compare", "HEAD"]).env("PATH", path);
    killed.env("CARGO_TARGET_DIR", target.path());
    let killed = killed.output().expect("the program starts");
    assert_eq!(killed.status.code(), None);
    let worktrees = project.git(&["worktree", "list", "--porcelain"]);
    let mut left = worktrees
        .lines()
        .filter_map(|line| line.strip_prefix("worktree "));
    let left = left.next_back().expect("there is a worktree");
    assert!(left.contains("/.alloc-gate-compare-"), "{worktrees}");
    project.git(&["worktree", "lock", left]);
    fs::remove_dir_all(target.path()).expect("it is there");

    let ran = project.run_with(&[("CARGO_TARGET_DIR", target.path())], "compare HEAD", 102);
    ran.stderr_has(&format!("    Removing {left}, left by an earlier run\n"));
    fs::remove_file(git).expect("it is there");
    project.is_clean();
}

#[test]
fn two_comparisons_take_turns() {
    let project = Project::repository("compare-turns", BASE, "");
    let target = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = target.path().join("alloc-gate/compare");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let lock = File::create(folder.join("lock")).expect("the file can be made");
    lock.lock().expect("nobody else has it");
    // Nothing is built: the base has no manifest.
    project.commit_without_manifest();
    let mut child = project
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
    assert_eq!(project.git(&["worktree", "list"]).lines().count(), 1);
    drop(lock);
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(102), "{rest:#?}");
    project.is_clean();
}

#[test]
fn a_workspace_below_the_root_of_the_repository_is_found_there() {
    let project = Project::repository("compare-below", BASE, "");
    let files = [
        "Cargo.toml",
        "Cargo.lock",
        "gates.toml",
        "counts.scenarios",
        "benches",
    ];
    for file in files {
        let to = format!("inner/{file}");
        fs::create_dir_all(project.path("inner")).expect("the folder can be made");
        project.git(&["mv", file, &to]);
    }
    project.commit("Move it below");
    // A git hook sets these variables.
    let hook = [("GIT_DIR", ".git"), ("GIT_INDEX_FILE", ".git/index")];
    let line = "compare main --manifest-path inner/Cargo.toml";
    let ran = project.run_with(&hook, line, 0);
    ran.verdict(
        "compared 3 scenarios: 0 changed, 3 unchanged (without --gate, no gates are checked)",
    );
    let ran = project.run("compare main~1 --manifest-path inner/Cargo.toml", 102);
    ran.stderr_has("): there is no inner/Cargo.toml\n");
    project.is_clean();
}
