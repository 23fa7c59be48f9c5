//! [`Failure`]: an error that ends the program without a verdict, or keeps it from writing
//! an output. A gate that fails is not a failure.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::borrow::Cow;
use std::panic;
use std::process;

use alloc_gate::{Diagnostics, shortened};

use crate::exit_code::Code;

/// An error with the exit code, and with what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    /// What happened, where, and with which value; it may have several lines.
    pub(crate) what: String,
    /// A text with styles that shows it, made printable.
    pub(crate) excerpt: Option<Box<str>>,
    /// What to do next.
    pub(crate) help: Option<Box<str>>,
    /// What did not happen because of it, for the last line.
    consequences: Vec<String>,
    /// Whether it was printed when it happened.
    pub(crate) is_printed: bool,
    /// Whether a report shows its parts, on their lines.
    pub(crate) is_reported: bool,
    /// Where its parts are, for CI systems that show errors on lines.
    pub(crate) spots: Box<[Spot]>,
}

/// A part of an error, on a line of a file of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) file: String,
    pub(crate) line: String,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(code: Code, what: impl Into<String>) -> Self {
        Self {
            code,
            what: with_short_first_line(what.into()),
            excerpt: None,
            help: None,
            consequences: Vec::new(),
            is_printed: false,
            is_reported: false,
            spots: Box::default(),
        }
    }

    /// The error for a file with mistakes.
    pub(crate) fn underlined(what: impl Into<String>, mistakes: &Diagnostics) -> Self {
        let mut failure = Self::invalid_rules(what);
        failure.excerpt = Some(mistakes.styled().into());
        let spots = mistakes.shown().map(|mistake| Spot {
            file: mistakes.file().to_owned(),
            line: mistakes.place(mistake).line.to_string(),
            message: match &mistake.help {
                Some(help) => format!("{}\nhelp: {help}", mistake.message),
                None => mistake.message.clone(),
            },
        });
        failure.spots = spots.collect();
        failure.help("fix the errors above; nothing was built")
    }

    /// With what to do next.
    pub(crate) fn help(mut self, help: impl Into<Box<str>>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With something that did not happen because of it.
    pub(crate) fn consequence(mut self, consequence: impl Into<String>) -> Self {
        self.consequences.push(consequence.into());
        self
    }

    /// The same error, at another commit.
    pub(crate) fn at(mut self, label: &str) -> Self {
        self.what = format!("at {label}: {}", self.what);
        self
    }

    /// The error in a line.
    pub(crate) fn in_short(&self) -> &str {
        let first = self.what.lines().next().unwrap_or_default();
        first.trim_end_matches(':')
    }

    /// The error, what did not happen because of it, and the exit code, in a line.
    pub(crate) fn summary(&self) -> String {
        let mut line = self.in_short().to_owned();
        for consequence in &self.consequences {
            line.push_str("; ");
            line.push_str(consequence);
        }
        format!("{line} (exit code {})", self.code.number())
    }
}

/// The error as a reason in a report.
impl From<Failure> for String {
    fn from(failure: Failure) -> Self {
        failure.what
    }
}

/// The first line may quote text from outside. The others are from a bench's message.
fn with_short_first_line(what: String) -> String {
    let (first, rest) = what.split_at(what.find('\n').unwrap_or(what.len()));
    match shortened(first) {
        Cow::Borrowed(_) => what,
        Cow::Owned(first) => first + rest,
    }
}

/// From now on a panic of any thread ends the process with the code that `end` returns for it.
/// The panic's own message is not printed, because it may quote text from outside.
pub(crate) fn end_at_panics(end: impl Fn(&Failure) -> Code + Send + Sync + 'static) {
    panic::set_hook(Box::new(move |info| {
        let mut message = info.to_string();
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            message.push_str(&format!("\n{backtrace}"));
        }
        let failure = Failure::internal_error(format!("alloc-gate {message}"))
            .help("this is a bug in alloc-gate; please report it");
        process::exit(end(&failure).number().into())
    }));
}

macro_rules! by_code {
    ($($name:ident: $Code:ident,)+) => {
        /// The errors of each exit code.
        impl Failure {
            $(pub(crate) fn $name(what: impl Into<String>) -> Self {
                Self::new(Code::$Code, what)
            })+
        }
    };
}

by_code! {
    usage: Usage,
    internal_error: InternalError,
    nothing_selected: NothingSelected,
    invalid_rules: InvalidRules,
    build_failed: BuildFailed,
    metadata_failed: MetadataFailed,
    bench_failed: BenchFailed,
    output_failed: OutputFailed,
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::process::Command;
    use std::thread;

    use super::*;

    #[test]
    fn a_panic_of_any_thread_has_an_exit_code_of_its_own() {
        let program = env::current_exe().unwrap();
        let ran = Command::new(program)
            .args([
                "--ignored",
                "--exact",
                "failure::tests::panics",
                "--nocapture",
            ])
            .env("RUST_BACKTRACE", "0")
            .output()
            .unwrap();
        assert_eq!(ran.status.code(), Some(Code::InternalError.number().into()));
        let printed = String::from_utf8(ran.stdout).unwrap();
        let (_, shown) = printed.split_once("<<").unwrap();
        let (begin, message) = shown.split_once(":\n").unwrap();
        assert!(begin.starts_with("alloc-gate panicked at "), "{begin}");
        assert!(begin.contains("failure.rs:"), "{begin}");
        assert_eq!(message, format!("a\n::error::b>> {begin} (exit code 70)\n"));
        assert_eq!(String::from_utf8(ran.stderr).unwrap(), "");
    }

    #[test]
    #[ignore = "ends the process of the test above"]
    #[expect(
        clippy::print_stdout,
        reason = "its output is what the test above compares"
    )]
    fn panics() {
        end_at_panics(|failure| {
            println!("<<{}>> {}", failure.what, failure.summary());
            failure.code
        });
        let panicked = thread::spawn(|| panic!("a\n::error::b")).join();
        panicked.unwrap();
    }

    #[test]
    fn the_first_line_is_at_most_1_kb_and_the_message_of_a_bench_is_whole() {
        let long = "a".repeat(5_000);
        let failure = Failure::bench_failed(format!("unknown bench `{long}`\n  | {long}"));
        let (first, rest) = failure.what.split_once('\n').unwrap();
        assert!(first.len() <= 1_000 && first.ends_with("a`"), "{first}");
        assert_eq!(rest, format!("  | {long}"));
        assert!(failure.summary().len() < 1_100);
    }
}
