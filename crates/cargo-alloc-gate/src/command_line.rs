//! The command line, spelled as cargo and nextest spell it. [`parse`] turns what was
//! typed into a [`CommandLine`].

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;

use alloc_gate::{one_line, plain_lines};
use anstream::ColorChoice;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, FromArgMatches, Parser, ValueEnum};

use crate::arguments::WorkspaceArguments;
use crate::commands::{CheckArguments, Command, Runnable};
use crate::exit_code::Code;
use crate::shell::quoted;

/// The result of reading the command line.
pub(crate) enum Parsed {
    /// A command to run.
    Command(Box<CommandLine>),
    /// A text to print before the program ends: help, the version, or an error.
    Exit { text: String, code: Code },
}

/// Gate allocation counts: build the benches, run them, check them against gates.toml
#[derive(Debug, Parser)]
#[command(
    name = "cargo alloc-gate",
    bin_name = "cargo alloc-gate",
    version,
    args_conflicts_with_subcommands = true,
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
    format!("Options can stand before or after the command.\n\nExit codes:{codes}")
}

/// The definition of the whole command line.
pub(crate) fn definition() -> clap::Command {
    <CommandLine as CommandFactory>::command()
}

/// Reads the arguments that follow the program's name.
pub(crate) fn parse(args: &[OsString]) -> Parsed {
    match read(args.to_vec()) {
        Ok(command_line) => Parsed::Command(Box::new(command_line)),
        Err(error) => Parsed::Exit {
            text: message(&error, args),
            code: if is_help(&error) {
                Code::Held
            } else {
                Code::Usage
            },
        },
    }
}

fn read(mut args: Vec<OsString>) -> Result<CommandLine, clap::Error> {
    put_command_first(&mut args);
    let program = OsString::from("cargo alloc-gate");
    let mut definition = definition();
    let mut matches = definition.try_get_matches_from_mut([program].into_iter().chain(args))?;
    let command_line = CommandLine::from_arg_matches_mut(&mut matches)
        .map_err(|error| error.format(&mut definition))?;
    command_line.with_a_file_for_each_report()
}

/// Moves the command before its options: clap takes most options only after it.
fn put_command_first(args: &mut [OsString]) {
    if !args.first().is_some_and(is_option) {
        return;
    }
    let mut whole = definition();
    whole.build();
    // Commands can differ in the number of an option's values. `help` has no options.
    let commands = whole.get_subcommands();
    let commands = commands.filter(|command| command.get_name() != "help");
    let mut places = commands.filter_map(|command| {
        let place = first_word(command, args)?;
        (args.get(place)? == command.get_name()).then_some(place)
    });
    let place = places.next();
    drop(places);
    if let Some(begin) = place.and_then(|place| args.get_mut(..=place)) {
        begin.rotate_right(1);
    }
}

/// The place of the first argument that is neither an option of the command nor its value. The
/// second value of an option is never the name of the command.
fn first_word(command: &clap::Command, args: &[OsString]) -> Option<usize> {
    let mut place = 0;
    loop {
        let arg = args.get(place)?;
        if arg == "--" {
            return None;
        }
        if !is_option(arg) {
            return Some(place);
        }
        place += 1;
        let rest = args.get(place..).unwrap_or_default().iter().enumerate();
        let most = values_after(command, &arg.to_string_lossy());
        let is_value = |(number, arg): &(usize, &OsString)| {
            !is_option(arg) && (*number == 0 || *arg != command.get_name())
        };
        place += rest.take(most).take_while(is_value).count();
    }
}

fn is_option(arg: &OsString) -> bool {
    let bytes = arg.as_encoded_bytes();
    bytes.len() > 1 && bytes.starts_with(b"-")
}

/// The most values that can follow the option as arguments of their own: none after
/// `--option=value` or `-ovalue`.
fn values_after(command: &clap::Command, option: &str) -> usize {
    let values = |is_it: &dyn Fn(&Arg) -> bool| {
        let arg = command.get_arguments().find(|arg| is_it(arg))?;
        let range = arg
            .get_num_args()
            .filter(|_| arg.get_action().takes_values());
        range
            .map(|range| range.max_values())
            .filter(|most| *most > 0)
    };
    if let Some(name) = option.strip_prefix("--") {
        let has_alias = |arg: &Arg| arg.get_all_aliases().unwrap_or_default().contains(&name);
        let most = values(&|arg| arg.get_long() == Some(name) || has_alias(arg));
        return most.unwrap_or_default();
    }
    let mut letters = option.chars().skip(1);
    let most = letters.find_map(|letter| values(&|arg| arg.get_short() == Some(letter)));
    match letters.next() {
        None => most.unwrap_or_default(),
        Some(_) => 0,
    }
}

fn is_help(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    )
}

/// The option that somebody looks for who typed a part of a scenario's name, as for `cargo bench`.
fn selection_tip(error: &clap::Error, args: &[OsString]) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let has_similar = error.get(ContextKind::SuggestedSubcommand).is_some();
    let may_be_command =
        |word: &str| has_similar && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let command = text(ContextKind::InvalidSubcommand)
        .filter(|word| !word.starts_with('-') && !may_be_command(word));
    let argument = || match text(ContextKind::InvalidArg)? {
        option if option == "--filter" => value_of(&option, args),
        word => Some(word).filter(|word| !word.starts_with('-')),
    };
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    let word = command.or_else(|| is_unknown.then(argument)?);
    word.map_or_else(String::new, |word| {
        let glob = quoted([format!("*{}*", one_line(&word))]);
        format!("\n  tip: to select scenarios by a part of their names, use --scenarios {glob}\n")
    })
}

/// The value that was typed behind an option that does not exist.
fn value_of(option: &str, args: &[OsString]) -> Option<String> {
    let mut args = args.iter().map(|arg| arg.to_string_lossy());
    let arg = args.find(|arg| arg.starts_with(option))?;
    match arg.split_once('=') {
        Some((_, value)) => Some(value.to_owned()),
        None => args.next().map(Into::into),
    }
}

/// The message of an error, with styles. Clap quotes arguments as they are, so it reads them
/// again made printable.
fn message(error: &clap::Error, args: &[OsString]) -> String {
    let printable = args
        .iter()
        .map(|arg| one_line(&arg.to_string_lossy()).into());
    let mut message = match read(printable.collect()) {
        Err(again) if again.kind() == error.kind() => again.render().ansi().to_string(),
        _ => plain_lines(&error.render().to_string()),
    };
    if !is_help(error) {
        message.push_str(&selection_tip(error, args));
    }
    message
}

impl CommandLine {
    /// The same command line, or an error if one report would replace another.
    fn with_a_file_for_each_report(self) -> Result<Self, clap::Error> {
        let mut paths = BTreeSet::new();
        let files = self.command().report_files();
        let Some(twice) = files.into_iter().find(|path| !paths.insert(*path)) else {
            return Ok(self);
        };
        let message = format!("two reports have the same file: `{}`", twice.display());
        Err(definition().error(ErrorKind::ArgumentConflict, message))
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
    use alloc_gate::report::Format;
    use serde_json::Value;

    use super::*;

    #[test]
    fn clap_finds_nothing_wrong_with_the_definitions() {
        definition().debug_assert();
    }

    #[test]
    fn the_command_is_found_behind_options_and_their_values() {
        for (typed, expected) in [
            ("-q list", "list -q"),
            ("-qp demo list -v", "list -qp demo -v"),
            ("-pdemo -Fx -F y run", "run -pdemo -Fx -F y"),
            (
                "-p run --config-file=accept check",
                "check -p run --config-file=accept",
            ),
            ("--gate compare main", "compare --gate main"),
            ("--scenarios=a list", "list --scenarios=a"),
            ("--scenarios a b -q list", "list --scenarios a b -q"),
            ("--scenario a b list -q", "list --scenario a b -q"),
            ("--scenario list list", "list --scenario list"),
            ("--scenario list", "--scenario list"),
            ("--no-such-option list", "list --no-such-option"),
            ("list compare", "list compare"),
            ("-q demo list", "-q demo list"),
            ("-q -- list", "-q -- list"),
            ("-p list", "-p list"),
            ("-q help list", "-q help list"),
            ("-p", "-p"),
        ] {
            let mut args: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
            put_command_first(&mut args);
            assert_eq!(args.join(" ".as_ref()), expected, "{typed}");
        }
    }

    /// The surface of the product, which only gets larger by a decision.
    #[test]
    fn the_surface_does_not_grow() {
        let rules = include_str!("../../alloc-gate/gates.schema.json");
        let schema: Value = serde_json::from_str(rules).expect("the schema is JSON");
        let definitions = schema["definitions"].as_object().expect("there are some");
        let required = |name: &str| name.starts_with("RequiredOf");
        let gate = &definitions["Gate"]["properties"];
        let gate = gate.as_object().expect("a gate has keys");
        let is_metric = |key: &str| {
            let property = gate.get(key).map(Value::to_string).unwrap_or_default();
            property.contains("/RequiredOf")
        };
        let tables = definitions.iter().filter(|(name, _)| !required(name));
        let tables = tables.map(|(_, table)| table).chain([&schema]);
        let keys = tables.filter_map(|table| table["properties"].as_object());
        let keys = keys.flat_map(|keys| keys.keys());
        let mut statistics = BTreeSet::new();
        for (_, one) in definitions.iter().filter(|(name, _)| required(name)) {
            let forms = one["anyOf"].as_array().into_iter().flatten();
            let forms = forms.filter_map(|form| form["properties"].as_object());
            statistics.extend(forms.flat_map(|keys| keys.keys()));
        }
        let policies = &definitions["Policy"]["properties"];
        let whole = definition();
        let all = whole.get_subcommands().chain([&whole]);
        let options = all.flat_map(clap::Command::get_arguments);
        let options: BTreeSet<&str> = options.filter_map(Arg::get_long).collect();
        for (what, number, ceiling) in [
            ("commands", whole.get_subcommands().count(), 9),
            ("long options", options.len(), 35),
            (
                "keys of gates.toml",
                keys.filter(|key| !is_metric(key)).count(),
                40,
            ),
            (
                "metrics",
                gate.keys().filter(|key| is_metric(key)).count(),
                8,
            ),
            ("statistics", statistics.len(), 5),
            (
                "policies",
                policies.as_object().map_or(0, |keys| keys.len()),
                6,
            ),
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
