//! [`Error`]: why nothing was measured. An exceeded limit is a result, not
//! an error.

use std::io;
use std::path::PathBuf;

use proof_shared::child::ChildError;
use proof_shared::valgrind::NotInstalled;

/// Why nothing was measured. Its text reads well after "failed to".
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Instructions can't be counted on this platform.
    #[error("count instructions: this requires x86-64 Linux")]
    Platform,
    /// valgrind is missing.
    #[error("count instructions: {0}")]
    Valgrind(#[source] NotInstalled),
    /// A program could not be run, or failed.
    #[error(transparent)]
    Program(ChildError),
    /// A file or the output of a tool has an unknown format.
    #[error("read {what}: {why}")]
    Unreadable {
        /// The file or the tool.
        what: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A file could not be read or written.
    #[error("{verb} {}: {source}", path.display())]
    File {
        /// "read" or "write".
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl Error {
    /// For `map_err` where `path` is read.
    pub fn reading(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        Self::file("read", path.into())
    }

    /// For `map_err` where `path` is written.
    pub fn writing(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        Self::file("write", path.into())
    }

    fn file(verb: &'static str, path: PathBuf) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { verb, path, source }
    }
}
