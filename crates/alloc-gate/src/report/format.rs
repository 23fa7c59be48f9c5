//! [`Report`] and [`Format`]: a report in each of its formats.

use std::io::{self, Write};

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
        /// The one for programs.
        Json = "json",
    }
}

impl Format {
    /// What the format is for, in a few words.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Terminal => "For people at a terminal and for logs",
            Self::Markdown => "For step summaries and comments",
            Self::Json => "For programs",
        }
    }
}

/// The data of a report.
pub trait Report: Copy {
    /// Writes the report.
    ///
    /// # Errors
    ///
    /// When `out` can't be written.
    fn write(self, format: Format, out: &mut dyn Write) -> io::Result<()>;
}

/// The contents of a report: for people, on a page or in a log, and for programs.
pub(super) trait Contents: Copy {
    fn document(self, is_page: bool) -> Document;
    fn json(self) -> Object;
}

impl<C: Contents> Report for C {
    fn write(self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Terminal => write::terminal(&self.document(false), out),
            Format::Markdown => write::markdown(&self.document(true), out),
            Format::Json => self.json().write(out),
        }
    }
}
