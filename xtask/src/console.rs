//! The only module of xtask that holds a standard stream. It knows nothing of
//! what the lines mean.

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

/// Prints on stderr why a chore could not be done, and gives the exit code
/// that says so. When even that cannot be printed, the code alone says it.
pub(crate) fn give_up(error: &Error) -> ExitCode {
    let mut out = std::io::stderr().lock();
    match writeln!(out, "error: failed to {error}") {
        Ok(()) | Err(_) => ExitCode::FAILURE,
    }
}
