//! Recorded results: `run` writes them, `check --results` judges them, and refuses
//! what is not whole.

use snapbox::str;

use crate::project::{BOXES, Project};
use crate::repository::Repository;

const BODY: &str = "one: 8\ntwo: 4\n";

#[test]
fn what_run_recorded_is_judged_like_what_check_measures() {
    let project = Project::with("record", BODY, BOXES);
    project
        .run("run", 0)
        .stdout(str![[r#"
demo/counts  2 scenarios
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| one      |   100 |      1.00 |        8 |        1.00 |
| two      |   100 |      1.00 |        4 |        1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]])
        .after_measuring(str![[r#"
    Recorded [TARGET]/alloc-gate/demo.counts.jsonl
alloc-gate: measured 2 scenarios (`run` checks no gates)

"#]]);
    let file = project.results("counts");
    let judged = project.run_on(&file, "check", 0);
    let judged = judged.only_line("passed: 1 gate checked, 2 scenarios measured");
    let checked = project.run("check", 0).stdout(str![[r#"
demo/counts  2 scenarios  1 gate  ok
| scenario | iters | allocs/op |
|----------|-------|-----------|
| one      |   100 |      1.00 |
| two      |   100 |      1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]]);
    assert_eq!(judged.stdout_text(), checked.stdout_text());
}

#[test]
fn one_recording_serves_check_accept_and_list() {
    let gate = BOXES.replace("\"*\"", "\"one\", \"two\"");
    let gates = format!("\n[baseline]\ndata = \"accepted.toml\"\n{gate}");
    let scenarios = format!("{BODY}use unavailable\n");
    let project = Project::with("record-once", &scenarios, &gates);
    project.run("run", 0);
    // Nothing is measured again: the bench would not even build.
    project.add_to_manifest("required-features = [\"absent\"]\n");
    let file = project.results("counts");
    let run = |line: &str, code: i32| project.run_on(&file, line, code);
    run("check", 0);
    run("accept --check", 1);
    run("accept", 0).stderr(str![[r#"
       Wrote accepted.toml
note: no gate compares with the baseline yet, as this one in gates.toml would:

[[gate]]
name = "no-worse"
scenarios = ["*"]
allocs = "<= baseline"
bytes = "<= baseline"

alloc-gate: accepted: 3 changes; review the diff and commit it

"#]]);
    run("accept --check", 0)
        .stdout("")
        .only_line("passed: the committed baseline is up to date");
    run("list", 0)
        .stdout(str![[r#"
demo/counts
  one: boxes
  two: boxes
  pair/subject=tbb,size=8: (ungated)
  pair/subject=tbb,size=64: (ungated)
  resident: (ungated)
  other: (ungated)
not measured here: pair/subject=tbb,size=8 and 2 more (libtbb.so is not installed)
not measured here: resident (the system says nothing)

"#]])
        .only_line("listed 6 scenarios, 4 of them ungated");
    run("list --scenarios one", 0).stdout("demo/counts\n  one: boxes\n");
    project.write("cut.jsonl", "");
    project.run("list --results cut.jsonl", 104).stdout("");
}

#[test]
fn run_needs_no_gates() {
    let project = Project::new("record-only", &[("counts", BODY)]);
    project.add_to_manifest("\n[package.metadata.alloc-gate]\nbenches = [\"counts\"]\n");
    let ran = project.run("run", 0);
    ran.verdict("measured 2 scenarios (`run` checks no gates)");
}

#[test]
fn a_failed_run_leaves_no_older_results_to_be_judged() {
    let body = format!("{BODY}use exit on request\n");
    let project = Project::with("record-old", &body, BOXES);
    project.run("run", 0);
    let file = project.results("counts");
    project.run_on(&file, "", 0);
    project.write("crash", "");
    project.run("run", 104);
    project.run_on(&file, "", 104);
    // Nor does one that does not build.
    std::fs::remove_file(project.path("crash")).expect("the file is there");
    for command in ["run", "run --scenarios one"] {
        project.run("run", 0);
        let manifest = project.read("Cargo.toml");
        project.add_to_manifest("required-features = [\"absent\"]\n");
        project.run(command, 101);
        assert!(!std::path::Path::new(&file).exists(), "{command}");
        project.write("Cargo.toml", &manifest);
    }
    // A list is no run.
    project.run("run", 0);
    project.run("list", 0);
    project.run_on(&file, "", 0);
}

#[test]
fn variables_of_the_caller_change_no_measurement() {
    let project = Project::with("record-env", BODY, BOXES);
    let rules = project.read("gates.toml");
    let defaults = rules.replace("warmup = 10\niterations = 100\n", "");
    for (rules, iterations) in [(&rules, "100"), (&defaults, "10,000")] {
        project.write("gates.toml", rules);
        let mut program = project.command();
        program
            .env("ALLOC_GATE_ITERATIONS", "5")
            .env("ALLOC_GATE_BENCH_RESULTS", project.path("elsewhere"))
            .env("ALLOC_GATE_BENCH_TARGET", "another")
            .env("ALLOC_GATE_COMMIT", "another")
            .env("ALLOC_GATE_OPT_LEVEL", "9");
        let ran = project.finish(program).code(0);
        let row = format!("| {iterations:>5} |      1.00 |\n");
        ran.stdout_has(&row);
        assert!(!project.path("elsewhere").exists());
        let results = std::fs::read_to_string(project.results("counts"));
        let results = results.expect("the results are there");
        assert!(
            results.contains("\"commit\":null,\"dirty\":null"),
            "{results}"
        );
        assert!(results.contains("\"opt-level\":\"0\""), "{results}");
    }
}

#[test]
fn files_without_results_are_refused() {
    let project = Project::with("record-foreign", BODY, BOXES);
    project.write("notes.txt", "hello\n");
    project.run("--results notes.txt", 104).not_judged(str![[r#"
error: notes.txt:1: not a result line of alloc-gate (expected value at line 1 column 1); give the files that a bench wrote under ALLOC_GATE_BENCH_RESULTS
  help: the file was not used; measure again with `cargo alloc-gate run`

"#]]);
}

#[test]
fn missing_result_files_are_an_error() {
    let project = Project::with("record-absent", BODY, BOXES);
    let ran = project.run("--results absent.jsonl", 104);
    ran.not_judged(str![[r#"
error: failed to read results from absent.jsonl: [..] (os error [..])
  help: `cargo alloc-gate run` records results, and prints the paths

"#]]);
}

#[test]
fn results_of_a_run_with_a_filter_are_refused() {
    let project = Project::with("record-filter", BODY, BOXES);
    let folder = project.path("results");
    cargo_bench(&project, &folder, &["two"]);
    let file = only_file(&folder);
    project.run_on(&file, "", 104).not_judged(str![[r#"
error: the results are incomplete: no run measured the scenario `one` of demo/counts
  help: measure it as well, and pass all results; those of one bench must be of the same sources and compiler

"#]]);
}

#[test]
fn results_with_a_scenario_that_panicked_are_refused() {
    let project = Project::with("record-panic", "use panic with commands", BOXES);
    let folder = project.path("results");
    cargo_bench(&project, &folder, &[]);
    let file = only_file(&folder);
    project.run_on(&file, "", 104).not_judged(str![[r#"
error: the results have a scenario that was not measured: `panics` (src/sets.rs:12)
  | panicked: first
  | ::error::second
  | ::error::third (at src/sets.rs:13:17)
  help: fix it, and measure again

"#]]);
}

/// A committed project with recorded results, and their file.
fn recorded_in_repository(name: &str) -> (Repository, String) {
    let repository = Repository::from_project(Project::with(name, BODY, BOXES));
    repository.run("run", 0);
    let file = repository.project.results("counts");
    (repository, file)
}

#[test]
fn results_of_another_commit_are_refused_unless_asked_for() {
    let (repository, file) = recorded_in_repository("record-stale");
    let run = |line: &str, code| repository.project.run_on(&file, line, code);
    run("check", 0).only_line("passed: 1 gate checked, 2 scenarios measured");
    let first = repository.git(&["rev-parse", "HEAD"]);
    let origin = &run("check --format json", 0).json()["environments"][0];
    assert_eq!(origin["commit"], first.trim());
    assert_eq!(origin["dirty"], false);
    assert_eq!(origin["opt-level"], "0");
    assert!(origin["unix-time"].is_u64(), "{origin}");
    let second = repository.commit("Go on");
    let refused = format!(
        "error: the results of demo/counts are from commit {}, but HEAD is {}\n  help: \
         measure again with `cargo alloc-gate run`, or pass --allow-stale\n",
        &first[..10],
        &second[..10]
    );
    for command in ["check", "list"] {
        run(command, 104).not_judged(refused.as_str());
        run(&format!("{command} --allow-stale"), 0);
    }
    run("check --allow-stale", 0).only_line("passed: 1 gate checked, 2 scenarios measured");
    repository.run("run", 0);
    run("check", 0);
}

#[test]
fn results_of_a_dirty_tree_are_a_warning() {
    let (repository, file) = recorded_in_repository("record-dirty");
    repository.project.write("untracked.rs", "");
    repository.run("run", 0);
    let ran = repository.project.run_on(&file, "check", 0);
    ran.stderr(str![[r#"
warning: the results of demo/counts were measured with uncommitted changes
  help: commit the changes, and measure again
alloc-gate: passed: 1 gate checked, 2 scenarios measured

"#]]);
}

#[test]
#[cfg(unix)]
fn a_commit_during_the_build_is_not_the_commit_of_the_results() {
    let (repository, file) = recorded_in_repository("record-meanwhile");
    let before = repository.git(&["rev-parse", "HEAD"]);
    let cargo = repository.temporary().join("cargo");
    let commit = "git -c user.name=A -c user.email=a@example.org commit --quiet --allow-empty -m x";
    let script = format!(
        "#!/bin/sh\ncase \"$1\" in bench) {commit} ;; esac\nexec {} \"$@\"\n",
        env!("CARGO")
    );
    std::fs::write(&cargo, script).expect("it can be written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&cargo, mode).expect("it is ours");
    let mut command = repository.command();
    command.arg("run").env("CARGO", cargo);
    let ran = repository.project.finish(command).code(0);
    ran.stderr_has("\nwarning: the working tree changed while the benches were built\n");
    let recorded = format!("\"commit\":\"{}\",\"dirty\":true,", before.trim());
    let text = std::fs::read_to_string(&file).expect("the results are there");
    assert!(text.contains(&recorded), "{text}");
}

#[test]
fn an_error_of_git_is_said_with_its_own_advice() {
    let (repository, _) = recorded_in_repository("record-owner");
    let mut command = repository.command();
    command.args(["run", "--format", "json"]);
    command.env("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    let ran = repository.project.finish(command).code(0);
    ran.stderr_has(
        "warning: the commit is not known: git rev-parse failed: fatal: detected dubious",
    );
    ran.stderr_has("\tgit config --global --add safe.directory ");
    assert!(ran.json()["environments"][0]["commit"].is_null());
}

#[test]
fn results_of_a_clean_tree_that_was_edited_since_are_a_warning() {
    let (repository, file) = recorded_in_repository("record-edited");
    let project = &repository.project;
    let passed = "passed: 1 gate checked, 2 scenarios measured";
    // Neither the rules nor files that nobody committed are sources of the results.
    project.write(
        "gates.toml",
        &project.read("gates.toml").replace("boxes", "one box"),
    );
    project.write("report.md", "");
    project.run_on(&file, "check", 0).only_line(passed);
    project.add_to_manifest("# edited\n");
    project.run_on(&file, "check", 0).stderr(str![[r#"
warning: the results were measured without uncommitted changes, but Cargo.toml was edited since
  help: measure again with `cargo alloc-gate run`
alloc-gate: passed: 1 gate checked, 2 scenarios measured

"#]]);
    project.scenarios("counts", "one: 8\n");
    let ran = project.run_on(&file, "list", 0);
    ran.stderr_has("but Cargo.toml and 1 other file were edited since\n");
}

#[test]
fn results_of_a_quick_run_are_a_warning() {
    let project = Project::with("record-quick", BODY, BOXES);
    project.run("run --quick", 0);
    let file = project.results("counts");
    project.run_on(&file, "check", 0).stderr(str![[r#"
warning: the results of demo/counts are from a quick run with fewer iterations
  help: measure again without --quick
alloc-gate: passed: 1 gate checked, 2 scenarios measured

"#]]);
}

#[test]
fn results_without_a_commit_or_of_another_profile_are_a_warning() {
    let (repository, file) = recorded_in_repository("record-older");
    let text = std::fs::read_to_string(&file).expect("the results are there");
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let commit = format!("\"commit\":\"{}\",\"dirty\":false,", commit.trim());
    let older = text.replace(&commit, "");
    assert_ne!(older, text);
    let older = older.replace("\"profile\":\"bench\"", "\"profile\":\"dev\"");
    std::fs::write(&file, older).expect("the file can be written");
    let ran = repository.project.run_on(&file, "check", 0);
    ran.stderr_has("the results of demo/counts don't say from which commit they are\n");
    ran.stderr_has("were measured with the profile `dev`, not `bench`\n");
}

#[test]
fn results_of_a_commit_are_a_warning_without_a_repository() {
    let (repository, file) = recorded_in_repository("record-moved");
    std::fs::remove_dir_all(repository.project.path(".git")).expect("it is there");
    let ran = repository.project.run_on(&file, "check", 0);
    ran.stderr_has(", but git finds no commit here\n  help: check them in a git checkout");
}

#[test]
fn a_bench_without_results_fails_the_check() {
    let project = Project::with_two("record-part", BODY, "other: 8", BOXES);
    project.run("run", 0);
    let file = project.results("counts");
    let ran = project.run_on(&file, "check", 1);
    ran.stdout(str![[r#"
demo/counts  2 scenarios  1 gate
| scenario | iters | allocs/op |
|----------|-------|-----------|
| one      |   100 |      1.00 |
| two      |   100 |      1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

error[unrecorded-bench]: the results have none of `demo/other`, so nothing of it was checked
  help: add the file that `cargo alloc-gate run` recorded for it, or select the other benches with --package and --bench

"#]])
        .only_line("FAILED: 1 gate checked (1 error), 2 scenarios measured");
    // A part is enough if it is asked for.
    let ran = project.run_on(&file, "check --bench counts", 0);
    ran.only_line("passed: 1 gate checked, 2 scenarios measured");
    let both = ["check", "--results", &file, &project.results("other")];
    let ran = project.run_args(&both, 0);
    ran.only_line("passed: 1 gate checked, 3 scenarios measured");
    let part = project.run_args(&[&both[..], &["--bench", "counts"]].concat(), 104);
    part.not_judged(str![[r#"
error: the results include a bench that --package and --bench do not select: demo/other
  help: select it, or leave out its file

"#]]);
}

#[test]
fn results_of_a_bench_that_nothing_names_are_refused() {
    let project = Project::with_two("record-unnamed", BODY, "other: 8", BOXES);
    project.run("run", 0);
    project.gates(&["other"], BOXES);
    let ran = project.run_on(&project.results("counts"), "check", 104);
    ran.not_judged(str![[r#"
error: the results include a bench that gates.toml does not name: demo/counts
  help: add a `[[bench]]` to gates.toml, or leave out its file

"#]]);
}

/// Measures as a person does without the gate.
fn cargo_bench(project: &Project, folder: &std::path::Path, filter: &[&str]) {
    let mut cargo = project.command_in(env!("CARGO"), "");
    cargo
        .args(["bench", "--bench", "counts", "--"])
        .args(filter)
        .env("ALLOC_GATE_BENCH_RESULTS", folder)
        .env("ALLOC_GATE_ITERATIONS", "100");
    cargo.output().expect("cargo starts");
}

fn only_file(folder: &std::path::Path) -> String {
    let mut entries = std::fs::read_dir(folder).expect("there are results");
    let entry = entries.next().expect("there is a file");
    let path = entry.expect("the folder can be read").path();
    path.to_str().expect("the path is UTF-8").to_owned()
}
