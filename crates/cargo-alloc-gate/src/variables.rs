//! The environment variables that stand for options: `ALLOC_GATE_` and the name of the option
//! in capitals, for each option of each command.

use std::env;
use std::ffi::OsString;

use alloc_results::protocol;
use clap::builder::BoolishValueParser;
use clap::{Arg, ArgAction, Command};

const PREFIX: &str = "ALLOC_GATE_";

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
    match is_flag {
        true => arg.value_parser(BoolishValueParser::new()),
        false => arg,
    }
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
    let mut names = protocol::FORMER.iter().map(|(_, former)| *former);
    let is_one = [protocol::PARTITION, protocol::QUICK].contains(&name);
    (is_one || names.any(|former| former == name)) && env::var_os(protocol::RESULTS).is_some()
}
