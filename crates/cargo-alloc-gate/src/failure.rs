//! [`Failure`]: why nothing was judged, or why what was judged could not be
//! written; with the exit code, and what to do next.

use crate::exit_code::Code;

/// What went wrong on the way to a verdict. A gate that fails is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    /// What, where, and with which value; may have several lines.
    pub(crate) what: String,
    /// What to do next.
    pub(crate) next: Option<String>,
}

impl Failure {
    pub(crate) fn new(code: Code, what: impl Into<String>) -> Self {
        Self {
            code,
            what: what.into(),
            next: None,
        }
    }

    pub(crate) fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }
}
