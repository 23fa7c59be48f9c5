//! The help: `-h` fits a screen, `--help` has every command and every option.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command};

use crate::exit_code::Code;

/// The commands of every day in the order of their use, with an example each.
pub(crate) const EVERYDAY: [(&str, &str); 5] = [
    ("init", "init"),
    ("check", "--scenarios 'decode/*'"),
    ("suggest", "suggest --write"),
    ("accept", "accept"),
    ("compare", "compare main"),
];

/// The heading of the options that every command has.
pub(crate) const GLOBAL: &str = "Global options";

/// The definition with the help that these arguments ask for.
pub(crate) fn with_help(command: Command, args: &[OsString]) -> Command {
    let is_short = args.iter().any(|arg| is_short_help(&arg.to_string_lossy()));
    let guide = guide();
    let end = if is_short {
        format!(
            "Each option has a variable: --config-file [env: ALLOC_GATE_CONFIG_FILE]\n\
             All commands and options: cargo alloc-gate --help\n\
             Guide: {guide}"
        )
    } else {
        let codes = Code::ALL.iter();
        let codes = codes.map(|code| format!("\n  {:>3}  {}", code.number(), code.meaning()));
        format!(
            "Options can stand before or after the command.\n\nExit codes:{}\n\nGuide: {guide}",
            codes.collect::<String>()
        )
    };
    let commands = commands(&command, is_short);
    let global = |name: &'static str, letter, action| {
        let arg = Arg::new(name).long(name).short(letter).action(action);
        arg.help_heading(GLOBAL)
    };
    let help = global("help", 'h', ArgAction::Help)
        .help("Print help: a screen of it with -h, all with --help")
        .global(true);
    let version = global("version", 'V', ArgAction::Version).help("Print the version");
    let (usage, template) = (
        "cargo alloc-gate [COMMAND] [OPTIONS]",
        "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}",
    );
    let command = if is_short {
        for_screen(command)
    } else {
        command
    };
    command
        // Under `Commands` and `More` instead.
        .mut_subcommands(|command| command.disable_help_flag(true).hide(true))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args([help, version])
        .override_usage(usage)
        .help_template(template)
        .before_help(commands)
        .after_help(end)
}

/// A command with two lists of options, in lines that fit a screen.
fn for_screen(command: Command) -> Command {
    let shorten = |arg: Arg| {
        let heading = arg.is_global_set().then_some(GLOBAL);
        let takes_value = arg.get_action().takes_values();
        let arg = arg.help_heading(heading).hide_env(true);
        if takes_value {
            arg.hide_default_value(true).hide_possible_values(true)
        } else {
            arg
        }
    };
    command.mut_args(shorten).mut_subcommands(for_screen)
}

/// Whether the argument has the option `-h`.
fn is_short_help(arg: &str) -> bool {
    let letters = arg.strip_prefix('-');
    letters.is_some_and(|letters| !letters.starts_with('-') && letters.contains('h'))
}

/// The list of commands, under `Commands` and `More`.
fn commands(command: &Command, is_short: bool) -> StyledStr {
    let header = command.get_styles().get_header();
    let literal = command.get_styles().get_literal();
    let is_everyday = |name: &str| EVERYDAY.iter().any(|(everyday, _)| *everyday == name);
    let names = command.get_subcommands().map(Command::get_name);
    let more: Vec<&str> = names.filter(|name| !is_everyday(name)).collect();
    let width = more.iter().map(|name| name.len()).max().unwrap_or_default();
    let row = |name: &str, about: &str| {
        let gap = " ".repeat(width.saturating_sub(name.len()));
        format!("  {literal}{name}{literal:#}{gap}  {about}\n")
    };
    let row_of = |name: &str| {
        let about = command.find_subcommand(name).and_then(Command::get_about);
        row(name, &about.map(StyledStr::to_string).unwrap_or_default())
    };
    let mut text = format!("{header}Commands:{header:#}\n");
    for (name, example) in EVERYDAY {
        text.push_str(&row_of(name));
        text.push_str(&row("", &format!("$ cargo alloc-gate {example}")));
    }
    text.push_str(&format!("\n{header}More:{header:#}"));
    if is_short {
        text.push_str(&format!(" {}, help", more.join(", ")));
    } else {
        text.push('\n');
        text.extend(more.iter().map(|name| row_of(name)));
        text.push_str(row("help", "Print the help of a command").trim_end());
    }
    text.into()
}

/// Where the guide is: its address if the manifest has that of the repository, or its path.
fn guide() -> String {
    const PAGE: &str = "design/guide.md";
    match env!("CARGO_PKG_REPOSITORY") {
        "" => format!("{PAGE} in the repository of alloc-gate"),
        repository => format!("{repository}/blob/HEAD/{PAGE}"),
    }
}
