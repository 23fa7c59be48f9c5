//! The commands in hints: each is pasted into a shell in the same project, and does what the
//! hint says.

use std::env;
use std::fs;
use std::path::Path;

use crate::baselines;
use crate::program::{PROGRAM, Ran, command};
use crate::project::{BOXES, Project};
use crate::repository::Repository;

/// The commands between backticks in what a run printed, each once.
fn commands(ran: &Ran) -> Vec<String> {
    let text = ran.stdout_text() + &ran.stderr_text();
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        for code in line.split('`').skip(1).step_by(2) {
            let first = code.split(' ').find(|word| !word.contains('='));
            let is_command = matches!(first, Some("cargo" | "git"));
            if is_command && !found.iter().any(|other| other == code) {
                found.push(code.to_owned());
            }
        }
    }
    found
}

/// Runs a command in a folder, as a person would who has the program installed.
fn paste(project: &Project, folder: &Path, line: &str) -> Ran {
    let mut shell = command("sh", folder);
    let program = Path::new(PROGRAM).parent().expect("it is in a folder");
    let present = env::var_os("PATH").unwrap_or_default();
    let folders = [program.to_path_buf()];
    let folders = folders.into_iter().chain(env::split_paths(&present));
    let path = env::join_paths(folders).expect("no folder has a separator in its name");
    shell
        .args(["-c", line])
        .env("PATH", path)
        .env("CARGO_TARGET_DIR", project.target());
    Ran::new(shell, project.root(), project.target())
}

/// Asserts that a run printed these commands, and that each ends with the code beside it when
/// it is pasted. Returns what they printed.
#[track_caller]
fn pasted(project: &Project, ran: &Ran, expected: &[(&str, i32)]) -> Vec<Ran> {
    let found = commands(ran);
    let lines: Vec<&str> = expected.iter().map(|(line, _)| *line).collect();
    assert_eq!(found, lines);
    let ran = expected
        .iter()
        .map(|(line, code)| paste(project, project.root(), line).code(*code));
    ran.collect()
}

#[test]
fn a_workspace_without_rules_gets_them_by_init() {
    let project = Project::new("hint-init", &[("counts", "one box: 8")]);
    let ran = project.run("", 96);
    pasted(&project, &ran, &[("cargo alloc-gate init", 0)]);
    assert!(project.path("gates.toml").exists());
}

#[test]
fn a_failed_build_is_repeated() {
    let source =
        "#[cfg(feature = \"broken\")]\ncompile_error!(\"broken as asked\");\nfn main() {}\n";
    let project = Project::own("hint-build", &[("counts", source), ("other", source)]);
    // Without the harness, which would be built for this profile.
    let manifest = project.read("Cargo.toml");
    let without = manifest
        .lines()
        .filter(|line| !line.starts_with("alloc-scenario"));
    project.write(
        "Cargo.toml",
        &without.map(|line| format!("{line}\n")).collect::<String>(),
    );
    project.add_to_manifest("\n[features]\nbroken = []\n\n[profile.slow]\ninherits = \"dev\"\n");
    project.gates(&["counts"], &format!("features = [\"broken\"]\n{BOXES}"));
    let ran = project.run("run --cargo-profile slow --offline", 101);
    let [again] = &pasted(
        &project,
        &ran,
        &[(
            "cargo bench --offline --no-run --package hint-build --bench counts --features \
             hint-build/broken --profile slow",
            101,
        )],
    )[..] else {
        panic!("one command")
    };
    again.stderr_has("broken as asked");
    assert!(!again.stderr_text().contains("\"other\""));
}

#[test]
fn a_crashed_bench_is_run_by_itself() {
    let project = Project::with("hint-crash", "first: 8\naborts: exit 3", BOXES);
    project.gates(&["counts"], "env = { SHAPE = \"$a\" }\n");
    let ran = project.run("run", 104);
    let line = "SHAPE='$a' cargo bench --package demo --bench counts";
    pasted(&project, &ran, &[(line, 3)]);
    // From another folder.
    let manifest = project.path("Cargo.toml");
    let outside = tempfile::tempdir().expect("a temporary folder can be made");
    let options = format!("--manifest-path {}", manifest.display());
    let run = format!("cargo alloc-gate run {options}");
    let ran = paste(&project, outside.path(), &run).code(104);
    let line = format!("SHAPE='$a' cargo bench {options} --package demo --bench counts");
    assert_eq!(commands(&ran), [line.as_str()]);
    paste(&project, outside.path(), &line).code(3);
}

#[test]
fn scenarios_are_listed() {
    let project = Project::with("hint-list", "one box: 8", BOXES);
    let list = ("cargo alloc-gate list", 0);
    let ran = project.run("--scenarios nosuch", 4);
    let [listed] = &pasted(&project, &ran, &[list])[..] else {
        panic!("one command")
    };
    listed.stdout_has("one box");
    project.gates(&["counts"], &BOXES.replace("[\"*\"]", "[\"nosuch\"]"));
    let ran = project.run("", 1);
    pasted(&project, &ran, &[list]);
    // The same rules elsewhere.
    let rules = project.read("gates.toml");
    project.write("my rules.toml", &rules);
    project.write("gates.toml", "broken");
    let ran = project.run_args(&["--config-file", "my rules.toml"], 1);
    let line = "cargo alloc-gate list --config-file 'my rules.toml'";
    pasted(&project, &ran, &[(line, 0)]);
}

#[test]
fn an_xtask_names_itself() {
    let project = Project::with("hint-xtask", "one box: 8", BOXES);
    let xtask = project.path("xtask");
    fs::copy(PROGRAM, &xtask).expect("the program can be copied");
    let mut program = command(xtask.to_str().expect("the path is UTF-8"), project.root());
    program
        .args(["--scenarios", "nosuch"])
        .env("CARGO_TARGET_DIR", project.target());
    let ran = project.finish(program).code(4);
    assert_eq!(commands(&ran), ["cargo xtask alloc-gate list"]);
}

#[test]
fn a_baseline_that_is_missing_or_out_of_date_is_accepted() {
    let project = Project::with("hint-accept", baselines::BODY, baselines::RULES);
    let accept = ("cargo alloc-gate accept", 0);
    let ran = project.run("", 1);
    pasted(&project, &ran, &[accept]);
    project.run("", 0);

    project.scenarios("counts", "one box: 8 8\nthree buffers: 100 20 3 4\n");
    let ran = project.run_args(
        &["accept", "--check", "--scenarios", "one*", "-p", "demo"],
        1,
    );
    let line = "cargo alloc-gate accept --scenarios 'one*' -p demo";
    pasted(&project, &ran, &[(line, 0)]);
    project.has(baselines::DATA, "\nallocs = 2\n");
    project.has(baselines::DATA, "\nallocs = 3\n");

    let ran = project.run("", 1);
    pasted(&project, &ran, &[accept]);
    project.run("", 0);
}

#[test]
fn results_are_recorded() {
    let project = Project::with("hint-results", "one box: 8\ntwo: 8\nthree: 8", BOXES);
    project.write("empty/notes.txt", "");
    let ran = project.run("check --results empty", 104);
    pasted(&project, &ran, &[("cargo alloc-gate run --output DIR", 0)]);
    project.run("check --results DIR", 0);
    let ran = project.run("check --results nosuch.jsonl", 104);
    pasted(&project, &ran, &[("cargo alloc-gate run", 0)]);
}

#[test]
fn commits_are_found() {
    let repository = Repository::new("hint-commits", "rows: 1\n", "");
    repository.commit("Change nothing");
    let project = &repository.project;
    let ran = project.run("compare nosuch", 2);
    let commands = [("git log --all --oneline", 0), ("git fetch --tags", 0)];
    pasted(project, &ran, &commands)[0].stdout_has("Change nothing");
}

#[test]
fn results_of_another_commit_are_measured_again() {
    let repository = Repository::new("hint-stale", "one box: 8\n", BOXES);
    let project = &repository.project;
    project.run("run --output results", 0);
    repository.commit("Change nothing");
    let ran = project.run("check --results results", 104);
    pasted(project, &ran, &[("cargo alloc-gate run", 0)]);
    project.run_on(&project.results("counts"), "check", 0);
}

#[test]
fn a_page_without_an_end_is_written_anew() {
    let project = Project::with("hint-page", baselines::BODY, baselines::RULES);
    project.run("accept", 0);
    project.write(baselines::PAGE, "<!-- alloc-gate: begin baseline -->\n");
    let ran = project.run("accept", 96);
    fs::remove_file(project.path(baselines::PAGE)).expect("the page can be deleted");
    pasted(&project, &ran, &[("cargo alloc-gate accept", 0)]);
    assert!(project.path(baselines::PAGE).exists());
}
