//! The command line, spelled as cargo and nextest spell it. [`parse`] turns what was
//! typed into a [`CommandLine`].

use std::env;
use std::ffi::OsString;

use alloc_gate::plain_lines;
use anstream::ColorChoice;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Parser, ValueEnum};

use crate::arguments::WorkspaceArguments;
use crate::commands::{CheckArguments, Command, Runnable};
use crate::exit_code::Code;

/// Check how often and how much code allocates, against the limits in gates.toml
#[derive(Debug, Parser)]
#[command(
    name = "cargo alloc-gate",
    bin_name = "cargo alloc-gate",
    version,
    // Of several values of `--results`, none is the command.
    subcommand_precedence_over_arg = true,
    after_help = exit_codes()
)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    /// Arguments without a command belong to `check`.
    #[command(flatten)]
    check: CheckArguments,
    // The last in the help.
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArguments,
}

/// The end of the help.
fn exit_codes() -> String {
    let codes = Code::ALL.iter();
    let codes = codes.map(|code| format!("\n  {:>3}  {}", code.number(), code.meaning()));
    let codes: String = codes.collect();
    format!("Exit codes:{codes}")
}

pub(crate) fn definition() -> clap::Command {
    // CI systems set variables to nothing.
    let without_empty = |arg: Arg| match arg.get_env().and_then(env::var_os) {
        Some(value) if value.is_empty() => arg.env(None),
        _ => arg,
    };
    let definition = <CommandLine as CommandFactory>::command().mut_args(without_empty);
    definition.mut_subcommands(|command| command.mut_args(without_empty))
}

/// Reads the arguments that follow the program's name; or else a text to print before the program
/// ends: help, the version, or an error.
pub(crate) fn parse(args: &[OsString]) -> Result<CommandLine, (String, Code)> {
    read(args.to_vec()).map_err(|error| {
        if [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion].contains(&error.kind()) {
            (error.render().ansi().to_string(), Code::Held)
        } else {
            // It quotes arguments.
            (plain_lines(&error.render().to_string()), Code::Usage)
        }
    })
}

fn read(args: Vec<OsString>) -> Result<CommandLine, clap::Error> {
    let program = OsString::from("cargo alloc-gate");
    let mut definition = definition();
    let mut matches = definition.try_get_matches_from_mut([program].into_iter().chain(args))?;
    refuse_misplaced(&mut definition, &matches)?;
    CommandLine::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut definition))
}

/// Refuses options before another command: they would belong to a `check` that does
/// not run. Global options are allowed there.
fn refuse_misplaced(
    definition: &mut clap::Command,
    matches: &ArgMatches,
) -> Result<(), clap::Error> {
    let Some(command) = matches.subcommand_name() else {
        return Ok(());
    };
    let is_typed = |arg: &&Arg| {
        let source = matches.value_source(arg.get_id().as_str());
        !arg.is_global_set() && source == Some(ValueSource::CommandLine)
    };
    let Some(option) = definition.get_arguments().find(is_typed) else {
        return Ok(());
    };
    let option = option.get_long().unwrap_or_default();
    let message =
        format!("the option '--{option}' must come after the command '{command}', not before it");
    Err(definition.error(ErrorKind::ArgumentConflict, message))
}

impl CommandLine {
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
    use std::collections::BTreeSet;

    use alloc_gate::report::Format;
    use serde_json::Value;

    use super::*;

    #[test]
    fn clap_finds_nothing_wrong_with_the_definitions() {
        definition().debug_assert();
    }

    /// The text of the error for a command line, without styles; empty if there is none.
    fn error_of(line: &str) -> String {
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let Err((text, code)) = parse(&args) else {
            return String::new();
        };
        assert_eq!(code, Code::Usage, "{line}: {text}");
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn options_of_a_command_come_after_it() {
        for line in [
            "-q list",
            "--manifest-path a --config-file b --locked accept --scenarios c",
            "--color never -v run --profile dev --scenarios a --scenarios b",
            "--results a b",
            "check --results a b --profile=release -F x --base main",
        ] {
            assert_eq!(error_of(line), "", "{line}");
        }
        for (line, begin) in [
            (
                "--scenarios words accept",
                "error: the option '--scenarios' must come after the command 'accept', not before it\n",
            ),
            (
                "-p demo compare main",
                "error: the option '--package' must come",
            ),
            ("--gate compare main", "error: unexpected argument '--gate'"),
            ("--scenarios a b", "error: unrecognized subcommand 'b'"),
            ("--workspace", "error: unexpected argument '--workspace'"),
            ("init --quick", "error: unexpected argument '--quick' found"),
        ] {
            let error = error_of(line);
            assert!(error.starts_with(begin), "{line}: {error}");
        }
    }

    #[test]
    fn the_variables_for_options_are_these() {
        let whole = definition();
        let all = whole.get_subcommands().chain([&whole]);
        let names = all.flat_map(clap::Command::get_arguments);
        let names = names.filter_map(|arg| arg.get_env()?.to_str());
        let expected = ["BASE", "CONFIG_FILE", "FORMAT", "REPORT"];
        let expected = expected.map(|name| format!("ALLOC_GATE_{name}"));
        assert!(names.collect::<BTreeSet<_>>().iter().eq(&expected));
    }

    /// The surface of the product, which only gets larger by a decision.
    #[test]
    fn the_surface_does_not_grow() {
        let rules = include_str!("../../alloc-gate/gates.schema.json");
        let schema: Value = serde_json::from_str(rules).expect("the schema is JSON");
        let tables = schema["definitions"].as_object().expect("there are some");
        let keys = |table: &Value| -> Vec<String> {
            let keys = table["properties"].as_object().into_iter();
            keys.flat_map(|keys| keys.keys().cloned()).collect()
        };
        let is_metric = |key: &String| {
            let property = tables["Gate"]["properties"].get(key);
            property.is_some_and(|one| one.to_string().contains("/RequiredOf"))
        };
        let (required, others): (Vec<_>, Vec<_>) = tables
            .iter()
            .partition(|(name, _)| name.starts_with("RequiredOf"));
        let of_rules = others.iter().map(|(_, table)| *table).chain([&schema]);
        let of_rules = of_rules
            .flat_map(keys)
            .filter(|key| !is_metric(key))
            .count();
        let forms = required
            .iter()
            .filter_map(|(_, one)| one["anyOf"].as_array());
        let statistics: BTreeSet<String> = forms.flatten().flat_map(keys).collect();
        let whole = definition();
        let all = whole.get_subcommands().chain([&whole]);
        let options = all.flat_map(clap::Command::get_arguments);
        let options: BTreeSet<&str> = options.filter_map(Arg::get_long).collect();
        let metrics = keys(&tables["Gate"]).into_iter().filter(is_metric);
        for (what, number, ceiling) in [
            ("commands", whole.get_subcommands().count(), 9),
            ("long options", options.len(), 35),
            ("keys of gates.toml", of_rules, 40),
            ("metrics", metrics.count(), 8),
            ("statistics", statistics.len(), 5),
            ("policies", keys(&tables["Policy"]).len(), 6),
            ("formats", Format::ALL.len(), 5),
        ] {
            assert!(
                number <= ceiling,
                "{number} {what}, and the ceiling is {ceiling}: take one away, or raise the \
                 ceiling here and say in the commit whose problem the new one solves"
            );
        }
    }
}
