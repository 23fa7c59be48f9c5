//! The command line, spelled as cargo and nextest spell it. What was typed
//! becomes [`Arguments`] here and is not read again elsewhere.

mod measuring;
mod setup;

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use alloc_gate::config::Pattern;
use alloc_gate::{Place, Statistic};
use alloc_results::Metric;
use anstream::ColorChoice;
use clap::error::{ContextKind, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::exit_code::Code;

pub(crate) use measuring::{CheckArguments, JudgedArguments, ListArguments, RunArguments};
pub(crate) use setup::{InitArguments, SuggestArguments};

/// What the command line comes to.
pub(crate) enum Parsed {
    /// Something to do.
    Command(Box<Arguments>),
    /// Something to say: help, the version, or what is wrong.
    Told { text: String, code: Code },
}

/// Gate allocation counts: build the benches, run them, judge them by gates.toml
#[derive(Debug, Parser)]
#[command(
    name = "cargo alloc-gate",
    bin_name = "cargo alloc-gate",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Exit codes: 0 held, 1 a gate failed, 2 wrong usage, 4 nothing selected, \
                  96 invalid gates.toml or baseline, 101 build failed, 102 cargo metadata failed, \
                  104 a bench failed, 110 output not written."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// What is typed without a command belongs to `check`.
    #[command(flatten)]
    check: CheckArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build, run, judge and print (this is what happens without a command)
    Check(CheckArguments),
    /// Build, run, print and record; judge nothing
    Run(RunArguments),
    /// Measure, and make the results the baseline: its data and its page
    Accept(AcceptArguments),
    /// Measure at a git ref and here, and show what changed
    Compare(CompareArguments),
    /// Find the first commit that changed a figure
    Bisect(BisectArguments),
    /// List the scenarios, their gates, and what is ungated
    List(ListArguments),
    /// Prove that each gate can fail, by breaches in a copy of the results; -v lists them
    Audit(JudgedArguments),
    /// Measure, and print gates for what no gate is about yet
    Suggest(SuggestArguments),
    /// Write a first bench, its lines in Cargo.toml, and gates.toml
    Init(InitArguments),
    /// Print the JSON schema of gates.toml, for editors
    Schema,
}

#[derive(Debug, Args)]
pub(crate) struct AcceptArguments {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArguments,
    #[command(flatten)]
    pub(crate) build: BuildArguments,
    /// Write nothing; fail if the committed files are not what would be written
    #[arg(long)]
    pub(crate) check: bool,
    /// Take only what makes no gated figure worse, and remove no scenario
    #[arg(long)]
    pub(crate) ratchet: bool,
    /// Tighten the limits in gates.toml as well; needs all benches, measured whole
    #[arg(long, requires = "ratchet", conflicts_with_all = ["package", "bench", "scenario"])]
    pub(crate) limits: bool,
    /// Record why in the history of the baseline's page, if a figure changes
    #[arg(long, value_name = "TEXT", value_parser = reason, conflicts_with = "check")]
    pub(crate) reason: Option<String>,
    /// Only the scenarios whose full names one of the globs matches; the baseline of all
    /// others stays
    #[arg(
        long,
        visible_alias = "scenarios",
        value_name = "GLOB",
        num_args = 1..,
        value_parser = glob,
        help_heading = "Bench selection"
    )]
    pub(crate) scenario: Vec<Pattern>,
    /// Accept recorded results, of several machines at once, and run nothing
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["package", "bench", "scenario"],
        help_heading = "Results"
    )]
    pub(crate) from: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = COMPARE_HELP)]
pub(crate) struct CompareArguments {
    /// The base: a branch, a tag or a commit
    #[arg(value_name = "REF")]
    pub(crate) reference: String,
    /// Judge by gates.toml, with the base's figures for a baseline
    #[arg(long)]
    pub(crate) gate: bool,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArguments,
    #[command(flatten)]
    pub(crate) build: BuildArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

const COMPARE_HELP: &str = "The base is built with --locked in a worktree of its own, with the \
toolchain that is in force here. The head is the working tree, with what is not committed. Without \
--gate nothing is judged: the exit code is 0 when both sides were measured.";

#[derive(Debug, Args)]
#[command(after_help = BISECT_HELP)]
pub(crate) struct BisectArguments {
    /// A commit before the change
    #[arg(value_name = "GOOD")]
    pub(crate) good: String,
    /// A commit after the change
    #[arg(value_name = "BAD")]
    pub(crate) bad: String,
    /// The full name of the scenario, as `list` prints it
    #[arg(long, value_name = "NAME")]
    pub(crate) scenario: String,
    /// The metric that changed
    #[arg(long, value_name = "METRIC", value_parser = metric)]
    pub(crate) metric: Metric,
    /// Which figure of it
    #[arg(long, value_name = "STATISTIC", default_value = "mean", value_parser = statistic)]
    pub(crate) statistic: Statistic,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArguments,
    #[command(flatten)]
    pub(crate) build: BuildArguments,
}

const BISECT_HELP: &str = "The search runs in a worktree of its own, as `git bisect` would: it \
finds the first commit whose figure is not GOOD's. Commits that don't build or lack the scenario \
are skipped.";

/// Where the workspace and its rules are, and how to talk about them.
#[derive(Clone, Debug, Args)]
pub(crate) struct WorkspaceArguments {
    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH", help_heading = "Manifest options")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Path to the rules, instead of gates.toml beside the workspace's Cargo.toml
    #[arg(long, value_name = "PATH", help_heading = "Manifest options")]
    pub(crate) config_file: Option<PathBuf>,
    /// Assert that Cargo.lock will remain unchanged
    #[arg(long, help_heading = "Manifest options")]
    pub(crate) locked: bool,
    /// Run without accessing the network
    #[arg(long, help_heading = "Manifest options")]
    pub(crate) offline: bool,
    /// The same as --locked and --offline
    #[arg(long, help_heading = "Manifest options")]
    pub(crate) frozen: bool,
    /// Coloring: auto, always or never
    #[arg(long, value_name = "WHEN", value_enum)]
    pub(crate) color: Option<Color>,
    /// Say nothing about the work, only results and errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Show what the benches print, and the commands that are started
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// Which benches to build, how, and how to run them.
#[derive(Clone, Debug, Args)]
pub(crate) struct BuildArguments {
    /// Only benches of this package
    #[arg(short, long, value_name = "PACKAGE", help_heading = "Bench selection")]
    pub(crate) package: Vec<String>,
    /// All benches that gates.toml or a package's metadata names (this is the default)
    #[arg(long, conflicts_with = "package", help_heading = "Bench selection")]
    pub(crate) workspace: bool,
    /// Only the bench target of this name
    #[arg(long, value_name = "NAME", help_heading = "Bench selection")]
    pub(crate) bench: Vec<String>,
    /// Run the other benches after one has crashed
    #[arg(long, help_heading = "Bench selection")]
    pub(crate) no_fail_fast: bool,
    /// Features to activate, separated by commas or spaces
    #[arg(
        short = 'F',
        long,
        value_name = "FEATURES",
        help_heading = "Feature selection"
    )]
    pub(crate) features: Vec<String>,
    /// Activate all features
    #[arg(long, help_heading = "Feature selection")]
    pub(crate) all_features: bool,
    /// Do not activate the `default` feature
    #[arg(long, help_heading = "Feature selection")]
    pub(crate) no_default_features: bool,
    /// Cargo profile to build with, instead of `bench`
    #[arg(long, value_name = "NAME", help_heading = "Compilation options")]
    pub(crate) cargo_profile: Option<String>,
    /// Build for this target triple
    #[arg(long, value_name = "TRIPLE", help_heading = "Compilation options")]
    pub(crate) target: Option<String>,
    /// Directory for all build artifacts
    #[arg(long, value_name = "DIRECTORY", help_heading = "Compilation options")]
    pub(crate) target_dir: Option<PathBuf>,
    /// Number of parallel build jobs
    #[arg(short, long, value_name = "N", help_heading = "Compilation options")]
    pub(crate) jobs: Option<String>,
}

/// What becomes of the report.
#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// What to print to stdout
    #[arg(long, value_enum, default_value_t = Format::Terminal, help_heading = "Reports")]
    pub(crate) format: Format,
    /// Write a report to a file as well, such as markdown=gates.md
    #[arg(long, value_name = "FORMAT=FILE", help_heading = "Reports")]
    pub(crate) report: Vec<ReportFile>,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people at a terminal and for logs
    Terminal,
    /// For step summaries and comments
    Markdown,
    /// For programs
    Json,
}

/// A report that goes to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReportFile {
    pub(crate) format: Format,
    pub(crate) path: PathBuf,
}

/// When to print in colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// The command line with these arguments, as one would type it in a POSIX shell.
pub(crate) fn command_line(args: &[OsString]) -> String {
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

/// Reads the arguments that come after the program's name.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Parsed {
    let program = OsString::from("cargo alloc-gate");
    let words = [program].into_iter().chain(args);
    let parsed = Arguments::try_parse_from(words);
    match parsed.and_then(Arguments::with_a_file_for_each_report) {
        Ok(arguments) => Parsed::Command(Box::new(arguments)),
        Err(error) => Parsed::Told {
            text: error.render().ansi().to_string() + tip(&error),
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

/// What clap can't say of a mistake.
fn tip(error: &clap::Error) -> &'static str {
    let is_before_the_command = error.kind() == ErrorKind::ArgumentConflict
        && error.get(ContextKind::InvalidSubcommand).is_some();
    if is_before_the_command {
        "\nOptions stand behind the command: `cargo alloc-gate list --verbose`.\n"
    } else {
        ""
    }
}

impl Arguments {
    /// The same, unless one report would replace another.
    fn with_a_file_for_each_report(self) -> Result<Self, clap::Error> {
        let (output, page) = match self.chosen() {
            Chosen::Check(arguments) => (&arguments.judged.output, Some(&arguments.page)),
            Chosen::Audit(arguments) => (&arguments.output, None),
            Chosen::Run(arguments) => (&arguments.output, Some(&arguments.page)),
            Chosen::Compare(arguments) => (&arguments.output, None),
            Chosen::Accept(_)
            | Chosen::Bisect(_)
            | Chosen::List(_)
            | Chosen::Suggest(_)
            | Chosen::Init(_)
            | Chosen::Schema => return Ok(self),
        };
        let page = page.and_then(|page| page.update_tables.as_ref());
        let mut paths = BTreeSet::new();
        let reports = output.report.iter().map(|report| &report.path);
        let twice = reports.chain(page).find(|path| !paths.insert(*path));
        let Some(twice) = twice else {
            return Ok(self);
        };
        let message = format!("two reports can't go to one file, `{}`", twice.display());
        Err(Self::command().error(ErrorKind::ArgumentConflict, message))
    }

    /// The command, or else `check`.
    pub(crate) fn chosen(&self) -> Chosen<'_> {
        match &self.command {
            None => Chosen::Check(&self.check),
            Some(Command::Check(arguments)) => Chosen::Check(arguments),
            Some(Command::Run(arguments)) => Chosen::Run(arguments),
            Some(Command::Accept(arguments)) => Chosen::Accept(arguments),
            Some(Command::Compare(arguments)) => Chosen::Compare(arguments),
            Some(Command::Bisect(arguments)) => Chosen::Bisect(arguments),
            Some(Command::List(arguments)) => Chosen::List(arguments),
            Some(Command::Audit(arguments)) => Chosen::Audit(arguments),
            Some(Command::Suggest(arguments)) => Chosen::Suggest(arguments),
            Some(Command::Init(arguments)) => Chosen::Init(arguments),
            Some(Command::Schema) => Chosen::Schema,
        }
    }

    /// `None` for what needs no workspace.
    fn workspace(&self) -> Option<&WorkspaceArguments> {
        match self.chosen() {
            Chosen::Check(arguments) => Some(&arguments.judged.workspace),
            Chosen::Audit(arguments) => Some(&arguments.workspace),
            Chosen::Run(arguments) => Some(&arguments.workspace),
            Chosen::Accept(arguments) => Some(&arguments.workspace),
            Chosen::Compare(arguments) => Some(&arguments.workspace),
            Chosen::Bisect(arguments) => Some(&arguments.workspace),
            Chosen::List(arguments) => Some(&arguments.workspace),
            Chosen::Suggest(arguments) => Some(&arguments.workspace),
            Chosen::Init(arguments) => Some(&arguments.workspace),
            Chosen::Schema => None,
        }
    }

    /// When to print in colours: as typed, or as cargo is told, or as the
    /// terminal allows.
    pub(crate) fn color(&self) -> ColorChoice {
        let from_cargo = || {
            let word = env::var("CARGO_TERM_COLOR").ok()?;
            Color::from_str(&word, true).ok()
        };
        let typed = self.workspace().and_then(|workspace| workspace.color);
        match typed.or_else(from_cargo) {
            None | Some(Color::Auto) => ColorChoice::Auto,
            Some(Color::Always) => ColorChoice::AlwaysAnsi,
            Some(Color::Never) => ColorChoice::Never,
        }
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.workspace().is_some_and(|workspace| workspace.quiet)
    }
}

/// The command that was chosen, with its arguments.
pub(crate) enum Chosen<'a> {
    Check(&'a CheckArguments),
    Run(&'a RunArguments),
    Accept(&'a AcceptArguments),
    Compare(&'a CompareArguments),
    Bisect(&'a BisectArguments),
    List(&'a ListArguments),
    Audit(&'a JudgedArguments),
    Suggest(&'a SuggestArguments),
    Init(&'a InitArguments),
    Schema,
}

/// A glob over scenario names, as gates have them.
fn glob(text: &str) -> Result<Pattern, String> {
    if text.is_empty() {
        return Err(String::from("an empty pattern matches no scenario"));
    }
    // It stands in no file.
    Pattern::new(text, Place { line: 1, column: 1 })
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(String::from("say in a few words why the figures change"));
    }
    Ok(text.to_owned())
}

fn metric(name: &str) -> Result<Metric, String> {
    let all = Metric::ALL.map(Metric::name);
    name.parse()
        .map_err(|()| format!("the metrics are {}", all.join(", ")))
}

fn statistic(name: &str) -> Result<Statistic, String> {
    // How a figure grows is no figure of one scenario.
    let figures = || {
        Statistic::ALL
            .into_iter()
            .filter(|s| *s != Statistic::Growth)
    };
    let found = figures().find(|statistic| statistic.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = figures().map(Statistic::name).collect();
        format!("the statistics are {}", names.join(", "))
    })
}

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, path) = text
            .split_once('=')
            .ok_or("write it as FORMAT=FILE, such as markdown=gates.md")?;
        if path.is_empty() {
            return Err(String::from("the name of the file is missing"));
        }
        Ok(Self {
            format: Format::from_str(format, false)
                .map_err(|_| format!("`{format}` is none of terminal, markdown, json"))?,
            path: path.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_finds_nothing_wrong_with_the_definitions() {
        Arguments::command().debug_assert();
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
            command_line(&words.map(OsString::from)),
            r"cargo alloc-gate run --scenarios 'a*' '' 'it'\''s' --report=json=x/y.json"
        );
    }

    #[test]
    fn a_report_goes_to_a_file() {
        let report: ReportFile = "markdown=a=b.md".parse().unwrap();
        assert_eq!(report.format, Format::Markdown);
        assert_eq!(report.path, PathBuf::from("a=b.md"));
        assert!("markdown".parse::<ReportFile>().is_err());
        assert!("html=x".parse::<ReportFile>().is_err());
        assert!("json=".parse::<ReportFile>().is_err());
    }
}
