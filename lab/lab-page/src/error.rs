//! Why nothing was measured or written.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use alloc_results::StreamError;
use thiserror::Error;

/// Why a command failed.
#[derive(Debug, Error)]
pub enum Error {
    /// A file or a folder could not be read or written.
    #[error("failed to {1} {2}: {0}")]
    File(#[source] io::Error, &'static str, PathBuf),
    /// A file is not a complete stream of records.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// Something else that the message names.
    #[error("{0}")]
    Wrong(String),
}

impl Error {
    /// For a file that could not be read or written, as the verb says.
    pub fn file(verb: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::File(source, verb, path)
    }

    /// For a child process that could not be started.
    pub fn starting(command: &Command) -> impl FnOnce(io::Error) -> Self + use<> {
        let command = format!("{command:?}");
        move |source| Self::Wrong(format!("failed to start `{command}`: {source}"))
    }
}
