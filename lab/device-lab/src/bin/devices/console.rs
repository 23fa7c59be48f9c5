//! Standard output and standard error. No other module of the program writes to them.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module of the program that holds standard streams"
)]

use std::io::{self, Write as _};

/// Writes to stdout. A reader that has gone is no failure.
pub(crate) fn print(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes to stderr.
pub(crate) fn note(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
