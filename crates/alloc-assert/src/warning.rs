//! The warnings of assertions. Only this module of the crate prints.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module of the program that holds a standard stream"
)]

use std::io::{self, Write};

/// Prints a warning to stderr. A test harness does not capture it.
pub(crate) fn warn(text: &str) {
    let _ = writeln!(io::stderr().lock(), "warning: {text}");
}
