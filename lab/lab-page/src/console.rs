//! [`Console`]: the only holder of the standard streams.

use std::io::{self, Write};

/// Where lines for a person go.
pub(crate) struct Console {
    out: Box<dyn Write>,
    err: Box<dyn Write>,
}

impl Console {
    /// The streams of the process.
    #[expect(
        clippy::disallowed_methods,
        reason = "this module holds the standard streams"
    )]
    pub(crate) fn standard() -> Self {
        Self {
            out: Box::new(io::stdout()),
            err: Box::new(io::stderr()),
        }
    }

    /// A line of output. A closed pipe is no error: nobody reads it.
    pub(crate) fn line(&mut self, line: &str) {
        let _ = writeln!(self.out, "{line}");
    }

    /// An error.
    pub(crate) fn error(&mut self, message: &str) {
        let _ = writeln!(self.err, "error: {message}");
    }
}
