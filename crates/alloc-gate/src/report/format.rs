//! [`Report`] and [`Format`]: a report in each of its formats.

use std::io::{self, ErrorKind, Write};

use crate::named::named;
use crate::report::document::Document;
use crate::report::export::json::object::Object;
use crate::report::write;

named! {
    /// The formats of a [`Report`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Format {
        /// The one for a terminal. It may have styles.
        Terminal = "terminal",
        /// The one for step summaries.
        Markdown = "markdown",
        /// The page for a browser.
        Html = "html",
        /// The one for programs.
        Json = "json",
        /// The verdicts as tests.
        Junit = "junit",
        /// What fails, for code scanning.
        Sarif = "sarif",
        /// What fails, for GitLab's merge requests.
        CodeQuality = "code-quality",
        /// The figures for `github-action-benchmark`.
        BenchmarkAction = "benchmark-action",
        /// The figures for Bencher.
        Bmf = "bmf",
        /// The figures as a table.
        Csv = "csv",
    }
}

impl Format {
    /// What the format is for, in a few words.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Terminal => "For people at a terminal and for logs",
            Self::Markdown => "For step summaries and comments",
            Self::Html => "For a browser: one file, which loads nothing",
            Self::Json => "For programs",
            Self::Junit => "For CI systems that show tests",
            Self::Sarif => "For code scanning and editors",
            Self::CodeQuality => "For GitLab's Code Quality",
            Self::BenchmarkAction => "For charts by github-action-benchmark",
            Self::Bmf => "For Bencher",
            Self::Csv => "For spreadsheets",
        }
    }

    /// The format that a file with this ending has, if only one can be meant.
    #[must_use]
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "csv" => Some(Self::Csv),
            "html" => Some(Self::Html),
            "md" => Some(Self::Markdown),
            "sarif" => Some(Self::Sarif),
            "xml" => Some(Self::Junit),
            _ => None,
        }
    }

    /// What a report in this format is about.
    #[must_use]
    pub const fn subject(self) -> Subject {
        match self {
            Self::Terminal | Self::Markdown | Self::Html | Self::Json => Subject::Anything,
            Self::Csv => Subject::Rows,
            Self::BenchmarkAction | Self::Bmf => Subject::Figures,
            Self::Junit | Self::Sarif | Self::CodeQuality => Subject::Verdicts,
        }
    }
}

/// What a report is about, from the widest to the narrowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Whatever the command finds out.
    Anything,
    /// Figures, measured or accepted.
    Rows,
    /// The figures of scenarios that were measured.
    Figures,
    /// The verdicts of gates.
    Verdicts,
}

/// The data of a report.
pub trait Report: Copy {
    /// Writes the report.
    ///
    /// # Errors
    ///
    /// When `out` can't be written, or the data have nothing of the format's
    /// [`subject`](Format::subject).
    fn write(self, format: Format, out: &mut dyn Write) -> io::Result<()>;
}

/// The contents of a report: for people, on a page or in a log, and for programs.
pub(super) trait Contents: Copy {
    fn document(self, is_page: bool) -> Document;
    /// The document for a browser.
    fn browser(self) -> Document {
        self.document(true)
    }
    /// The address of a line of the sources, with `{path}` and `{line}`, if it is known.
    fn source(self) -> Option<String> {
        None
    }
    fn json(self) -> Object;

    /// Writes a format that is made of evaluations.
    fn export(self, _format: Format, _out: &mut dyn Write) -> io::Result<()> {
        let problem = "there are no verdicts";
        Err(io::Error::new(ErrorKind::Unsupported, problem))
    }
}

impl<C: Contents> Report for C {
    fn write(self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Terminal => write::terminal(&self.document(false), out),
            Format::Markdown => write::markdown(&self.document(true), out),
            Format::Html => write::html(&self.browser(), self.source().as_deref(), out),
            Format::Json => self.json().write(out),
            Format::Junit
            | Format::Sarif
            | Format::CodeQuality
            | Format::BenchmarkAction
            | Format::Bmf
            | Format::Csv => self.export(format, out),
        }
    }
}
