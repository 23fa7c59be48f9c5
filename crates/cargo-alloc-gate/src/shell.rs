//! [`Shell`]: the program's standard streams. No other module of the crate prints. Reports
//! go to stdout; messages about the work go to stderr, and so does the line with the
//! verdict, which is always last.

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
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const BOLD: Style = Style::new().bold();

/// The standard streams, with colours and verbosity.
pub(crate) struct Shell {
    color: ColorChoice,
    quiet: bool,
}

impl Shell {
    pub(crate) fn new(color: ColorChoice, quiet: bool) -> Self {
        Self { color, quiet }
    }

    /// Prints help or a usage error of clap.
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
                Failure::output_failed(format!("failed to write to stdout: {error}"))
                    .help("check where stdout goes: the disk may be full, or the reader gone")
            })
    }

    /// Prints a step of the work, like cargo: `    Building 2 benches`.
    pub(crate) fn status(&self, verb: &str, what: &str) {
        if !self.quiet {
            self.say(&format!("{WORK}{verb:>12}{WORK:#} {what}"));
        }
    }

    /// Prints a message even with `--quiet`.
    pub(crate) fn say(&self, text: &str) {
        let mut err = AutoStream::new(io::stderr(), self.color);
        // An error of stderr can't be reported anywhere.
        let _ = writeln!(err, "{text}");
    }

    /// Prints the verdict, the last line of a run.
    pub(crate) fn verdict(&self, line: &str) {
        self.say(&format!("{BOLD}{line}{BOLD:#}"));
    }

    /// Prints an error, and goes on.
    pub(crate) fn error(&self, failure: &Failure) {
        self.say(&format!("{ERROR}error{ERROR:#}: {}", failure.what));
        if let Some(help) = &failure.help {
            self.say(&format!("  help: {help}"));
        }
    }

    /// Prints a warning, and what to do about it.
    pub(crate) fn warning(&self, what: &str, help: &str) {
        self.say(&format!("{WARNING}warning{WARNING:#}: {what}"));
        self.say(&format!("  help: {help}"));
    }

    /// Prints why there is no verdict, and the exit code.
    pub(crate) fn give_up(&self, failure: &Failure) -> Code {
        self.error(failure);
        self.not_judged(failure.code)
    }

    fn not_judged(&self, code: Code) -> Code {
        let (meaning, number) = (code.meaning(), code.number());
        self.no_verdict(&format!("{meaning} (exit code {number})"));
        code
    }

    /// Prints why there is no verdict, as the last line.
    pub(crate) fn no_verdict(&self, why: &str) {
        self.verdict(&format!("alloc-gate: NOT JUDGED: {why}"));
    }

    /// Where to draw progress: on stderr if it is a terminal, or nowhere.
    pub(crate) fn draw_target(&self) -> ProgressDrawTarget {
        if !self.quiet && io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        }
    }

    /// Whether a person at a terminal may have started the program.
    pub(crate) fn is_interactive(&self) -> bool {
        io::stdin().is_terminal()
    }

    /// The choice of colours, for the output of cargo.
    pub(crate) fn color(&self) -> ColorChoice {
        self.color
    }
}
