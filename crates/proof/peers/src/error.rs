//! [`Error`]: why nothing was measured or written. An exceeded limit is a result, not
//! an error.

use std::fmt;
use std::io;
use std::path::PathBuf;

use proof_shared::child::ChildError;
use proof_shared::valgrind::NotInstalled;

/// Why nothing was measured or written. Its text reads well after "failed to".
#[derive(Debug)]
pub enum Error {
    /// Instructions can't be counted on this platform.
    Platform,
    /// valgrind is missing.
    Valgrind(NotInstalled),
    /// A program could not be run, or failed.
    Program(ChildError),
    /// A file or the output of a tool has an unknown format.
    Unreadable {
        /// The file or the tool.
        what: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A counter did not count what it should.
    Miscounted {
        /// The counter's name.
        counter: &'static str,
        /// The allocations that it should have counted.
        expected: u64,
        /// The allocations that it counted.
        counted: u64,
    },
    /// Other programs kept the threads from running at once.
    Busy {
        /// The number of threads.
        threads: usize,
        /// The counter that they called.
        counter: &'static str,
    },
    /// A thread of the measurement panicked.
    Thread,
    /// A file could not be read or written.
    File {
        /// "read" or "write".
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The plot could not be drawn.
    Plot(String),
}

impl Error {
    /// For `map_err` where `path` is read.
    pub fn reading(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        Self::file("read", path.into())
    }

    /// For `map_err` where `path` is written.
    pub fn writing(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        Self::file("write", path.into())
    }

    fn file(verb: &'static str, path: PathBuf) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { verb, path, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Platform => f.write_str("count instructions: this requires x86-64 Linux"),
            Self::Valgrind(missing) => write!(f, "count instructions: {missing}"),
            Self::Program(error) => error.fmt(f),
            Self::Unreadable { what, why } => write!(f, "read {what}: {why}"),
            Self::Miscounted {
                counter,
                expected,
                counted,
            } => write!(
                f,
                "check {counter}: it counted {counted} allocations instead of {expected}"
            ),
            Self::Busy { threads, counter } => write!(
                f,
                "measure times of {counter}: {threads} threads hardly ever ran at once; \
                 the machine is too busy"
            ),
            Self::Thread => f.write_str("measure times: a thread panicked"),
            Self::File { verb, path, source } => write!(f, "{verb} {}: {source}", path.display()),
            Self::Plot(why) => write!(f, "draw the plot: {why}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Valgrind(source) => Some(source),
            Self::Program(source) => source.source(),
            Self::File { source, .. } => Some(source),
            Self::Platform
            | Self::Unreadable { .. }
            | Self::Miscounted { .. }
            | Self::Busy { .. }
            | Self::Thread
            | Self::Plot(_) => None,
        }
    }
}
