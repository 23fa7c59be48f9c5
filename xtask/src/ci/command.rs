//! One cargo command line: what is announced is exactly what runs. It knows
//! nothing of steps.

use std::fmt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use crate::error::Error;

/// A cargo command, with the environment variables that it adds.
///
/// It is started as `cargo` from the `PATH`, not as the `CARGO` of the cargo
/// that runs xtask: the former is rustup's, which takes a `+toolchain` and
/// otherwise keeps to the toolchain in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandLine {
    variables: Vec<(&'static str, &'static str)>,
    arguments: Vec<String>,
}

impl CommandLine {
    /// From the words after `cargo`, which hold no spaces of their own.
    pub(crate) fn cargo(words: &str) -> Self {
        Self {
            variables: Vec::new(),
            arguments: words.split_whitespace().map(String::from).collect(),
        }
    }

    /// Adds one argument, which may hold spaces.
    pub(crate) fn and(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Adds an environment variable.
    pub(crate) fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.variables.push((name, value));
        self
    }

    /// Runs it in `folder` and waits; its output goes where ours goes.
    pub(crate) fn run(&self, folder: &Path) -> Result<ExitStatus, Error> {
        self.command(folder)
            .status()
            .map_err(|source| self.not_started(source))
    }

    /// Runs it in `folder` and gives what it printed to stdout, or nothing if
    /// it could not be started or did not succeed.
    pub(crate) fn answer(&self, folder: &Path) -> Option<String> {
        let output = self.command(folder).output().ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new("cargo");
        command
            .args(&self.arguments)
            .envs(self.variables.iter().copied())
            .current_dir(folder)
            .stdin(Stdio::null());
        command
    }

    fn not_started(&self, source: std::io::Error) -> Error {
        Error::Start {
            command: self.to_string(),
            source,
        }
    }
}

/// As one would type it in a POSIX shell.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.variables {
            write!(f, "{name}={} ", quoted(value))?;
        }
        f.write_str("cargo")?;
        for argument in &self.arguments {
            write!(f, " {}", quoted(argument))?;
        }
        Ok(())
    }
}

/// The word, in quotes where a shell would make something else of it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_reads_as_one_would_type_it() {
        assert_eq!(
            CommandLine::cargo("doc --no-deps")
                .with("RUSTDOCFLAGS", "-D warnings")
                .with("X", "1")
                .to_string(),
            "RUSTDOCFLAGS='-D warnings' X=1 cargo doc --no-deps"
        );
        assert_eq!(
            CommandLine::cargo("run --")
                .and("a b")
                .and("it's*")
                .to_string(),
            r"cargo run -- 'a b' 'it'\''s*'"
        );
    }

    #[test]
    fn a_command_that_fails_has_no_answer() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let version = CommandLine::cargo("--version").answer(folder).unwrap();
        assert!(version.starts_with("cargo "), "{version}");
        assert_eq!(CommandLine::cargo("--no-such-flag").answer(folder), None);
    }

    #[test]
    fn a_command_that_cannot_start_says_which_one() {
        let error = CommandLine::cargo("fmt")
            .run(Path::new("/no/such/folder"))
            .unwrap_err();
        assert!(error.to_string().starts_with("start `cargo fmt`: "));
    }
}
