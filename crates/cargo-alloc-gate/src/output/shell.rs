//! [`Shell`]: the program's standard streams. No other module of the crate prints. Reports
//! go to stdout; messages about the work go to stderr, and so does the line with the
//! verdict, which is always last.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module of the program that holds standard streams"
)]

use std::env;
use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};

use alloc_gate::{one_line, plain_lines, styled_lines, wrapped};
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use terminal_size::{Height, Width, terminal_size_of};

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
            return match self.print_page(text) {
                Ok(()) => code,
                Err(failure) => self.give_up(&failure),
            };
        }
        self.print(text.trim_end());
        self.ended(&format!("{} (exit code {})", code.meaning(), code.number()));
        code
    }

    /// Prints a text without styles to stdout, as far as somebody reads it.
    pub(crate) fn list(&self, text: &str) -> Result<(), Failure> {
        self.print_page(&plain_lines(text))
    }

    /// Prints sentences to stdout, as they fit into its terminal.
    pub(crate) fn sentences(&self, lines: &[String]) -> Result<(), Failure> {
        let fitted = |line: &String| folded(terminal_size_of(io::stdout()), &one_line(line)) + "\n";
        self.list(&lines.iter().map(fitted).collect::<String>())
    }

    /// Prints a report, which may carry styles, to stdout.
    pub(crate) fn report(&self, text: &str) -> Result<(), Failure> {
        self.write_to_stdout(text).map_err(not_written)
    }

    /// Prints a text that a reader, such as `head`, may close after its beginning. A report
    /// that nobody read to its end was not delivered.
    fn print_page(&self, text: &str) -> Result<(), Failure> {
        match self.write_to_stdout(text) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result.map_err(not_written),
        }
    }

    fn write_to_stdout(&self, text: &str) -> io::Result<()> {
        let mut out = AutoStream::new(io::stdout(), self.color);
        out.write_all(styled_lines(text).as_bytes())?;
        out.flush()
    }

    /// Writes a report to `/dev/stdout` or `/dev/stderr`, by the number of the stream.
    /// `None` for other numbers.
    pub(crate) fn report_to(&self, stream: u32, text: &str) -> Option<Result<(), Failure>> {
        match stream {
            1 => Some(self.report(text)),
            2 => {
                self.print(text.trim_end());
                Some(Ok(()))
            }
            _ => None,
        }
    }

    /// Prints a step of the work, like cargo: `    Building 2 benches`.
    pub(crate) fn status(&self, verb: &str, what: &str) {
        if !self.quiet {
            self.print(&format!("{WORK}{verb:>12}{WORK:#} {}", one_line(what)));
        }
    }

    /// Prints a message even with `--quiet`.
    pub(crate) fn say(&self, text: &str) {
        self.print(&plain_lines(text));
    }

    /// Prints a text with styles, in which text from outside is printable.
    fn print(&self, text: &str) {
        let mut err = AutoStream::new(io::stderr(), self.color);
        // An error of stderr can't be reported anywhere.
        let _ = writeln!(err, "{}", styled_lines(text));
    }

    /// Prints a workflow command for GitHub, which must be a line of printable text. All other
    /// output is changed where it would be one.
    pub(crate) fn command(&self, line: &str) {
        // An error of stderr can't be reported anywhere.
        let _ = writeln!(io::stderr(), "{}", one_line(line));
    }

    /// Prints the verdict, the last line of a run.
    pub(crate) fn verdict(&self, line: &str) {
        self.bold(BOLD, line);
    }

    /// Prints the verdict of gates that hold, or that don't.
    pub(crate) fn judgement(&self, line: &str, code: Code) {
        let style = if code == Code::Held { WORK } else { ERROR };
        self.bold(style, line);
    }

    fn bold(&self, style: Style, line: &str) {
        let line = folded(terminal_size_of(io::stderr()), &one_line(line));
        self.print(&format!("{style}{line}{style:#}"));
    }

    /// Prints an error, unless it was printed when it happened, and goes on.
    pub(crate) fn error(&self, failure: &Failure) {
        if failure.is_printed {
            return;
        }
        self.labelled(ERROR, "error", &failure.what);
        if let Some(excerpt) = &failure.excerpt {
            self.print(&format!("\n{excerpt}\n"));
        }
        if let Some(help) = &failure.help {
            self.help(help);
        }
    }

    fn help(&self, help: &str) {
        self.print(&folded(
            terminal_size_of(io::stderr()),
            &plain_lines(&format!("  help: {help}")),
        ));
    }

    fn labelled(&self, style: Style, word: &str, what: &str) {
        let text = folded(
            terminal_size_of(io::stderr()),
            &plain_lines(&format!("{word}: {what}")),
        );
        let what = text.strip_prefix(word).unwrap_or_default();
        self.print(&format!("{style}{word}{style:#}{what}"));
    }

    /// Prints a warning, and what to do about it.
    pub(crate) fn warning(&self, what: &str, help: &str) {
        self.labelled(WARNING, "warning", what);
        self.help(help);
    }

    /// Prints what is worth knowing, with lines to copy.
    pub(crate) fn note(&self, what: &str, lines: &str) {
        if !self.quiet {
            self.labelled(WORK, "note", what);
            self.say(lines);
        }
    }

    /// Prints an error, and as the last line that there is no verdict because of it.
    pub(crate) fn give_up(&self, failure: &Failure) -> Code {
        self.error(failure);
        self.ended(&failure.summary());
        failure.code
    }

    /// Prints why there is no verdict, as the last line.
    pub(crate) fn ended(&self, why: &str) {
        self.bold(ERROR, &format!("alloc-gate: error: {why}"));
    }

    /// Whether stderr is a terminal that can show a line in the place of another.
    pub(crate) fn redraws(&self) -> bool {
        let is_dumb = env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        !self.quiet && !is_dumb && io::stderr().is_terminal()
    }

    /// Draws a line in the place of the one that was drawn before; an empty one removes it.
    pub(crate) fn draw(&self, line: &str) {
        let mut err = AutoStream::new(io::stderr(), ColorChoice::AlwaysAnsi);
        // Without wrapping: the terminal cuts a long line.
        let _ = write!(err, "\r\x1b[?7l{}\x1b[K\x1b[?7h", one_line(line));
    }

    /// Prints at which step a long work is.
    pub(crate) fn step(&self, line: &str) {
        if !self.quiet {
            self.say(&one_line(line));
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

/// The columns of the terminal that stdout is, if it is one.
pub(crate) fn width_of_stdout() -> Option<usize> {
    width(terminal_size_of(io::stdout()))
}

fn width(terminal: Option<(Width, Height)>) -> Option<usize> {
    let (Width(columns), _) = terminal?;
    (columns > 0).then(|| columns.into())
}

/// The lines as they fit into a terminal of this size.
fn folded(terminal: Option<(Width, Height)>, text: &str) -> String {
    let width = width(terminal).unwrap_or(usize::MAX);
    let lines = text.lines().map(|line| wrapped(line, width));
    lines.collect::<Vec<_>>().join("\n")
}

/// The words of a command as a person types it in a POSIX shell, quoted where needed.
pub(crate) fn quoted(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    let words = words.into_iter().map(|word| {
        let word = word.as_ref().to_string_lossy();
        if !word.is_empty() && word.chars().all(is_plain) {
            word.into_owned()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    words.collect::<Vec<String>>().join(" ")
}

fn not_written(error: io::Error) -> Failure {
    Failure::output_failed(format!("failed to write to stdout: {error}"))
        .help("the disk may be full, or the program that reads stdout has exited")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_needed() {
        let words = ["cargo", "x", "a*", "", "it's", "--report=json=x/y.json"];
        assert_eq!(
            quoted(words),
            r"cargo x 'a*' '' 'it'\''s' --report=json=x/y.json"
        );
    }
}
