//! The command line of a bench, as cargo bench, cargo test, nextest and IDEs use it.
//! It follows libtest. Options without a meaning for a bench are accepted and
//! ignored, so that no caller breaks. Options of criterion and divan are ignored too, because
//! cargo bench passes them to all benches of a package.

use std::env;

/// The action, and the scenarios that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) action: Action,
    pub(crate) filter: Filter,
    /// Whether scenarios have fewer iterations than usual.
    pub(crate) quick: bool,
    /// Options of other harnesses, which have no effect.
    pub(crate) ignored: Vec<String>,
}

/// The actions of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// `--bench`, as cargo bench passes it.
    Measure,
    /// Each scenario once: cargo test and nextest.
    Smoke,
    /// `--list`: names, for people.
    List,
    /// `--list --format terse`: names, for nextest and IDEs.
    ListTersely,
    /// `--help`.
    Help,
}

/// The scenarios that the command line selects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// Names, or parts of names, to select; empty for all.
    wanted: Vec<String>,
    /// Names, or parts of names, to exclude.
    skipped: Vec<String>,
    /// Whether a name has to equal the text and not only contain it.
    exact: bool,
    /// Whether only unavailable scenarios are selected.
    only_ignored: bool,
}

pub(crate) const HELP: &str = "\
Usage: cargo bench [--bench TARGET] [-- [OPTIONS] [FILTER]...]

Measures what each scenario allocates. Without --bench (cargo test, nextest)
each scenario runs once and nothing is measured.

Arguments:
  [FILTER]...        Only scenarios whose name contains one of these

Options:
      --exact        A filter is the whole name
      --skip FILTER  Skip scenarios whose name contains this
      --ignored      Only scenarios that are unavailable on this machine
      --list         Print the names of the scenarios
      --format FORMAT
                     With --list: pretty or terse
      --bench        Measure (cargo bench passes this)
      --test         Run each scenario once, even with --bench
      --quick        At most 10 iterations of warm-up and 100 counted ones
  -h, --help         Print this

The other options of Rust's test harness, criterion and divan are accepted and
have no effect.
Settings: ALLOC_GATE_WARMUP and ALLOC_GATE_ITERATIONS, numbers of iterations;
ALLOC_GATE_TIMEOUT and ALLOC_GATE_SCENARIO_TIMEOUT, time limits in milliseconds;
ALLOC_GATE_BENCH_RESULTS, a folder for machine-readable results;
ALLOC_GATE_SITES=1, to record the call stacks of operations.
";

/// Flags of libtest that a bench ignores.
const FLAGS: &str = "--nocapture --no-capture --show-output --quiet -q --verbose \
    --force-run-in-process --exclude-should-panic --report-time --ensure-time --shuffle";

/// Options of libtest with a value that a bench ignores.
const OPTIONS: &str = "--test-threads --color --logfile --shuffle-seed -Z";

/// Flags of criterion that a bench ignores.
const FLAGS_OF_OTHERS: &str = "--noplot -n -v --discard-baseline";

/// Options with a value that a bench ignores: first criterion's, then divan's.
const OPTIONS_OF_OTHERS: &str = "--save-baseline -s --baseline -b --baseline-lenient \
    --load-baseline --warm-up-time --measurement-time --nresamples --noise-threshold \
    --confidence-level --significance-level --profile-time --plotting-backend --output-format -c \
    --sample-size \
    --sample-count --sort --sortr --timer --threads --min-time --max-time --items-count \
    --bytes-count --bytes-format --chars-count --cycles-count";

impl Arguments {
    /// The arguments of the program.
    pub(crate) fn of_program() -> Result<Self, String> {
        // An argument that is not UTF-8 is no known option. As a filter it matches
        // nothing, which the output shows.
        let arguments = env::args_os().skip(1);
        Self::parse(arguments.map(|argument| argument.to_string_lossy().into_owned()))
    }

    /// Parses the arguments after the program's name. The errors are those that libtest reports.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut arguments = arguments.into_iter().peekable();
        let mut parsed = Self {
            action: Action::Smoke,
            filter: Filter::default(),
            quick: false,
            ignored: Vec::new(),
        };
        let filter = &mut parsed.filter;
        let [mut bench, mut test, mut list, mut terse, mut help] = [false; 5];
        let mut positional_only = false;
        while let Some(argument) = arguments.next() {
            if positional_only || !argument.starts_with('-') || argument == "-" {
                filter.wanted.push(argument);
                continue;
            }
            let (name, attached) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            let is_in = |options: &str| options.split_whitespace().any(|option| option == name);
            let is_attached = attached.is_some();
            let mut value = || {
                let value = attached.clone().or_else(|| arguments.next());
                value.ok_or_else(|| format!("the option `{name}` needs a value"))
            };
            match name {
                "--" => positional_only = true,
                "--bench" => bench = true,
                "--test" => test = true,
                "--list" => list = true,
                "--quick" => parsed.quick = true,
                "--exact" => filter.exact = true,
                "--ignored" => filter.only_ignored = true,
                "--include-ignored" => filter.only_ignored = false,
                "--skip" => filter.skipped.push(value()?),
                "--format" => {
                    terse = match value()?.as_str() {
                        "terse" => true,
                        "pretty" | "json" | "junit" => false,
                        other => {
                            return Err(format!("the option `{name}` does not take `{other}`"));
                        }
                    }
                }
                "--help" | "-h" => help = true,
                _ if is_in(FLAGS) => {}
                _ if is_in(OPTIONS) => _ = value()?,
                _ if name.starts_with("-Z") => {}
                _ if is_in(FLAGS_OF_OTHERS) => parsed.ignored.push(name.to_owned()),
                _ if is_in(OPTIONS_OF_OTHERS) => {
                    value()?;
                    parsed.ignored.push(name.to_owned());
                }
                // Of divan, with an optional value.
                "--skip-ext-time" => {
                    parsed.ignored.push(name.to_owned());
                    if !is_attached {
                        arguments.next_if(|next| matches!(next.as_str(), "true" | "false"));
                    }
                }
                _ => return Err(format!("unknown option `{argument}`")),
            }
        }
        parsed.action = match (help, list, terse) {
            (true, _, _) => Action::Help,
            (false, true, true) => Action::ListTersely,
            (false, true, false) => Action::List,
            (false, false, _) if bench && !test => Action::Measure,
            (false, false, _) => Action::Smoke,
        };
        Ok(parsed)
    }
}

impl Filter {
    /// Whether the scenario of this full name is selected. The test harness calls an
    /// `unavailable` scenario ignored.
    pub(crate) fn matches(&self, name: &str, unavailable: bool) -> bool {
        let hit = |pattern: &String| {
            if self.exact {
                name == pattern
            } else {
                name.contains(pattern.as_str())
            }
        };
        (unavailable || !self.only_ignored)
            && (self.wanted.is_empty() || self.wanted.iter().any(hit))
            && !self.skipped.iter().any(hit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, String> {
        Arguments::parse(line.split_whitespace().map(String::from))
    }

    #[test]
    fn each_caller_gets_its_action() {
        // Of cargo bench, nextest, cargo test, rust-analyzer and a person.
        for (expected, lines) in [
            (
                Action::Measure,
                &["--bench", "encode --bench", "--exact a --nocapture --bench"][..],
            ),
            (
                Action::Smoke,
                &[
                    "",
                    "--test --bench",
                    "-q --test-threads 1 --color=always",
                    "--exact a --nocapture",
                    "--exact --show-output a",
                    "-Z unstable-options --format=json --report-time",
                ],
            ),
            (
                Action::ListTersely,
                &["--list --format terse", "--list --format terse --ignored"],
            ),
            (Action::List, &["--list", "--list --bench"]),
            (Action::Help, &["--bench -h"]),
        ] {
            for line in lines {
                assert_eq!(parse(line).unwrap().action, expected, "{line}");
            }
        }
    }

    #[test]
    fn values_are_not_taken_for_filters() {
        let arguments = parse("--test-threads 4 --skip slow --color auto fast").unwrap();
        assert_eq!(arguments.filter.wanted, ["fast"]);
        assert_eq!(arguments.filter.skipped, ["slow"]);
    }

    #[test]
    fn options_of_other_harnesses_are_ignored_with_their_values() {
        for (line, ignored) in [
            ("--save-baseline main", "--save-baseline"),
            ("--save-baseline=main", "--save-baseline"),
            ("-b main --noplot", "-b --noplot"),
            ("--sample-count 5 --sortr name", "--sample-count --sortr"),
            ("--skip-ext-time", "--skip-ext-time"),
            ("--skip-ext-time false", "--skip-ext-time"),
            ("--skip-ext-time=true", "--skip-ext-time"),
            ("--test-threads 1 --quiet", ""),
        ] {
            let arguments = parse(&format!("{line} parse --bench")).unwrap();
            assert_eq!(arguments.ignored.join(" "), ignored, "{line}");
            assert_eq!(arguments.filter.wanted, ["parse"], "{line}");
            assert_eq!(arguments.action, Action::Measure);
        }
        let error = parse("--bench --baseline").unwrap_err();
        assert_eq!(error, "the option `--baseline` needs a value");
    }

    #[test]
    fn filters_contain_unless_exact_and_skips_win() {
        let matches = |line: &str, name: &str, unavailable: bool| {
            parse(line).unwrap().filter.matches(name, unavailable)
        };
        for (line, expected) in [
            ("", true),
            ("rows", true),
            ("encode", false),
            ("encode parse", true),
            ("--exact parse", false),
            ("--exact parse/rows=10", true),
            ("--skip rows=1", false),
            ("--exact --skip parse", true),
            ("--ignored", false),
            ("--include-ignored", true),
        ] {
            assert_eq!(matches(line, "parse/rows=10", false), expected, "{line}");
        }
        assert!(matches("-- --odd", "name with --odd in it", false));
        assert!(matches("--bench --exact -- --odd", "--odd", false));
        for line in ["", "--ignored", "--include-ignored"] {
            assert!(matches(line, "parse", true), "{line}");
        }
        assert!(!matches("--ignored --skip parse", "parse", true));
    }

    #[test]
    fn arguments_that_libtest_refuses_are_refused() {
        for (line, error) in [
            ("--frobnicate", "unknown option `--frobnicate`"),
            ("--skip", "the option `--skip` needs a value"),
            (
                "--format fancy",
                "the option `--format` does not take `fancy`",
            ),
        ] {
            assert_eq!(parse(line).unwrap_err(), error);
        }
    }
}
