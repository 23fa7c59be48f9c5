//! The command line: codes 0, 2 and 102, and the call through cargo.

use std::env;
use std::path::{Path, PathBuf};

use snapbox::str;

use crate::program::{PROGRAM, Ran, command};
use crate::project::{BOXES, Project};

const BODY: &str = "one box: 8";

/// Runs the program outside of any workspace.
#[track_caller]
fn run_outside(line: &str, code: i32) -> Ran {
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
error: failed to read the workspace: false said nothing and ended with exit status: 1
  help: run this inside a cargo workspace, or pass --manifest-path

"#]]);
}

#[test]
fn an_unknown_option_ends_with_2_and_the_usage() {
    run_outside("--iterations 5", 2).not_judged(str![[r#"
error: unexpected argument '--iterations' found

  tip: a similar argument exists: '--partition'

Usage: cargo alloc-gate --partition <PART>

For more information, try '--help'.

"#]]);
}

#[test]
fn options_stand_before_or_after_the_command() {
    let project = Project::with("before-command", "one box: 8\ntwo boxes: 8 8", BOXES);
    for (before, after) in [
        ("-q list", "list -q"),
        (
            "-p demo --scenarios=one* --locked list -q",
            "list -q --locked --scenarios=one* -p demo",
        ),
        (
            "--gate compare no-such-commit",
            "compare no-such-commit --gate",
        ),
        ("--metric list", "list --metric"),
    ] {
        let [before, after] = [before, after].map(|line| {
            let mut program = project.command();
            program.args(line.split(' '));
            program.output().expect("the program can be started")
        });
        assert_eq!(before, after);
    }
    let ran = project.run("--scenarios=one* -q list", 0);
    ran.stdout("demo/counts\n  one box: boxes\n");
    // An option with several values takes the command for one of them.
    let ran = project.run("--scenarios one* list", 0);
    ran.verdict("passed: 1 gate checked, 1 of 2 scenarios measured");
}

#[test]
fn variables_stand_for_options() {
    let project = Project::with("variables", BODY, BOXES);
    let run = |(name, value): (&str, &str), line: &str, code: i32| {
        let mut program = project.command();
        program.env(name, value).args(line.split_whitespace());
        project.finish(program).code(code)
    };
    let stricter = project.read("gates.toml").replace("<= 1", "<= 0");
    project.write("stricter.toml", &stricter);
    let rules = ("ALLOC_GATE_CONFIG_FILE", "stricter.toml");
    for (line, code) in [
        ("", 1),
        ("check", 1),
        ("--config-file gates.toml", 0),
        ("check --config-file gates.toml", 0),
        ("--config-file gates.toml check", 0),
    ] {
        run(rules, line, code);
    }
    let json = run(("ALLOC_GATE_FORMAT", "json"), "run", 0).json();
    assert_eq!(json["scenarios-measured"], 1);
    let coloured = run(("ALLOC_GATE_COLOR", "always"), "list", 0);
    assert!(coloured.stderr_text().contains('\u{1b}'));
    let target = project.path("built");
    let path = target.to_str().expect("the path is UTF-8");
    run(("ALLOC_GATE_TARGET_DIR", path), "run", 0);
    assert!(target.join("alloc-gate/demo.counts.jsonl").exists());
    let ran = run(("ALLOC_GATE_MANIFEST_PATH", "nosuch/Cargo.toml"), "", 102);
    ran.stderr_has("manifest path `nosuch/Cargo.toml` does not exist");

    let ran = run(("ALLOC_GATE_FORMAT", "\u{202e}html"), "", 2);
    ran.stderr_has("invalid value '\\u{202e}html' for '--format <FORMAT>'");
}

#[test]
fn two_reports_in_one_file_end_with_2() {
    for command in ["", "check", "audit", "compare main"] {
        let ran = run_outside(&format!("{command} --report json=a --report markdown=a"), 2);
        ran.stderr_begins("error: two reports can't go to one file, `a`\n");
    }
}

#[test]
fn growth_can_not_be_searched_for() {
    let ran = run_outside(
        "bisect a b --scenario s --metric allocs --statistic growth",
        2,
    );
    ran.stderr_has("the statistics are mean, min, max");
    let error = ran.stderr_text();
    assert!(!error.contains("per-element, growth"), "{error}");
}

#[test]
fn a_report_without_a_format_ends_with_2_and_an_example() {
    run_outside("--report gates.md", 2).not_judged(str![[r#"
error: invalid value 'gates.md' for '--report <FORMAT=FILE>': write it as FORMAT=FILE, such as markdown=gates.md

For more information, try '--help'.

"#]]);
}

#[test]
fn help_ends_with_0_and_lists_the_exit_codes() {
    run_outside("--help", 0).stdout(str![[r#"
Gate allocation counts: build the benches, run them, judge them by gates.toml

Usage: cargo alloc-gate [OPTIONS]
       cargo alloc-gate <COMMAND>

Commands:
  check    Build, run, judge and print (this is what happens without a command)
  run      Build, run, print and record; judge nothing
  merge    Join recorded results of several machines in one file
  accept   Measure, and make the results the baseline: its data and its page
  compare  Measure at a git ref and here, and show what changed
  bisect   Find the first commit that changed a figure
  list     List the scenarios, their gates, and what is ungated
  audit    Check that every gate can fail, by testing it against altered results; -v lists them
  suggest  Measure twice, and print gates for the scenarios that have none
  init     Write a first bench, its lines in Cargo.toml, and gates.toml
  schema   Print the JSON schema of gates.toml, for editors
  help     Print this message or the help of the given subcommand(s)

Options:
      --color <WHEN>
          Coloring: auto, always or never
          
          [env: ALLOC_GATE_COLOR]
          [possible values: auto, always, never]

  -q, --quiet
          Print only errors and the last line

  -v, --verbose
          Print every gate, the commands that are started, and the output of the benches

  -h, --help
          Print help (see a summary with '-h')

  -V, --version
          Print version

Manifest options:
      --manifest-path <PATH>
          Path to Cargo.toml
          
          [env: ALLOC_GATE_MANIFEST_PATH]

      --config-file <PATH>
          Path to the rules, instead of gates.toml beside the workspace's Cargo.toml
          
          [env: ALLOC_GATE_CONFIG_FILE]

      --locked
          Assert that Cargo.lock will remain unchanged

      --offline
          Run without accessing the network

      --frozen
          The same as --locked and --offline

      --config <KEY=VALUE|PATH>
          A value for cargo's configuration, or a file with values; can be repeated

Bench selection:
  -p, --package <GLOB>
          Only benches of the packages that the glob matches

      --workspace
          All benches that gates.toml or a package's metadata names (this is the default)

      --exclude <GLOB>
          No benches of the packages that the glob matches

      --bench <GLOB>
          Only the bench targets that the glob matches

      --no-fail-fast
          Run the other benches after one has crashed

      --quick
          At most 10 iterations of warm-up and 100 counted ones; never a baseline

      --scenarios <GLOB>...
          Only the scenarios whose full names one of the globs matches
          
          [alias: --scenario]

      --partition <PART>
          Measure only a part of the scenarios: hash:M/N or count:M/N

Feature selection:
  -F, --features <FEATURES>
          Features to activate, separated by commas or spaces

      --all-features
          Activate all features

      --no-default-features
          Do not activate the `default` feature

Compilation options:
  -r, --release
          The same as --cargo-profile release

      --cargo-profile <NAME>
          Cargo profile to build with, instead of `bench`

      --target <TRIPLE>
          Build for this target triple

      --target-dir <DIRECTORY>
          Directory for all build artifacts
          
          [env: ALLOC_GATE_TARGET_DIR]

  -j, --jobs <N>
          Number of parallel build jobs

      --timings
          Let cargo write a report about the times of the build

Results:
      --results <PATH>...
          Read recorded results, of files and folders, and run no bench

      --allow-stale
          Read recorded results of another commit than HEAD as well

Reports:
      --format <FORMAT>
          What to print to stdout

          Possible values:
          - terminal: For people at a terminal and for logs
          - markdown: For step summaries and comments
          - json:     For programs
          
          [env: ALLOC_GATE_FORMAT]
          [default: terminal]

      --report <FORMAT=FILE>
          Write a report to a file as well, such as markdown=gates.md

      --table <ROWS>
          Scenarios in the tables of figures; by default all, or of many those that changed
          
          [possible values: all, changed, failed, none]

      --update-tables <FILE>
          Update the tables between the markers of a markdown page

Options can stand before or after the command.

Exit codes: 0 held, 1 a gate failed, 2 wrong usage, 4 nothing selected, 70 alloc-gate itself failed, 96 invalid gates.toml or baseline, 101 build failed, 102 cargo metadata failed, 104 a bench failed, 110 output not written.

"#]]).stderr("");
}

#[test]
fn the_schema_needs_no_workspace() {
    let ran = run_outside("schema", 0);
    // Without redactions: the targets in it are examples.
    let committed = include_str!("../../../alloc-gate/gates.schema.json");
    assert_eq!(ran.stdout_text(), committed.replace("\r\n", "\n"));
    ran.only_line("printed the schema of gates.toml");
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
    let direct = project.run("--manifest-path Cargo.toml", 1);

    let mut cargo = project.command_in(env!("CARGO"), "");
    cargo
        .env("PATH", path_with(PROGRAM))
        .args(["alloc-gate", "--manifest-path", "Cargo.toml"]);
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
