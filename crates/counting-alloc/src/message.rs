//! The messages of this crate on stderr: of an abort that follows a refused request, and of
//! forbidden operations.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module of the program that holds a standard stream"
)]

use std::io::{self, Write};

/// Writes to stderr, in one call since other threads write as well. A test harness does not
/// capture it.
pub(crate) fn write(text: &str) {
    // Nothing can be said if stderr is closed.
    let _ = io::stderr().write_all(text.as_bytes());
}
