//! The command line, spelled as cargo and nextest spell it. [`parse`] turns what was
//! typed into a [`CommandLine`].

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;

use alloc_gate::{one_line, plain_lines};
use anstream::ColorChoice;
use clap::error::{ContextKind, ErrorKind};
use clap::{CommandFactory, Parser, ValueEnum};

use crate::arguments::WorkspaceArguments;
use crate::commands::{CheckArguments, Command, Runnable};
use crate::exit_code::Code;

/// The result of reading the command line.
pub(crate) enum Parsed {
    /// A command to run.
    Command(Box<CommandLine>),
    /// A text to print before the program ends: help, the version, or an error.
    Exit { text: String, code: Code },
}

/// Gate allocation counts: build the benches, run them, judge them by gates.toml
#[derive(Debug, Parser)]
#[command(
    name = "cargo alloc-gate",
    bin_name = "cargo alloc-gate",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Exit codes: 0 held, 1 a gate failed, 2 wrong usage, 4 nothing selected, \
                  70 alloc-gate itself failed, 96 invalid gates.toml or baseline, 101 build failed, 102 cargo metadata failed, \
                  104 a bench failed, 110 output not written."
)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArguments,
    /// Arguments without a command belong to `check`.
    #[command(flatten)]
    check: CheckArguments,
}

/// The command line with these arguments, as a person would type it in a POSIX shell.
pub(crate) fn as_typed(args: &[OsString]) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    let mut line = String::from("cargo alloc-gate");
    for word in args.iter().map(|word| word.to_string_lossy()) {
        line.push(' ');
        if !word.is_empty() && word.chars().all(is_plain) {
            line.push_str(&word);
        } else {
            line.push_str(&format!("'{}'", word.replace('\'', r"'\''")));
        }
    }
    line
}

/// Reads the arguments that follow the program's name.
pub(crate) fn parse(args: &[OsString]) -> Parsed {
    let parsed = CommandLine::try_parse_from(with_program(args.iter().cloned()));
    match parsed.and_then(CommandLine::with_a_file_for_each_report) {
        Ok(command_line) => Parsed::Command(Box::new(command_line)),
        Err(error) => Parsed::Exit {
            text: message(&error, args) + tip(&error),
            code: if matches!(
                error.kind(),
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
            ) {
                Code::Held
            } else {
                Code::Usage
            },
        },
    }
}

fn with_program(args: impl IntoIterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let program = OsString::from("cargo alloc-gate");
    [program].into_iter().chain(args)
}

/// The message of an error, with styles. Clap quotes arguments as they are, so it reads them
/// again made printable.
fn message(error: &clap::Error, args: &[OsString]) -> String {
    let printable = args
        .iter()
        .map(|arg| one_line(&arg.to_string_lossy()).into());
    let again = CommandLine::try_parse_from(with_program(printable))
        .and_then(CommandLine::with_a_file_for_each_report);
    match again {
        Err(again) if again.kind() == error.kind() => again.render().ansi().to_string(),
        _ => plain_lines(&error.render().to_string()),
    }
}

/// A hint that clap does not give itself.
fn tip(error: &clap::Error) -> &'static str {
    let is_before_the_command = error.kind() == ErrorKind::ArgumentConflict
        && error.get(ContextKind::InvalidSubcommand).is_some();
    if is_before_the_command {
        "\nOptions follow the command: `cargo alloc-gate list --verbose`.\n"
    } else {
        ""
    }
}

impl CommandLine {
    /// The same command line, or an error if one report would replace another.
    fn with_a_file_for_each_report(self) -> Result<Self, clap::Error> {
        let mut paths = BTreeSet::new();
        let files = self.command().report_files();
        let Some(twice) = files.into_iter().find(|path| !paths.insert(*path)) else {
            return Ok(self);
        };
        let message = format!("two reports can't go to one file, `{}`", twice.display());
        Err(Self::command_definition().error(ErrorKind::ArgumentConflict, message))
    }

    fn command_definition() -> clap::Command {
        <Self as CommandFactory>::command()
    }

    /// The command to run: `check` unless another one is named.
    pub(crate) fn command(&self) -> &dyn Runnable {
        match &self.command {
            Some(command) => command.as_runnable(),
            None => &self.check,
        }
    }

    /// When to print in colours: `--color`, or else `CARGO_TERM_COLOR`, or else as the
    /// terminal allows.
    pub(crate) fn color(&self) -> ColorChoice {
        let from_cargo = || {
            let word = env::var("CARGO_TERM_COLOR").ok()?;
            clap::ColorChoice::from_str(&word, true).ok()
        };
        match self.workspace.color.or_else(from_cargo) {
            None | Some(clap::ColorChoice::Auto) => ColorChoice::Auto,
            Some(clap::ColorChoice::Always) => ColorChoice::AlwaysAnsi,
            Some(clap::ColorChoice::Never) => ColorChoice::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_finds_nothing_wrong_with_the_definitions() {
        CommandLine::command_definition().debug_assert();
    }

    #[test]
    fn a_command_line_can_be_typed_again() {
        let words = [
            "run",
            "--scenarios",
            "a*",
            "",
            "it's",
            "--report=json=x/y.json",
        ];
        assert_eq!(
            as_typed(&words.map(OsString::from)),
            r"cargo alloc-gate run --scenarios 'a*' '' 'it'\''s' --report=json=x/y.json"
        );
    }
}
