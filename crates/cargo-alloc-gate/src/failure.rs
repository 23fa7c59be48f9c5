//! [`Failure`]: an error that ends the program without a verdict, or keeps it from writing
//! an output. A gate that fails is not a failure.

use crate::exit_code::Code;

/// An error with the exit code, and with what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    /// What happened, where, and with which value; it may have several lines.
    pub(crate) what: String,
    /// What to do next.
    pub(crate) help: Option<String>,
}

impl Failure {
    pub(crate) fn new(code: Code, what: impl Into<String>) -> Self {
        Self {
            code,
            what: what.into(),
            help: None,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
