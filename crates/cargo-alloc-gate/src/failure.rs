//! [`Failure`]: an error that ends the program without a verdict, or keeps it from writing
//! an output. A gate that fails is not a failure.

use crate::exit_code::Code;

/// An error with the exit code, and with what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    /// What happened, where, and with which value; it may have several lines.
    pub(crate) what: String,
    /// What to do next.
    pub(crate) help: Option<String>,
}

impl Failure {
    pub(crate) fn new(code: Code, what: impl Into<String>) -> Self {
        Self {
            code,
            what: what.into(),
            help: None,
        }
    }

    /// With what to do next.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

macro_rules! by_code {
    ($($name:ident: $Code:ident,)+) => {
        /// The errors of each exit code.
        impl Failure {
            $(pub(crate) fn $name(what: impl Into<String>) -> Self {
                Self::new(Code::$Code, what)
            })+
        }
    };
}

by_code! {
    usage: Usage,
    nothing_selected: NothingSelected,
    invalid_rules: InvalidRules,
    build_failed: BuildFailed,
    metadata_failed: MetadataFailed,
    bench_failed: BenchFailed,
    output_failed: OutputFailed,
}
