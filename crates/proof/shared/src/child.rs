//! Child processes: runs a program to its end and returns what it printed.

use std::io;
use std::process::{Command, ExitStatus, Stdio};

/// Why a program's output is missing. Its text reads well after "failed to".
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// The program could not be started.
    #[error("run {command}: {source}")]
    NotStarted {
        /// The command line.
        command: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The program failed.
    #[error("run {command}: {status}\n{stderr}")]
    Failed {
        /// The command line.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// What it printed on stderr.
        stderr: String,
    },
}

/// Runs `command` without input and returns its stdout. Bytes that are not UTF-8
/// are replaced.
///
/// # Errors
///
/// When the program can't be started, or fails.
pub fn stdout(command: &mut Command) -> Result<String, ChildError> {
    let line = |command: &Command| format!("{command:?}");
    let output = match command.stdin(Stdio::null()).output() {
        Ok(output) => output,
        Err(source) => {
            return Err(ChildError::NotStarted {
                command: line(command),
                source,
            });
        }
    };
    if !output.status.success() {
        return Err(ChildError::Failed {
            command: line(command),
            status: output.status,
            stderr: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
