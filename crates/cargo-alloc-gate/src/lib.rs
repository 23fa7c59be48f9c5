//! Builds your benches, counts what they allocate, and checks the counts against `gates.toml`.
//!
//! The crate is the command `cargo alloc-gate`: it passes the results to the engine, and turns
//! its evaluation into output and an exit code, a [`Code`]. [`main_impl`] is the
//! whole program, for the `xtask` of a workspace that needs no installed tool:
//!
//! ```no_run
//! // xtask/src/main.rs
//! fn main() -> std::process::ExitCode {
//!     let mut args = std::env::args_os().skip(1);
//!     match args.next() {
//!         Some(task) if task == "alloc-gate" => cargo_alloc_gate::main_impl(args),
//!         _ => std::process::ExitCode::from(2),
//!     }
//! }
//! ```
//!
//! ```console
//! $ cargo xtask alloc-gate init                 # write a first bench, and gates.toml
//! $ cargo xtask alloc-gate suggest --write      # add gates for scenarios without one
//! $ cargo xtask alloc-gate                      # build, run, check the gates
//! ```

// Reading the source: `commands/check.rs` is the example to read: it loads the `Project`, measures, calls
// the engine, explains failures, writes the reports and returns the exit code. Below it are `project.rs`,
// which reads the workspace and its rules; `bench/`, which selects, builds and runs benches and reads
// their results; `git/`, for other commits; `explain/`, which runs failed scenarios again for their lines;
// `files.rs`, which replaces files; and `output/`, whose `shell.rs` alone prints. `failure.rs` and
// `exit_code.rs` are the ends without a verdict.

#![forbid(unsafe_code)]

mod arguments;
mod bench;
mod children;
mod command_line;
mod commands;
mod exit_code;
mod explain;
mod failure;
mod files;
mod git;
mod line_tables;
mod output;
mod project;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

pub use exit_code::Code;

use anstream::ColorChoice;
use commands::Call;
use failure::Failure;
use output::github;
use output::shell::Shell;

/// Runs the program with the arguments that follow its name, and returns the exit
/// code for `main`; see [`Code`].
///
/// It prints to stdout and stderr, starts cargo and the benches, and writes the
/// files that the arguments name.
#[must_use = "`main` has to return it, or a failed gate looks like a success"]
pub fn main_impl(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    children::watch();
    let args: Vec<OsString> = args.into_iter().collect();
    let run = || run(&args);
    // A thread has this much room whatever `ulimit -s` says.
    let builder = thread::Builder::new().stack_size(8 << 20);
    let code = thread::scope(|scope| match builder.spawn_scoped(scope, run) {
        // A panic has ended the process with the same code.
        Ok(thread) => thread.join().unwrap_or(Code::InternalError),
        Err(_) => run(),
    });
    code.into()
}

fn run(args: &[OsString]) -> Code {
    let command_line = match command_line::parse(args) {
        Ok(command_line) => command_line,
        Err((text, code)) => return Shell::new(ColorChoice::Auto, false).tell(&text, code),
    };
    let workspace = &command_line.workspace;
    let shell = Arc::new(Shell::new(command_line.color(), workspace.quiet));
    let end = {
        let shell = Arc::clone(&shell);
        move |failure: &Failure| end(failure, &shell)
    };
    failure::end_at_panics(end.clone());
    let call = Call {
        workspace,
        shell: &shell,
        definition: command_line::definition,
    };
    let result = command_line.command().run(&call);
    result.unwrap_or_else(|failure| end(&failure))
}

/// Ends a run without a verdict: says why, and returns the exit code.
fn end(failure: &Failure, shell: &Shell) -> Code {
    match children::signal() {
        None => {
            github::report_failure(failure, shell);
            shell.give_up(failure)
        }
        Some(signal) => {
            shell.ended(&children::stopped_by(signal));
            children::end_by(signal);
            failure.code
        }
    }
}

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
