//! The installed version of valgrind.

use std::fmt;
use std::process::Command;

use crate::child;

/// valgrind is not installed. Its text says how to install it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl fmt::Display for NotInstalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("valgrind is not installed; `apt-get install valgrind` adds it")
    }
}

impl std::error::Error for NotInstalled {}
