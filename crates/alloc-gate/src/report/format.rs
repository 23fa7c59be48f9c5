//! [`Report`] and [`Format`]: a report in each of its formats.

use std::io::{self, Write};

use crate::named::named;

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
