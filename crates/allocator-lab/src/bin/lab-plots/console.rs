//! The only module of lab-plots that holds a standard stream. It knows nothing of
//! what the lines mean.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module of the program that holds standard streams"
)]

use std::io::{self, Write};

/// Prints a line to stderr: what was written, or why nothing was.
pub(crate) fn say(line: &str) {
    // There is nowhere left to say that stderr can't be written.
    let _ = writeln!(io::stderr(), "{line}");
}
