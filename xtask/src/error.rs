//! Errors of the chores, with the path or the command that failed. A failed step and
//! a finding are results, not errors.

use std::io;
use std::path::{Path, PathBuf};

/// Reads well after "failed to".
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file or a folder could not be read.
    #[error("read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file or a folder could not be written.
    #[error("write {}: {source}", path.display())]
    Write {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// `cargo metadata` did not describe the workspace.
    #[error("read the workspace from cargo metadata: {0}")]
    Metadata(#[source] cargo_metadata::Error),
    /// `cargo metadata` gave no dependency graph.
    #[error("read the dependency graph from cargo metadata")]
    Unresolved,
    /// A child process could not be started.
    #[error("start `{command}`: {source}")]
    Start {
        command: String,
        /// What the system said.
        source: io::Error,
    },
    /// Git could not do what was asked.
    #[error("run `{command}`: {said}")]
    Git {
        command: String,
        /// What git said.
        said: String,
    },
    /// The ceilings could not be understood.
    #[error("read the ceilings in {}: {problem}", path.display())]
    Ceilings {
        /// Their file.
        path: PathBuf,
        /// What is wrong there.
        problem: String,
    },
    /// A line could not be printed.
    #[error("print a line: {0}")]
    Print(#[source] io::Error),
}

impl Error {
    /// Makes an error of reading `path`, for `map_err`.
    pub(crate) fn reading(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Read { path, source }
    }

    /// Makes an error of writing `path`, for `map_err`.
    pub(crate) fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }
}
