//! Errors of the chores, with the path or the command that failed. A failed step and
//! a finding are results, not errors.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Reads well after "failed to".
#[derive(Debug)]
pub(crate) enum Error {
    /// A file or a folder could not be read.
    Read {
        /// Its path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// `cargo metadata` did not describe the workspace.
    Metadata(cargo_metadata::Error),
    /// `cargo metadata` gave no dependency graph.
    Unresolved,
    /// A child process could not be started.
    Start {
        /// Its command line.
        command: String,
        /// What the system said.
        source: io::Error,
    },
    /// A line could not be printed.
    Print(io::Error),
}

impl Error {
    /// Makes an error of reading `path`, for `map_err`.
    pub(crate) fn reading(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Read { path, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, source } => write!(f, "read {}: {source}", path.display()),
            Self::Metadata(source) => write!(f, "read the workspace from cargo metadata: {source}"),
            Self::Unresolved => f.write_str("read the dependency graph from cargo metadata"),
            Self::Start { command, source } => write!(f, "start `{command}`: {source}"),
            Self::Print(source) => write!(f, "print a line: {source}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } | Self::Start { source, .. } | Self::Print(source) => {
                Some(source)
            }
            Self::Metadata(source) => Some(source),
            Self::Unresolved => None,
        }
    }
}
