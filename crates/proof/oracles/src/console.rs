//! The only module of this crate that holds a standard stream: the counting
//! programs answer on stdout and complain on stderr.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module of the program that holds standard streams"
)]

use std::io::Write;
use std::process::ExitCode;

/// Prints `text` to stdout, and gives the exit code that says whether that
/// could be done.
pub(crate) fn answer(text: &str) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Prints on stderr what is wrong with the arguments. When even that cannot be
/// printed, the exit code alone says it.
pub(crate) fn refuse(what: &str) -> ExitCode {
    let mut out = std::io::stderr().lock();
    match writeln!(out, "error: {what}") {
        Ok(()) | Err(_) => ExitCode::from(2),
    }
}
