//! Why nothing was measured, or nothing written. An exceeded limit is a result,
//! not an error.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Reads well after "failed to".
#[derive(Debug)]
pub enum Error {
    /// The instructions are those of another platform.
    Platform,
    /// A tool is not there, or could not be started.
    Tool {
        /// Its name.
        name: &'static str,
        /// What it is needed for, and how to install it.
        hint: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A program ended otherwise than it should.
    Program {
        /// What was run.
        command: String,
        /// How it ended, and the end of what it said.
        said: String,
    },
    /// What a tool wrote can't be read as its documentation says.
    Unreadable {
        /// Whose text, or which file.
        what: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A counter counted something else than what was done.
    Miscounted {
        /// Its name.
        contender: &'static str,
        /// The allocations that it should have counted.
        expected: u64,
        /// The allocations that it counted.
        counted: u64,
    },
    /// Other programs kept the threads from running at once.
    Busy {
        /// How many threads there were.
        threads: usize,
        /// What they called.
        contender: &'static str,
    },
    /// A thread of the measurement panicked.
    Thread,
    /// A file could not be read or written.
    File {
        /// "read" or "write".
        verb: &'static str,
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The plot could not be drawn.
    Plot(String),
}

impl Error {
    /// For `map_err` where `path` is read.
    pub fn reading(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File {
            verb: "read",
            path,
            source,
        }
    }

    /// For `map_err` where `path` is written.
    pub fn writing(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File {
            verb: "write",
            path,
            source,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Platform => f.write_str(
                "count instructions: the limits are in instructions of x86-64 Linux, \
                 and this is another platform",
            ),
            Self::Tool { name, hint, source } => write!(f, "start {name}: {source}; {hint}"),
            Self::Program { command, said } => write!(f, "run `{command}`: {said}"),
            Self::Unreadable { what, why } => write!(f, "read {what}: {why}"),
            Self::Miscounted {
                contender,
                expected,
                counted,
            } => write!(
                f,
                "have {contender} count: it counted {counted} allocations instead of {expected}"
            ),
            Self::Busy { threads, contender } => write!(
                f,
                "take times of {contender}: {threads} threads hardly ever ran at once; \
                 the machine is too busy"
            ),
            Self::Thread => f.write_str("take times: a thread panicked"),
            Self::File { verb, path, source } => write!(f, "{verb} {}: {source}", path.display()),
            Self::Plot(why) => write!(f, "draw the plot: {why}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Tool { source, .. } | Self::File { source, .. } => Some(source),
            Self::Platform
            | Self::Program { .. }
            | Self::Unreadable { .. }
            | Self::Miscounted { .. }
            | Self::Busy { .. }
            | Self::Thread
            | Self::Plot(_) => None,
        }
    }
}
