//! A cargo command line: what is printed is exactly what runs.

use std::fmt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use cargo_metadata::MetadataCommand;

use crate::error::Error;

/// A cargo command, with the environment variables that it adds.
///
/// It starts `cargo` from the `PATH`, not the `CARGO` of the cargo that runs xtask:
/// the former is rustup's, which accepts a `+toolchain`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandLine {
    variables: Vec<(String, String)>,
    arguments: Vec<String>,
}

impl CommandLine {
    /// From the words after `cargo`.
    pub(crate) fn cargo(words: &str) -> Self {
        Self::parse(&format!("cargo {words}"))
    }

    /// From a line such as `NAME='a value' cargo doc`, as one would type it.
    pub(crate) fn parse(line: &str) -> Self {
        let mut words = words(line).into_iter().peekable();
        let mut variables = Vec::new();
        while let Some((name, value)) = words.peek().and_then(|word| word.split_once('=')) {
            variables.push((name.to_owned(), value.to_owned()));
            words.next();
        }
        Self {
            variables,
            // The first is `cargo`.
            arguments: words.skip(1).collect(),
        }
    }

    /// Adds one argument, which may hold spaces.
    pub(crate) fn and(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Adds an option with all its values, or nothing if there are none.
    pub(crate) fn and_all<'v>(
        self,
        option: &'v str,
        values: impl IntoIterator<Item = &'v str>,
    ) -> Self {
        let mut values = values.into_iter().peekable();
        let option = values.peek().map(|_| option);
        option.into_iter().chain(values).fold(self, Self::and)
    }

    /// Runs it in `folder` and waits; it prints where xtask prints.
    pub(crate) fn run(&self, folder: &Path) -> Result<ExitStatus, Error> {
        Command::new("cargo")
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(folder)
            .stdin(Stdio::null())
            .status()
            .map_err(|source| Error::Start {
                command: self.to_string(),
                source,
            })
    }
}

/// Runs commands in the root of the workspace up to the first that fails, each after
/// `announce`. Returns whether all succeeded.
pub(crate) fn run_all(
    commands: impl IntoIterator<Item = CommandLine>,
    announce: impl Fn(&CommandLine) -> Result<(), Error>,
) -> Result<bool, Error> {
    let metadata = MetadataCommand::new().no_deps().exec();
    let root = metadata.map_err(Error::Metadata)?.workspace_root;
    for command in commands {
        announce(&command)?;
        if !command.run(root.as_std_path())?.success() {
            return Ok(false);
        }
    }
    Ok(true)
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

/// The words of a line, some of them in single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (nth, piece) in line.split('\'').enumerate() {
        let is_quoted = nth % 2 == 1;
        for (nth, part) in piece
            .split(|c: char| !is_quoted && c.is_whitespace())
            .enumerate()
        {
            if nth > 0 {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push_str(part);
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The word, in quotes where a shell would change it.
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
        let line = "RUSTDOCFLAGS='-D warnings' X=1 cargo run  --";
        let command = CommandLine::parse(line).and("it's*");
        let shown = r"RUSTDOCFLAGS='-D warnings' X=1 cargo run -- 'it'\''s*'";
        assert_eq!(command.to_string(), shown);
    }

    #[test]
    fn a_command_that_cannot_start_says_which_one() {
        let folder = Path::new("/no/such/folder");
        let error = CommandLine::cargo("fmt").run(folder).unwrap_err();
        assert!(error.to_string().starts_with("start `cargo fmt`: "));
    }
}
