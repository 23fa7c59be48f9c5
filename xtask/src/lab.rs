//! `cargo xtask lab`: starts lab-page, which measures the allocators and writes their page.
//! It is a program of its own, so that nobody who runs the gate builds it.

use std::process::ExitCode;

use crate::ci::{CommandLine, run_all};
use crate::error::Error;

/// Passes its arguments to `lab-page run`.
pub(crate) fn run(args: &[String]) -> Result<ExitCode, Error> {
    let program = CommandLine::cargo(
        "run --locked --quiet --manifest-path lab/Cargo.toml --package lab-page -- run",
    );
    let command = args
        .iter()
        .map(String::as_str)
        .fold(program, CommandLine::and);
    Ok(if run_all([command])? {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
