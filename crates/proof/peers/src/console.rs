//! The only module of the program that holds a standard stream. It knows nothing
//! of what the lines mean.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module of the program that holds standard streams"
)]

use std::io::{self, Write};
use std::process::ExitCode;

use proof_peers::error::Error;

/// Prints a line to stdout, at once.
pub(crate) fn say(line: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .map_err(Error::writing("stdout"))
}

/// Prints on stderr why nothing was measured, and gives the exit code that says
/// so. When even that can't be printed, the code alone says it.
pub(crate) fn give_up(error: &Error) -> ExitCode {
    let mut out = io::stderr().lock();
    match writeln!(out, "error: failed to {error}") {
        Ok(()) | Err(_) => ExitCode::FAILURE,
    }
}
