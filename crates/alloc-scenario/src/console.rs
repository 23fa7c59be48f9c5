//! The bench's standard streams. Only this module of the crate prints.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module of the program that holds standard streams"
)]

use std::io::{self, IsTerminal, Write};

/// Prints to stdout. A reader that has closed the stream does not fail the bench.
pub(crate) fn print(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints an error to stderr.
pub(crate) fn error(text: &str) {
    let _ = writeln!(io::stderr().lock(), "error: {text}");
}

/// Prints a note to stderr.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "note: {text}");
}

/// Prints the stderr of another process.
pub(crate) fn pass_on(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Shows progress on stderr, if it is a terminal.
pub(crate) fn progress(text: &str) {
    let mut err = io::stderr().lock();
    if err.is_terminal() {
        let _ = write!(err, "\r\x1b[2K{text}").and_then(|()| err.flush());
    }
}
