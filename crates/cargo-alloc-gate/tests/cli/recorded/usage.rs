//! The command line: codes 0, 2 and 102, and the call through cargo.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use snapbox::str;

use crate::program::{PROGRAM, Ran, command};
use crate::project::{BOXES, Project};

const BODY: &str = "one box: 8";

/// Runs the program outside of any workspace.
#[track_caller]
pub(crate) fn run_outside(line: &str, code: i32) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path();
    // Cargo prints the real path, but not with the prefix that Windows gives it.
    let real = path.canonicalize().expect("the folder is there");
    let root = if cfg!(windows) { path } else { &real };
    let mut command = command(PROGRAM, root);
    command.args(line.split_whitespace());
    Ran::new(command, root, root).code(code)
}

#[cfg(unix)]
#[test]
fn a_silent_cargo_is_quoted_by_its_exit_status() {
    let project = Project::with("silent-cargo", "one: 8", BOXES);
    let mut program = project.command();
    program.env("CARGO", "false").arg("list");
    let ran = project.finish(program).code(102);
    ran.not_judged(str![[r#"
error: failed to read the workspace: false printed nothing and failed with exit status: 1
  help: run this inside a cargo workspace, or pass --manifest-path

"#]]);
}

#[test]
fn an_unknown_option_ends_with_2_and_the_usage() {
    run_outside("--iterations 5", 2).not_judged(str![[r#"
error: unexpected argument '--iterations' found

  tip: a similar argument exists: '--target'

Usage: cargo alloc-gate --target <TRIPLE>

For more information, try '--help'.

"#]]);
}

#[test]
fn an_option_before_another_command_ends_with_2() {
    run_outside("--scenarios words accept", 2).not_judged(str![[r#"
error: the option '--scenarios' must stand after the command 'accept', not before it

Usage: cargo alloc-gate [OPTIONS] [COMMAND]

For more information, try '--help'.

"#]]);
}

#[test]
fn variables_stand_for_options_and_empty_ones_for_nothing() {
    let project = Project::with("variables", BODY, BOXES);
    let rules = project.read("gates.toml");
    project.write("rules.toml", &rules.replace("<= 1", "<= 0"));
    let mut program = project.command();
    program.args(["-q", "check"]).envs([
        ("ALLOC_GATE_CONFIG_FILE", "rules.toml"),
        ("ALLOC_GATE_FORMAT", "json"),
        ("ALLOC_GATE_REPORT", "report.md"),
        ("ALLOC_GATE_BASE", ""),
    ]);
    let ran = project.finish(program).code(1);
    ran.stdout_has("\"program\": \"alloc-gate\"");
    assert!(project.read("report.md").contains("rules.toml"));
}

#[test]
fn the_variables_of_a_bench_are_no_options_of_a_gate_that_it_starts() {
    let project = Project::with("started-by-a-bench", BODY, BOXES);
    let mut program = project.command();
    // As `cargo alloc-gate --quick` sets them for a bench.
    program.args(["run", "--output", "results"]).envs([
        ("ALLOC_GATE_BENCH_RESULTS", "elsewhere"),
        ("ALLOC_GATE_QUICK", "1"),
        ("ALLOC_GATE_SITES", "1"),
    ]);
    let ran = project.finish(program).code(0);
    ran.verdict("measured 1 scenario (`run` checks no gates)");
    let results = fs::read_dir(project.path("results")).expect("it was made");
    let read = |entry: io::Result<fs::DirEntry>| fs::read_to_string(entry?.path());
    let results: io::Result<Vec<_>> = results.map(read).collect();
    let results = results.expect("they can be read").concat();
    assert!(results.contains("\"record\":\"scenario\""), "{results}");
    assert!(!results.contains("\"executable\""), "{results}");
    assert!(
        !ran.stdout_text().contains("quick"),
        "{}",
        ran.stdout_text()
    );
}

#[cfg(target_os = "linux")]
#[test]
fn the_room_of_the_stack_is_its_own() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut command = command("bash", folder.path());
    command.args(["-c", "ulimit -s 64; exec \"$0\" help check", PROGRAM]);
    let ran = Ran::new(command, folder.path(), folder.path()).code(0);
    ran.stdout_has("Usage: cargo alloc-gate check");
}

#[test]
fn two_reports_in_one_file_end_with_2() {
    for command in ["", "check", "compare main"] {
        let ran = run_outside(&format!("{command} --report json=a --report markdown=a"), 2);
        ran.stderr_begins("error: two reports have the same file: `a`\n");
    }
}

#[test]
fn a_report_without_a_format_ends_with_2_and_an_example() {
    run_outside("--report gates.txt", 2).not_judged(str![[r#"
error: invalid value 'gates.txt' for '--report <FORMAT=FILE>': expected FORMAT=FILE, such as markdown=gates.md

For more information, try '--help'.

"#]]);
}

#[test]
fn the_version_ends_with_0() {
    let expected = concat!("cargo alloc-gate ", env!("CARGO_PKG_VERSION"), "\n");
    run_outside("--version", 0).stdout(expected).stderr("");
}

#[test]
fn a_folder_without_cargo_toml_ends_with_102() {
    run_outside("", 102).not_judged(str![[r#"
error: failed to read the workspace: error: could not find `Cargo.toml` in `[ROOT]` or any parent directory
  help: run this inside a cargo workspace, or pass --manifest-path

"#]]);
}

#[test]
fn a_manifest_that_is_not_there_ends_with_102() {
    let ran = run_outside("--manifest-path nosuch/Cargo.toml", 102);
    ran.not_judged(str![[r#"
error: failed to read the workspace: error: manifest path `nosuch/Cargo.toml` does not exist
  help: run this inside a cargo workspace, or pass --manifest-path

"#]]);
}

#[test]
fn a_manifest_that_cargo_refuses_ends_with_102_and_cargos_words() {
    let project = Project::with("no-manifest", BODY, BOXES);
    project.write("Cargo.toml", "[package]\nname = 7\n");
    project.run("run", 102).not_judged(str![[r#"
error: failed to read the workspace: error: [..]
 --> Cargo.toml:2:8
...
  help: run this inside a cargo workspace, or pass --manifest-path

"#]]);
}

#[test]
fn cargo_calls_the_program_as_its_subcommand_with_the_same_outcome() {
    let failing = BOXES.replace("<= 1", "<= 0");
    let project = Project::with("subcommand", BODY, &failing);
    let direct = project.run("--manifest-path Cargo.toml --explain never", 1);

    let mut cargo = project.command_in(env!("CARGO"), "");
    cargo
        .env("PATH", path_with(PROGRAM))
        .args(["alloc-gate", "--manifest-path", "Cargo.toml"])
        .args(["--explain", "never"]);
    let called = project.finish(cargo).code(1);
    assert_eq!(called.stdout_text(), direct.stdout_text());
    assert_eq!(called.stderr_text(), direct.stderr_text());
}

#[test]
fn the_workspace_is_found_from_below_its_root() {
    let project = Project::with("below", BODY, BOXES);
    let mut program = project.command_in(PROGRAM, "src");
    program.arg("--quiet");
    let ran = project.finish(program).code(0);
    ran.stdout(str![""])
        .only_line("passed: 1 gate checked, 1 scenario measured");
}

/// The search path with the program's folder first.
fn path_with(program: &str) -> std::ffi::OsString {
    let folder = Path::new(program).parent().map(Path::to_path_buf);
    let present = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = folder
        .into_iter()
        .chain(env::split_paths(&present))
        .collect();
    env::join_paths(folders).expect("no folder has a separator in its name")
}
