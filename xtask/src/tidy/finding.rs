//! A finding: the rule that a place breaks, and what to do about it.

use std::fmt;

use clap::ValueEnum;

/// One violation of a rule, printed in the shape of rustc's diagnostics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The rule.
    pub(crate) code: Code,
    /// The file, from the workspace's root, with `/` on every platform.
    pub(crate) path: String,
    /// The line, counted from 1.
    pub(crate) line: usize,
    /// What is wrong.
    pub(crate) message: String,
    /// What to do next.
    pub(crate) help: String,
}

/// The rules. Their names in kebab-case are the codes that findings show; the
/// architecture page explains each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Code {
    Unreadable,
    UnknownMember,
    DependencyNotAllowed,
    ProofUsedOutside,
    BenchBuildGrew,
    TerminalDetection,
    DependencyWithoutReason,
    DependencyNotInherited,
    LintsNotInherited,
    RootsDiffer,
    ReadmeMissing,
    IncompletePackage,
    LicenseDiffers,
    BrokenLink,
    ProjectAddress,
    FileTooLong,
    MeaninglessFileName,
    UnsafeNotAllowed,
    RoomWithoutFloor,
    ImportUpward,
    ImportForbidden,
    ImportFromFacade,
    RingOfFiles,
    WorkflowMissing,
    ActionNotPinned,
    PermissionsMissing,
    TestNotFound,
}

impl Finding {
    /// A finding at a line of a file.
    pub(crate) fn new(
        code: Code,
        (path, line): (&str, usize),
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            code,
            path: path.to_owned(),
            line,
            message: message.into(),
            help: help.into(),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error[{}]: {}", self.code, self.message)?;
        writeln!(f, "  --> {}:{}", self.path, self.line)?;
        write!(f, "  = help: {}", self.help)
    }
}
