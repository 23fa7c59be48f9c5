//! The command line: codes 0, 2, 4, 96 and 102, the help, and the call through cargo.

use std::path::Path;

use crate::program::{PROGRAM, Ran, command, path_with};
use crate::project::{BOXES, Project, RESULTS};

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

#[test]
fn what_is_typed_wrongly_is_said() {
    for (line, code, said) in [
        ("--iterations 5", 2, "unexpected argument '--iterations'"),
        ("--report a.txt", 2, "expected FORMAT=FILE, such as mark"),
        ("--bench [", 2, "'--bench <GLOB>': `[` has no matching `]`"),
        ("", 102, "error: could not find `Cargo.toml` in `"),
        (
            "--manifest-path nosuch/Cargo.toml",
            102,
            "manifest path `nosuch/Cargo.toml` does not exist\n  help: run this inside a cargo ",
        ),
    ] {
        run_outside(line, code).stdout("").stderr_has(said);
    }
}

#[test]
fn what_selects_nothing_is_said() {
    let results = "bench demo/counts\none: 1 x\nbench demo/other\ntwo: 1 x\n";
    let gates = format!("\n[baseline]\ndata = \"accepted.toml\"\n{BOXES}");
    let project = Project::recorded("selects-nothing", results, &gates);
    let nosuch =
        "--package nosuch matches no bench\n  help: the benches are `demo/counts`, `demo/other`";
    for (line, said) in [
        ("check -p nosuch", nosuch),
        ("run -p nosuch", nosuch),
        ("--bench counts --bench x*", "--bench x* matches no bench"),
        ("-p demo -p d", "--package d matches no bench"),
        ("-p demo --exclude demo", "--package demo matches no bench"),
        ("--exclude *", "--exclude leaves out every bench"),
        (
            "--exclude stroe",
            "--exclude stroe matches no package\n  help: the packages are `demo`",
        ),
    ] {
        let ran = project.run(line, 4).stdout("");
        ran.stderr_has(&format!("error: {said}\n"));
    }
    project.gates(&[], BOXES);
    let ran = project.run("", 4);
    ran.stderr_has("error: gates.toml names no bench\n  help: add ");
}

#[test]
fn what_cargo_refuses_is_in_its_words() {
    let project = Project::with("no-manifest", "one: 8", BOXES);
    project.write("Cargo.toml", "[package]\nname = 7\n");
    let ran = project.run("run", 102);
    ran.stderr_has("error: failed to read the workspace: error: ");
    ran.stderr_has("\n --> Cargo.toml:2:8\n");
    #[cfg(unix)]
    project
        .run_with(&[("CARGO", "false")], "list", 102)
        .stderr_has(": false printed nothing and failed with exit status: 1\n");
}

#[test]
fn variables_stand_for_options_and_empty_ones_for_nothing() {
    let project = Project::recorded("variables", "one box: 1 x allocs=1\n", BOXES);
    let rules = project.read("gates.toml");
    project.write("rules.toml", &rules.replace("<= 1", "<= 0"));
    let variables = [
        ("ALLOC_GATE_CONFIG_FILE", "rules.toml"),
        ("ALLOC_GATE_FORMAT", "json"),
        ("ALLOC_GATE_REPORT", "report.md"),
        ("ALLOC_GATE_BASE", ""),
    ];
    let ran = project.run_with(&variables, &format!("-q check --results {RESULTS}"), 1);
    ran.stdout_has("\"program\": \"alloc-gate\"");
    project.has("report.md", "rules.toml");
}

#[test]
fn each_command_has_a_help_and_exit_codes_are_listed() {
    let whole = run_outside("--help", 0).stderr("").stdout_text();
    assert!(whole.contains("\nExit codes:\n    0  everything was measured and every gate held\n"));
    let (_, list) = whole.split_once("Commands:\n").expect("there is a list");
    let (list, _) = list.split_once("\n\n").expect("options follow");
    let names = list.lines().filter_map(|row| row.split_whitespace().next());
    for name in names.filter(|name| *name != "help") {
        let usage = format!("Usage: cargo alloc-gate {name}");
        run_outside(&format!("help {name}"), 0).stdout_has(&usage);
    }
    let version = concat!("cargo alloc-gate ", env!("CARGO_PKG_VERSION"), "\n");
    run_outside("--version", 0).stdout(version).stderr("");
}

/// `head` closes the pipe before all is written.
#[cfg(unix)]
#[test]
fn a_reader_that_wants_the_beginning_alone_is_no_error() {
    for line in ["--help", "completions bash"] {
        let mut program = command(PROGRAM, Path::new("."));
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        program.args(line.split(' ')).stdout(writer);
        let output = program.output().expect("the program runs");
        assert_eq!(output.status.code(), Some(0), "{line}: {output:?}");
        let stderr = String::from_utf8(output.stderr).expect("it is UTF-8");
        assert!(!stderr.contains("error"), "{line}: {stderr}");
    }
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
fn cargo_calls_the_program_as_its_subcommand_with_the_same_outcome() {
    let project = Project::with("subcommand", "one box: 8", &BOXES.replace("<= 1", "<= 0"));
    let line = "check --manifest-path Cargo.toml";
    let direct = project.run(line, 1);
    let mut cargo = project.command_in(env!("CARGO"), "");
    cargo
        .env(
            "PATH",
            path_with(Path::new(PROGRAM).parent().expect("it is in a folder")),
        )
        .arg("alloc-gate")
        .args(line.split(' '))
        .args(["--explain", "never"]);
    let called = project.finish(cargo).code(1);
    assert_eq!(called.stdout_text(), direct.stdout_text());
    assert_eq!(called.stderr_text(), direct.stderr_text());
    // The workspace is found from below its root, too.
    let mut below = project.command_in(PROGRAM, "src");
    below.arg("--quiet");
    let below = project.finish(below).code(1);
    assert_eq!(below.last_line(), direct.last_line());
}
