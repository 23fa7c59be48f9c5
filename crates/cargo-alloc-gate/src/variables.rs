//! The environment variables that stand for options: `ALLOC_GATE_` and the name of the option
//! in capitals, for each option of each command.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;

use crate::help::GLOBAL;
use alloc_results::protocol;
use clap::builder::BoolishValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

const PREFIX: &str = "ALLOC_GATE_";

/// The heading of the options about how results are shown.
const REPORTS: &str = "Reports";

/// The definition of a command, with a variable for each option.
pub(crate) fn with_variables(command: Command) -> Command {
    command
        .mut_args(with_variable)
        .mut_subcommands(with_variables)
}

fn with_variable(arg: Arg) -> Arg {
    let Some(long) = arg.get_long() else {
        return arg;
    };
    let name = format!("{PREFIX}{}", long.to_uppercase().replace('-', "_"));
    let is_flag = matches!(arg.get_action(), ArgAction::SetTrue);
    if is_of_a_bench(&name) || env::var_os(&name).is_some_and(|value| is_unset(&value, is_flag)) {
        return arg;
    }
    let arg = arg.env(name).hide_env_values(true);
    if is_flag {
        arg.value_parser(BoolishValueParser::new())
    } else {
        arg
    }
}

/// The names of the variables that stand for options of these arguments, sorted: neither those
/// of another command, nor those that an option on the command line replaces, nor those that
/// change nothing but how results are shown.
pub(crate) fn variables_of(command: &Command, matches: &ArgMatches) -> Vec<String> {
    if let Some((name, matches)) = matches.subcommand()
        && let Some(command) = command.find_subcommand(name)
    {
        return variables_of(command, matches);
    }
    let ids = matches.ids().map(clap::Id::as_str);
    let taken = ids.filter(|id| matches.value_source(id) == Some(ValueSource::EnvVariable));
    let taken: Vec<&str> = taken.collect();
    let arguments = command.get_arguments();
    let arguments = arguments.filter(|arg| {
        let headings = [Some(REPORTS), Some(GLOBAL)];
        taken.contains(&arg.get_id().as_str()) && !headings.contains(&arg.get_help_heading())
    });
    let names = arguments.filter_map(|arg| Some(arg.get_env()?.to_string_lossy().into_owned()));
    let names: BTreeSet<String> = names.collect();
    names.into_iter().collect()
}

/// A line for each option in the message of an error that a variable stands for.
pub(crate) fn tips(message: &str) -> String {
    let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    let tips = names.iter().filter_map(|name| {
        let option = name.strip_prefix(PREFIX)?.to_lowercase().replace('_', "-");
        let ends = ["'", " ", "="].map(|end| format!("'--{option}{end}"));
        let is_in = ends.iter().any(|option| message.contains(option));
        is_in.then(|| format!("\n  tip: the variable {name} is set, for --{option}"))
    });
    tips.collect()
}

/// Whether a variable with this value has no effect: clap would let a flag that is off
/// conflict with others.
fn is_unset(value: &OsString, is_flag: bool) -> bool {
    const OFF: [&str; 6] = ["0", "false", "no", "off", "n", "f"];
    let is_off = || OFF.iter().any(|off| value.eq_ignore_ascii_case(off));
    value.is_empty() || is_flag && is_off()
}

/// Whether the variable stands for no option here: a bench runs this program, and the
/// variable is one of those that tell a bench what to do.
fn is_of_a_bench(name: &str) -> bool {
    name == protocol::QUICK && env::var_os(protocol::RESULTS).is_some()
}
