//! [`Format`]: the formats of one kind of report, each with its name, its help and the
//! function that writes it.

use std::fmt::Debug;
use std::io::{self, Write};

/// The formats of one kind of report. A kind need not have the formats of another.
pub trait Format: Copy + Debug + Eq + Send + Sync + 'static {
    /// The data of the report.
    type Report<'d>: Copy;

    /// All formats, in the order of the help.
    const ALL: &'static [Self];
    /// The format for a terminal. It may have styles.
    const TERMINAL: Self;
    /// The format for step summaries.
    const MARKDOWN: Self;

    /// The name on the command line.
    fn name(self) -> &'static str;

    /// What the format is for, in a few words.
    fn help(self) -> &'static str;

    /// Writes the report.
    ///
    /// # Errors
    ///
    /// When `out` can't be written.
    fn write(self, report: Self::Report<'_>, out: &mut dyn Write) -> io::Result<()>;
}

/// Declares the formats of a kind of report, a line each.
macro_rules! formats {
    (
        $(#[$doc:meta])*
        $List:ident for<$report:lifetime> $Report:ty:
        $($Name:ident($name:literal, $help:literal) = $write:expr,)+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $List {
            $(
                #[doc = $help]
                $Name,
            )+
        }

        impl $crate::report::Format for $List {
            type Report<$report> = $Report;

            const ALL: &'static [Self] = &[$(Self::$Name),+];
            const TERMINAL: Self = Self::Terminal;
            const MARKDOWN: Self = Self::Markdown;

            fn name(self) -> &'static str {
                match self {
                    $(Self::$Name => $name,)+
                }
            }

            fn help(self) -> &'static str {
                match self {
                    $(Self::$Name => $help,)+
                }
            }

            fn write(
                self,
                report: Self::Report<'_>,
                out: &mut dyn std::io::Write,
            ) -> std::io::Result<()> {
                match self {
                    $(Self::$Name => $write(report, out),)+
                }
            }
        }
    };
}

pub(super) use formats;
