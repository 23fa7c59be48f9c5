//! Where the steps run: the workspace, and whether GitHub shows the log. It
//! knows nothing of what a step does.

use std::path::Path;

use cargo_metadata::MetadataCommand;
use cargo_metadata::camino::Utf8PathBuf;
use cargo_metadata::semver::Version;

use super::step::Step;
use crate::console::say;
use crate::error::Error;

/// The workspace and its log.
#[derive(Debug)]
pub(crate) struct Site {
    root: Utf8PathBuf,
    msrv: Option<Version>,
    log: Log,
}

/// How the log is read.
#[derive(Debug, Clone, Copy)]
enum Log {
    /// From top to bottom.
    Plain,
    /// On GitHub, where each step folds away.
    Grouped,
}

impl Site {
    /// Asks cargo for the workspace around the working directory, and the
    /// environment for who reads the log.
    pub(crate) fn find() -> Result<Self, Error> {
        let metadata = MetadataCommand::new()
            .no_deps()
            .exec()
            .map_err(Error::Metadata)?;
        let msrv = metadata
            .workspace_packages()
            .into_iter()
            .filter_map(|package| package.rust_version.clone())
            .min();
        let log = match std::env::var_os("GITHUB_ACTIONS") {
            Some(_) => Log::Grouped,
            None => Log::Plain,
        };
        Ok(Self {
            root: metadata.workspace_root,
            msrv,
            log,
        })
    }

    /// The folder of the workspace's `Cargo.toml`.
    pub(crate) fn root(&self) -> &Path {
        self.root.as_std_path()
    }

    /// The oldest Rust that a member of the workspace declares.
    pub(crate) fn msrv(&self) -> Option<&Version> {
        self.msrv.as_ref()
    }

    /// Announces a step.
    pub(crate) fn open_group(&self, step: Step) -> Result<(), Error> {
        say(&match self.log {
            Log::Plain => format!("\n== {}", step.name()),
            Log::Grouped => format!("::group::{}", step.name()),
        })
    }

    /// Ends what a step prints.
    pub(crate) fn close_group(&self) -> Result<(), Error> {
        match self.log {
            Log::Plain => Ok(()),
            Log::Grouped => say("::endgroup::"),
        }
    }
}
