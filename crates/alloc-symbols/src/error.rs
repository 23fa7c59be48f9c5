//! Why an executable can't be used, and why frames may lack lines.

use std::error;
use std::fmt;
use std::io;

/// Why an executable, or an address in it, can't be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The file can't be read.
    Unreadable {
        /// The file.
        name: String,
        /// The reason of the operating system.
        source: io::Error,
    },
    /// The file is no executable of a supported format, or damaged.
    NotAnExecutable {
        /// The file.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The file has no symbol table.
    Stripped {
        /// The file.
        name: String,
    },
    /// The symbols are in a file of their own, which is not there.
    MissingPdb {
        /// The file.
        name: String,
        /// That with the symbols.
        file: String,
    },
    /// The symbol table has no function of the anchor's name.
    NoAnchor {
        /// The file.
        name: String,
        /// The function.
        anchor: String,
    },
    /// Several functions have the anchor's name.
    AmbiguousAnchor {
        /// The file.
        name: String,
        /// The function.
        anchor: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { name, source } => write!(f, "can't read `{name}`: {source}"),
            Self::NotAnExecutable { name, reason } => {
                write!(f, "`{name}` is not a readable executable: {reason}")
            }
            Self::Stripped { name } => {
                write!(f, "`{name}` has no symbols; build it with `strip = false`")
            }
            Self::MissingPdb { name, file } => write!(
                f,
                "the symbols of `{name}` are in `{file}`, which is missing or of another build"
            ),
            Self::NoAnchor { name, anchor } => {
                write!(f, "`{name}` has no function `{anchor}`")
            }
            Self::AmbiguousAnchor { name, anchor } => {
                write!(f, "`{name}` has several functions `{anchor}`")
            }
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            _ => None,
        }
    }
}

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
