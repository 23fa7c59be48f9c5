//! [`Shell`]: the program's standard streams. This is the one module of the
//! crate that prints. Reports go to stdout; everything that is said about the
//! work goes to stderr, and so does the verdict's line, which is always last.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module of the program that holds standard streams"
)]

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use indicatif::ProgressDrawTarget;

use crate::exit_code::Code;
use crate::failure::Failure;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WORK: Style = AnsiColor::Green.on_default().bold();
const DOUBT: Style = AnsiColor::Yellow.on_default().bold();
const BOLD: Style = Style::new().bold();

/// Where the program prints, and how colourfully.
pub(crate) struct Shell {
    color: ColorChoice,
    quiet: bool,
}

impl Shell {
    pub(crate) fn new(color: ColorChoice, quiet: bool) -> Self {
        Self { color, quiet }
    }

    /// Prints what clap has to say, help or usage.
    pub(crate) fn tell(&self, text: &str, code: Code) -> Code {
        if code == Code::Held {
            return match self.report(text.as_bytes()) {
                Ok(()) => code,
                Err(failure) => self.give_up(&failure),
            };
        }
        self.say(text.trim_end());
        self.not_judged(code)
    }

    /// Prints a report, which may carry styles, to stdout.
    pub(crate) fn report(&self, text: &[u8]) -> Result<(), Failure> {
        let mut out = AutoStream::new(io::stdout(), self.color);
        out.write_all(text)
            .and_then(|()| out.flush())
            .map_err(|error| {
                Failure::new(
                    Code::OutputFailed,
                    format!("failed to write to stdout: {error}"),
                )
                .next("see what stdout leads to: a full disk, or a reader that went away")
            })
    }

    /// Says what is being done, like cargo: `    Building 2 benches`.
    pub(crate) fn status(&self, verb: &str, what: &str) {
        if !self.quiet {
            self.say(&format!("{WORK}{verb:>12}{WORK:#} {what}"));
        }
    }

    /// Says something that is worth a line even when quiet was asked for.
    pub(crate) fn say(&self, text: &str) {
        let mut err = AutoStream::new(io::stderr(), self.color);
        // There is nowhere left to say that stderr can't be written.
        let _ = writeln!(err, "{text}");
    }

    /// Says the verdict, the last line of a run.
    pub(crate) fn verdict(&self, line: &str) {
        self.say(&format!("{BOLD}{line}{BOLD:#}"));
    }

    /// Says an error, without ending anything.
    pub(crate) fn error(&self, failure: &Failure) {
        self.say(&format!("{ERROR}error{ERROR:#}: {}", failure.what));
        if let Some(next) = &failure.next {
            self.say(&format!("  next: {next}"));
        }
    }

    /// Says what may not be as it was meant, and what to do about it.
    pub(crate) fn warning(&self, what: &str, next: &str) {
        self.say(&format!("{DOUBT}warning{DOUBT:#}: {what}"));
        self.say(&format!("  next: {next}"));
    }

    /// Says why there is no verdict, and with which code the program ends.
    pub(crate) fn give_up(&self, failure: &Failure) -> Code {
        self.error(failure);
        self.not_judged(failure.code)
    }

    fn not_judged(&self, code: Code) -> Code {
        self.verdict(&format!(
            "alloc-gate: NOT JUDGED: {} (exit code {})",
            code.meaning(),
            code.number()
        ));
        code
    }

    /// Where progress is drawn: on stderr if somebody watches it, or nowhere.
    pub(crate) fn draw_target(&self) -> ProgressDrawTarget {
        if !self.quiet && io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        }
    }

    /// Whether diagnostics are to carry styles: `say` takes them out again
    /// where they are not wanted.
    pub(crate) fn color(&self) -> ColorChoice {
        self.color
    }
}
