//! A command line: what is printed is exactly what runs.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use cargo_metadata::MetadataCommand;

use crate::console::say;
use crate::error::Error;

/// A command, nearly always of cargo, with the environment variables that it adds.
///
/// It starts `cargo` from the `PATH`, not the `CARGO` of the cargo that runs xtask:
/// the former is rustup's, which accepts a `+toolchain`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandLine {
    variables: Vec<(String, String)>,
    program: String,
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
            program: words.next().unwrap_or_default(),
            arguments: words.collect(),
        }
    }

    /// Adds one argument, which may hold spaces.
    pub(crate) fn and(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Runs it in `folder` and waits; it prints where xtask prints.
    pub(crate) fn run(&self, folder: &Path) -> Result<ExitStatus, Error> {
        let status = self.command(folder).status();
        status.map_err(|source| self.not_started(source))
    }

    /// Whether it is `cargo test`. [`Self::run_tests`] counts its tests.
    pub(crate) fn is_of_tests(&self) -> bool {
        self.arguments.iter().any(|argument| argument == "test")
    }

    /// Runs it like [`Self::run`], and also returns the number of tests that passed.
    pub(crate) fn run_tests(&self, folder: &Path) -> Result<(ExitStatus, u64), Error> {
        let not_started = |source| self.not_started(source);
        let mut command = self.command(folder);
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .map_err(not_started)?;
        let mut passed = 0;
        if let Some(stdout) = child.stdout.take() {
            for line in BufReader::new(stdout).split(b'\n') {
                let line = line.map_err(not_started)?;
                let line = String::from_utf8_lossy(&line);
                passed += passed_tests(&line);
                say(line.trim_end_matches('\r'))?;
            }
        }
        let status = child.wait().map_err(not_started)?;
        Ok((status, passed))
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
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

/// The number in a line such as `test result: ok. 7 passed; 0 failed; 1 ignored`.
fn passed_tests(line: &str) -> u64 {
    let before = || line.strip_prefix("test result: ")?.split_once(" passed; ");
    before()
        .and_then(|(before, _)| before.rsplit(' ').next()?.parse().ok())
        .unwrap_or(0)
}

/// Runs commands in the root of the workspace up to the first that fails. Returns whether all
/// succeeded.
pub(crate) fn run_all(commands: impl IntoIterator<Item = CommandLine>) -> Result<bool, Error> {
    let metadata = MetadataCommand::new().no_deps().exec();
    let root = metadata.map_err(Error::Metadata)?.workspace_root;
    for command in commands {
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
        f.write_str(&self.program)?;
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
    fn the_tests_that_passed_are_counted() {
        assert_eq!(
            passed_tests("test result: ok. 17 passed; 0 failed; 2 ignored;"),
            17
        );
        assert_eq!(passed_tests("test result: FAILED. 3 passed; 1 failed;"), 3);
        assert_eq!(passed_tests("test a_test ... ok"), 0);
        assert!(CommandLine::parse("X=1 cargo +nightly test -p a").is_of_tests());
        assert!(CommandLine::cargo("+nightly miri test").is_of_tests());
        assert!(!CommandLine::cargo("check --tests").is_of_tests());
    }

    #[test]
    fn a_command_that_cannot_start_says_which_one() {
        let folder = Path::new("/no/such/folder");
        let error = CommandLine::cargo("fmt").run(folder).unwrap_err();
        assert!(error.to_string().starts_with("start `cargo fmt`: "));
    }
}
