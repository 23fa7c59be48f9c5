//! The groups of arguments that several commands share. Each command adds its own in
//! its file below [`commands`](crate::commands).

use std::ffi::OsStr;
use std::path::{Path, PathBuf, absolute};
use std::str::FromStr;

use alloc_gate::report::{Detail, Format, TableRows, View};
use alloc_gate::rules::Pattern;
use alloc_gate::{Place, one_line};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice};

/// Where the workspace and its rules are, and how much to print.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct WorkspaceArguments {
    /// Path to Cargo.toml
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Path to gates.toml
    #[arg(
        long,
        global = true,
        value_name = "PATH",
        env = "ALLOC_GATE_CONFIG_FILE"
    )]
    pub(crate) config_file: Option<PathBuf>,
    /// Assert that Cargo.lock will remain unchanged
    #[arg(long, global = true)]
    pub(crate) locked: bool,
    /// Run without accessing the network
    #[arg(long, global = true)]
    pub(crate) offline: bool,
    /// Override a configuration value
    #[arg(long, global = true, value_name = "KEY=VALUE|PATH", value_parser = cargo_config)]
    pub(crate) config: Vec<String>,
    /// Coloring
    #[arg(long, global = true, value_name = "WHEN", value_enum)]
    pub(crate) color: Option<ColorChoice>,
    /// Print only errors and the verdict
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Also print gates that hold, the commands that run, and the output of benches
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

impl WorkspaceArguments {
    /// How much the format for a terminal shows.
    pub(crate) fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Verbose,
            (false, false) => Detail::Normal,
        }
    }
}

/// Which benches to build, and how.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Benches")]
pub(crate) struct BuildArguments {
    /// Measure only packages that match the glob
    #[arg(short, long, value_name = "GLOB", value_parser = glob)]
    pub(crate) package: Vec<Pattern>,
    /// Exclude packages that match the glob
    #[arg(long, value_name = "GLOB", value_parser = glob)]
    pub(crate) exclude: Vec<Pattern>,
    /// Measure only bench targets that match the glob
    #[arg(long, value_name = "GLOB", value_parser = glob)]
    pub(crate) bench: Vec<Pattern>,
    /// Measure with at most 10 warm-up and 100 counted iterations
    #[arg(long)]
    pub(crate) quick: bool,
    /// Space or comma separated list of features to activate
    #[arg(short = 'F', long, value_name = "FEATURES", value_parser = for_cargo)]
    pub(crate) features: Vec<String>,
    /// Activate all available features
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Do not activate the `default` feature
    #[arg(long)]
    pub(crate) no_default_features: bool,
    /// Build artifacts with the specified profile [default: bench]
    #[arg(long, value_name = "NAME", value_parser = for_cargo)]
    pub(crate) profile: Option<String>,
    /// Build for the target triple
    #[arg(long, value_name = "TRIPLE", value_parser = for_cargo)]
    pub(crate) target: Option<String>,
}

impl BuildArguments {
    /// Whether no option chooses between benches.
    pub(crate) fn selects_all(&self) -> bool {
        self.package.is_empty() && self.exclude.is_empty() && self.bench.is_empty()
    }
}

/// Which scenarios of the benches.
#[derive(Debug, Args)]
#[command(next_help_heading = "Benches")]
pub(crate) struct ScenarioArguments {
    /// Select scenarios whose name, bench/name or package/bench/name matches
    #[arg(long, visible_alias = "scenario", value_name = "GLOB", value_parser = glob)]
    pub(crate) scenarios: Vec<Pattern>,
}

/// Which recorded results are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
pub(crate) struct ResultsArguments {
    /// Read recorded results, also from several machines, instead of running benches
    #[arg(long = "results", value_name = "PATH", num_args = 1..)]
    pub(crate) paths: Vec<PathBuf>,
    /// Also read results that were recorded at another commit
    #[arg(long)]
    pub(crate) allow_stale: bool,
}

/// Where the reports go, and in which format.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct OutputArguments {
    #[arg(
        long,
        help = format!("Format of the report on stdout: {}", format_names(printed_formats())),
        value_parser = named(printed_formats(), Format::name),
        hide_possible_values = true,
        default_value = "terminal",
        env = "ALLOC_GATE_FORMAT")]
    pub(crate) format: Format,
    /// Also write a report to a file, such as gates.md, gates.html, junit.xml or json=gates.json
    #[arg(long, value_name = "FORMAT=FILE", env = "ALLOC_GATE_REPORT")]
    pub(crate) report: Vec<ReportFile>,
}

/// What the format for a terminal shows.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct TableArguments {
    /// Scenarios in the tables: all, changed, failed or none [default: all;
    /// changed if there are more than 20]
    #[arg(
        long,
        value_name = "ROWS",
        value_parser = named(TableRows::ALL, TableRows::name),
        hide_possible_values = true)]
    table: Option<TableRows>,
}

impl TableArguments {
    /// What a command with these options shows.
    pub(crate) fn view(&self, arguments: &WorkspaceArguments) -> View<'static> {
        View {
            rows: self.table,
            detail: arguments.detail(),
            ..View::default()
        }
    }
}

/// A report that goes to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReportFile {
    pub(crate) format: Format,
    pub(crate) path: PathBuf,
}

/// Reads one of these by its name.
pub(crate) fn named<T: FromStr + Clone + Send + Sync + 'static>(
    all: impl IntoIterator<Item = T>,
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = all.into_iter().map(name);
    PossibleValuesParser::new(names).try_map(|name| name.parse().map_err(|_| "unknown name"))
}

/// The names of formats.
fn format_names(formats: impl IntoIterator<Item = Format>) -> String {
    let names = formats.into_iter().map(Format::name);
    names.collect::<Vec<_>>().join(", ")
}

/// The formats that are printed. In a JUnit file nothing keeps a CI system from taking a text for a
/// command.
fn printed_formats() -> impl Iterator<Item = Format> {
    let all = Format::ALL.into_iter();
    all.filter(|format| !format.needs_verdicts())
}

/// Reads a value that cargo prints as it is.
fn for_cargo(text: &str) -> Result<String, &'static str> {
    if one_line(text) != text {
        return Err("line breaks and hidden characters are not allowed");
    }
    Ok(text.to_owned())
}

/// Reads a part of cargo's configuration. A file is named by its whole path, because cargo can
/// run in another folder.
fn cargo_config(text: &str) -> Result<String, &'static str> {
    let file = Path::new(text);
    let path = match absolute(file) {
        Ok(path) if file.is_file() => path,
        Ok(_) | Err(_) => return for_cargo(text),
    };
    for_cargo(path.to_str().ok_or("the path of the file is not UTF-8")?)
}

/// Reads a glob over names, as in a gate.
pub(crate) fn glob(text: &str) -> Result<Pattern, String> {
    if text.is_empty() {
        return Err(String::from("an empty pattern matches nothing"));
    }
    // The pattern is in no file, so its place is never shown.
    Pattern::new(text, Place { line: 1, column: 1 })
}

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((format, path)) = text.split_once('=') else {
            let ending = Path::new(text).extension().and_then(OsStr::to_str);
            let format = ending.and_then(Format::of_ending);
            return Ok(Self {
                format: format.ok_or("expected FORMAT=FILE, such as markdown=gates.md")?,
                path: text.into(),
            });
        };
        if path.is_empty() {
            return Err(String::from("the file name is missing"));
        }
        let format = format.parse().map_err(|()| {
            let known = format_names(Format::ALL);
            format!("unknown format `{format}`; the formats are {known}")
        })?;
        Ok(Self {
            format,
            path: path.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_goes_to_a_file_whose_ending_can_say_the_format() {
        for (text, format, path) in [
            ("markdown=a=b.md", Format::Markdown, "a=b.md"),
            ("out/a.xml", Format::Junit, "out/a.xml"),
            ("a.b.md", Format::Markdown, "a.b.md"),
        ] {
            let report: ReportFile = text.parse().unwrap();
            assert_eq!((report.format, report.path), (format, path.into()));
        }
        for text in [
            "markdown", "json=", "yaml=x", "a.json", "xml", ".xml", "a.txt", "a=b.xml",
        ] {
            assert!(text.parse::<ReportFile>().is_err(), "{text}");
        }
        let formats = format_names(Format::ALL);
        let unknown = format!("unknown format `yaml`; the formats are {formats}");
        assert_eq!("yaml=x".parse::<ReportFile>().unwrap_err(), unknown);
    }
}
