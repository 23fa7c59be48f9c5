//! The standard streams of xtask.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module of the program that holds standard streams"
)]

use std::io::Write;
use std::process::ExitCode;

use crate::error::Error;

/// Prints a line to stdout at once, before the next child process prints.
pub(crate) fn say(line: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .map_err(Error::Print)
}

/// Prints an error on stderr and returns the exit code for it.
pub(crate) fn give_up(error: &Error) -> ExitCode {
    let mut out = std::io::stderr().lock();
    // Without stderr, the exit code alone reports the error.
    match writeln!(out, "error: failed to {error}") {
        Ok(()) | Err(_) => ExitCode::FAILURE,
    }
}
