//! The command line of alloc-gate: finds benches, builds and runs them, hands
//! the results to the engine, and turns its evaluation into output and an exit
//! code. How a verdict is reached is not known here.
//!
//! [`main_impl`] is the whole program; `cargo alloc-gate` and a workspace's
//! `cargo xtask alloc-gate` both call it:
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
//! What each exit code means stands in [`Code`].

#![forbid(unsafe_code)]

mod accepted_past;
mod accepting;
mod arguments;
mod bench_output;
mod bench_process;
mod cargo;
mod commands;
mod compile;
mod exit_code;
mod failure;
mod files;
mod git;
mod globs;
mod judging;
mod manifest;
mod outputs;
mod past;
mod progress;
mod recorded;
mod results;
mod rules;
mod selection;
mod shell;
mod tables_page;
mod worktree;

use std::ffi::OsString;
use std::process::ExitCode;

pub use exit_code::Code;

use anstream::ColorChoice;
use arguments::Parsed;
use shell::Shell;

/// Runs the program with the arguments that come after its name, and returns the
/// exit code for `main`; see [`Code`].
///
/// It prints to stdout and stderr, starts cargo and the benches, and writes the
/// files that it was asked to write.
#[must_use = "`main` has to return it, or a failed gate looks like a success"]
pub fn main_impl(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let command_line = arguments::command_line(&args);
    let code = match arguments::parse(args) {
        Parsed::Command(arguments) => {
            let mut shell = Shell::new(arguments.color(), arguments.is_quiet());
            match commands::dispatch(&arguments, &command_line, &mut shell) {
                Ok(code) => code,
                Err(failure) => shell.give_up(&failure),
            }
        }
        Parsed::Told { text, code } => Shell::new(ColorChoice::Auto, false).tell(&text, code),
    };
    code.into()
}

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
