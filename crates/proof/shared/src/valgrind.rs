//! The installed version of valgrind.

use std::process::Command;

use crate::child;

/// valgrind is not installed. Its text says how to install it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("valgrind is not installed; `apt-get install valgrind` adds it")]
pub struct NotInstalled;

/// The version that `valgrind --version` prints.
///
/// # Errors
///
/// When valgrind is not installed.
pub fn version() -> Result<String, NotInstalled> {
    let printed = child::stdout(Command::new("valgrind").arg("--version"));
    printed
        .map(|version| version.trim().to_owned())
        .map_err(|_| NotInstalled)
}
