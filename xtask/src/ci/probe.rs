//! What is installed on this machine. It asks, and installs nothing; what an
//! answer means for a step is the step's affair.

use std::path::Path;
use std::process::{Command, Stdio};

use super::command::CommandLine;

/// What cargo-nextest can do here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nextest {
    /// It is not installed.
    Absent,
    /// It lists and runs, and is too old to have `cargo nextest bench`.
    WithoutBench,
    /// It also has `cargo nextest bench`.
    WithBench,
}

impl Nextest {
    /// Asks for the version, and then for the help of `bench`: the help is
    /// there in every version that has the subcommand, whether or not the
    /// experimental feature behind it is switched on.
    pub(crate) fn installed(folder: &Path) -> Self {
        let knows = |words| CommandLine::cargo(words).answer(folder).is_some();
        if !knows("nextest --version") {
            Self::Absent
        } else if knows("nextest bench --help") {
            Self::WithBench
        } else {
            Self::WithoutBench
        }
    }
}

/// Whether valgrind runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Valgrind {
    /// It does not.
    Absent,
    /// It does.
    Installed,
}

impl Valgrind {
    /// Asks for the version.
    pub(crate) fn installed() -> Self {
        let version = Command::new("valgrind")
            .arg("--version")
            .stdin(Stdio::null())
            .output();
        match version {
            Ok(output) if output.status.success() => Self::Installed,
            Ok(_) | Err(_) => Self::Absent,
        }
    }
}

/// Whether `cargo +NAME` works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// It does not, because there is no such toolchain or no rustup.
    Absent,
    /// It does.
    Installed,
}

impl Toolchain {
    /// Asks for the version, with rustup told not to download anything.
    pub(crate) fn installed(name: &str, folder: &Path) -> Self {
        match CommandLine::cargo(&format!("+{name} --version"))
            .with("RUSTUP_AUTO_INSTALL", "0")
            .answer(folder)
        {
            Some(_) => Self::Installed,
            None => Self::Absent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toolchain_that_nobody_has_is_absent() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(
            Toolchain::installed("0.0.1-no-such-toolchain", folder),
            Toolchain::Absent
        );
    }
}
