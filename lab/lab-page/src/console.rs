//! Lines for a person: the only use of the standard streams.

#![expect(
    clippy::disallowed_methods,
    reason = "this module holds the standard streams"
)]

use std::fmt::Display;
use std::io::{self, Write};

/// A line of output. A closed pipe is no error: nobody reads it.
pub(crate) fn line(line: impl Display) {
    let _ = writeln!(io::stdout(), "{line}");
}

pub(crate) fn error(message: impl Display) {
    let _ = writeln!(io::stderr(), "error: {message}");
}
