//! Why an executable can't be used, and why frames may lack lines.

use std::error;
use std::fmt;

/// Why an executable, or a function in it, can't be used: a sentence that names the file.
#[derive(Debug)]
pub struct Error(pub(crate) String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for Error {}

/// Why frames may lack files and lines, or frames themselves. Those that were found are right.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// No crate but the standard library has line tables.
    NoLineTables,
    /// The line tables are compressed, which this crate doesn't read.
    CompressedLineTables,
    /// The debug information is in files beside the executable, which this crate doesn't read.
    SplitDebugInformation,
    /// On macOS, object files that have the line tables are missing, or are not those that were
    /// linked. The first of them.
    MissingObjectFiles(String),
    /// The line tables are damaged, at least in part.
    DamagedLineTables(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLineTables => f.write_str(
                "the executable has no line tables; build it with `debug = \"line-tables-only\"`",
            ),
            Self::CompressedLineTables => f.write_str(
                "the line tables of the executable are compressed; \
                 link it without `--compress-debug-sections`",
            ),
            Self::SplitDebugInformation => f.write_str(
                "the debug information is in files beside the executable; \
                 build it with `split-debuginfo = \"off\"`",
            ),
            Self::MissingObjectFiles(path) => write!(
                f,
                "the line tables are in object files that are missing or were written again, \
                 such as `{path}`; build the executable again, or with `split-debuginfo = \"packed\"`"
            ),
            Self::DamagedLineTables(reason) => {
                write!(f, "the line tables of the executable are damaged: {reason}")
            }
        }
    }
}
