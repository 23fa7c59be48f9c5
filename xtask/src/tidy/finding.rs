//! What a check finds: a stable code, a place, what is wrong there and what
//! to do next. It is a result and not an error, and knows nothing of checks.

use std::fmt;

/// One breach of a rule of the house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Which rule.
    pub(crate) code: Code,
    /// Where.
    pub(crate) place: Place,
    /// What is wrong.
    pub(crate) what: String,
    /// What to do next.
    pub(crate) next: String,
}

/// A line of a file of the workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// From the workspace's root, with `/` on every platform.
    pub(crate) path: String,
    /// Counted from 1.
    pub(crate) line: usize,
}

impl Place {
    /// A line of a file.
    pub(crate) fn new(path: &str, line: usize) -> Self {
        Self {
            path: path.to_owned(),
            line,
        }
    }

    /// The first line of `text` for which `wanted` holds, or its first line.
    pub(crate) fn find(path: &str, text: &str, wanted: impl Fn(&str) -> bool) -> Self {
        let before = text.lines().position(|line| wanted(line.trim()));
        Self::new(path, before.map_or(1, |before| before + 1))
    }
}

/// The rules, by the names that findings carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(clap::ValueEnum))]
pub(crate) enum Code {
    /// A workspace member of which the dependency table says nothing.
    UnknownMember,
    /// A dependency that the table does not grant.
    DependencyNotAllowed,
    /// A crate that every user's cold bench build would compile as well.
    BenchBuildGrew,
    /// comfy-table with the features that look at the terminal.
    TerminalDetection,
    /// A path to something that the crate must not know.
    ForbiddenPath,
    /// A source file that is two.
    FileTooLong,
    /// A file name that says nothing.
    MeaninglessFileName,
    /// The keyword outside the one crate that may have it.
    UnsafeOutsideCountingAlloc,
    /// A standard stream outside the modules that hold one.
    PrintOutsideConsole,
    /// A third-party dependency without a comment that says why.
    DependencyWithoutReason,
    /// A member that states a version by itself.
    DependencyNotInherited,
    /// A member outside the workspace's lints.
    LintsNotInherited,
    /// A crate without its README.md.
    ReadmeMissing,
    /// No member declares a rust-version.
    MsrvUndeclared,
    /// A dependency that needs a newer Rust than the workspace promises.
    MsrvTooLow,
    /// No workflow runs the steps on GitHub.
    WorkflowMissing,
    /// An action that is not pinned to a commit, with its version beside it.
    ActionNotPinned,
    /// A workflow that keeps the default permissions.
    PermissionsMissing,
    /// No design/architecture.md.
    ArchitecturePageMissing,
    /// A crate of which that page says nothing.
    CrateNotInArchitecture,
}

impl Code {
    /// The code as findings show it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::UnknownMember => "unknown-member",
            Self::DependencyNotAllowed => "dependency-not-allowed",
            Self::BenchBuildGrew => "bench-build-grew",
            Self::TerminalDetection => "terminal-detection",
            Self::ForbiddenPath => "forbidden-path",
            Self::FileTooLong => "file-too-long",
            Self::MeaninglessFileName => "meaningless-file-name",
            Self::UnsafeOutsideCountingAlloc => "unsafe-outside-counting-alloc",
            Self::PrintOutsideConsole => "print-outside-console",
            Self::DependencyWithoutReason => "dependency-without-reason",
            Self::DependencyNotInherited => "dependency-not-inherited",
            Self::LintsNotInherited => "lints-not-inherited",
            Self::ReadmeMissing => "readme-missing",
            Self::MsrvUndeclared => "msrv-undeclared",
            Self::MsrvTooLow => "msrv-too-low",
            Self::WorkflowMissing => "workflow-missing",
            Self::ActionNotPinned => "action-not-pinned",
            Self::PermissionsMissing => "permissions-missing",
            Self::ArchitecturePageMissing => "architecture-page-missing",
            Self::CrateNotInArchitecture => "crate-not-in-architecture",
        }
    }
}

/// In the shape of rustc's diagnostics.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            code,
            place,
            what,
            next,
        } = self;
        writeln!(f, "error[{}]: {what}", code.as_str())?;
        writeln!(f, "  --> {}:{}", place.path, place.line)?;
        write!(f, "  = help: {next}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_code_is_its_own_name_in_kebab_case() {
        let mut codes = BTreeSet::new();
        for code in Code::value_variants() {
            let name = code.to_possible_value().unwrap();
            assert_eq!(code.as_str(), name.get_name());
            assert!(codes.insert(code.as_str()), "{} twice", code.as_str());
        }
    }

    #[test]
    fn a_finding_reads_like_a_diagnostic_of_rustc() {
        let finding = Finding {
            code: Code::FileTooLong,
            place: Place::new("crates/x/src/lib.rs", 401),
            what: "500 lines of code".into(),
            next: "move the second thing out".into(),
        };
        assert_eq!(
            finding.to_string(),
            "error[file-too-long]: 500 lines of code\n  \
               --> crates/x/src/lib.rs:401\n  \
               = help: move the second thing out"
        );
    }

    #[test]
    fn a_place_is_the_first_line_that_is_wanted_or_the_first_of_the_file() {
        let text = "a\n  b = 1\nb = 2\n";
        let line = |wanted: &str| Place::find("x", text, |line| line.starts_with(wanted)).line;
        assert_eq!(line("b"), 2);
        assert_eq!(line("nothing"), 1);
    }
}
