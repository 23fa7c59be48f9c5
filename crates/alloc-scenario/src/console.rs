//! The bench's standard streams. This is the one module of the crate that
//! prints; it does not know what.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module of the program that holds standard streams"
)]

use std::io::{self, IsTerminal, Write};

/// Prints to stdout. A reader that went away is no failure of the bench.
pub(crate) fn print(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints an error to stderr.
pub(crate) fn error(text: &str) {
    let _ = writeln!(io::stderr().lock(), "error: {text}");
}

/// Passes on what another process printed to its stderr.
pub(crate) fn pass_on(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Says on stderr what is being done, if somebody is there to read it.
pub(crate) fn progress(text: &str) {
    let mut err = io::stderr().lock();
    if err.is_terminal() {
        let _ = write!(err, "\r\x1b[2K{text}").and_then(|()| err.flush());
    }
}
