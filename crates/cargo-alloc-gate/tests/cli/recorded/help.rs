//! The help, and what hints name.

use std::fs;
use std::path::Path;

use crate::program::{PROGRAM, command};
use crate::project::{BOXES, Project};
use crate::recorded::usage::run_outside;

/// The commands in the text of `--help`.
pub(crate) fn commands(help: &str) -> Vec<&str> {
    let (_, list) = help.split_once("Commands:\n").expect("there is a list");
    let (list, _) = list.split_once("\n\n").expect("options follow");
    let names = list.lines().filter_map(|row| row.split_whitespace().next());
    names.collect()
}

#[test]
fn each_command_has_a_help_and_exit_codes_are_listed() {
    let whole = run_outside("--help", 0).stderr("").stdout_text();
    assert!(whole.contains("\nExit codes:\n    0  everything was measured and every gate held\n"));
    for name in commands(&whole).iter().filter(|name| **name != "help") {
        let usage = format!("Usage: cargo alloc-gate {name}");
        let help = run_outside(&format!("help {name}"), 0).stdout_text();
        assert!(help.contains(&usage), "{help}");
    }
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
    ran.stderr_has("`cargo xtask alloc-gate list`");
}

/// `head` closes the pipe before all is written.
#[cfg(unix)]
#[test]
fn a_reader_that_wants_the_beginning_alone_is_no_error() {
    use std::process::Stdio;

    for line in ["--help", "completions bash"] {
        let mut program = command(PROGRAM, Path::new("."));
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        program.args(line.split(' ')).stdout(Stdio::from(writer));
        let output = program.output().expect("the program runs");
        let stderr = String::from_utf8(output.stderr).expect("it is UTF-8");
        assert_eq!(output.status.code(), Some(0), "{line}: {stderr}");
        assert!(!stderr.contains("error"), "{line}: {stderr}");
    }
}
