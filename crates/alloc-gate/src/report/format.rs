//! [`Report`] and [`Format`]: a report in each of its formats.

use std::io::{self, ErrorKind, Write};

use crate::named::named;
use crate::report::document::Document;
use crate::report::json::object::Object;
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
        }
    }

    /// The format that a file with this ending has, if only one can be meant.
    #[must_use]
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "html" => Some(Self::Html),
            "md" => Some(Self::Markdown),
            "xml" => Some(Self::Junit),
            _ => None,
        }
    }

    /// Whether only verdicts can be written in it.
    #[must_use]
    pub fn needs_verdicts(self) -> bool {
        self == Self::Junit
    }
}

/// The data of a report.
pub trait Report: Copy {
    /// Writes the report.
    ///
    /// # Errors
    ///
    /// When `out` can't be written, or the format [needs verdicts](Format::needs_verdicts) and the
    /// data have none.
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

    /// Writes the verdicts as tests.
    fn junit(self, _out: &mut dyn Write) -> io::Result<()> {
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
            Format::Junit => self.junit(out),
        }
    }
}
