//! Standard output and standard error. No other module of the proof crates writes
//! to them.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module of the program that holds standard streams"
)]

use std::fmt::Display;
use std::io::{self, Write as _};

/// Writes `text` to stdout and flushes it.
///
/// # Errors
///
/// When stdout can't be written.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes a line to stderr. A failure is ignored: there is nowhere left to report it.
pub fn note(line: &dyn Display) {
    let _ = writeln!(io::stderr(), "{line}");
}
