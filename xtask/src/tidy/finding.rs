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

/// The rules. Their names in kebab-case are the codes that findings show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Code {
    /// A manifest that is not TOML, or a table or figure that is missing from the architecture
    /// page.
    Unreadable,
    /// A workspace member without a row in "Who may use what".
    UnknownMember,
    /// A dependency that the crate's row does not list.
    DependencyNotAllowed,
    /// A crate outside `crates/proof` that depends on a crate inside it.
    ProofUsedOutside,
    /// Another crate in the first build of every user's bench.
    BenchBuildGrew,
    /// A third-party dependency without a comment above it that gives the reason, in the root
    /// manifest, or in the member's for an optional dependency.
    DependencyWithoutReason,
    /// A member that gives a dependency a version of its own; optional dependencies of the lab may
    /// have one.
    DependencyNotInherited,
    /// A member without the workspace's lints.
    LintsNotInherited,
    /// A link in a page to a file or a heading that does not exist, or a link from the
    /// documentation of an item to a page, which docs.rs does not have.
    BrokenLink,
    /// A web address of this project outside of `repository` in the root manifest.
    ProjectAddress,
    /// `imp.rs`, `utils.rs`, `helpers.rs`, `common.rs` or `mod.rs`.
    MeaninglessFileName,
    /// An attribute that allows or expects `unsafe_code` outside of the places that may.
    UnsafeNotAllowed,
    /// A top-level module that is missing from the figure of its crate's layers, or a module of the
    /// figure that does not exist.
    ModuleWithoutLayer,
    /// An import from a higher layer, or from another module in the same layer.
    ImportUpward,
    /// An import from a lower module that the figure closes with `never`.
    ImportForbidden,
    /// A way on the architecture page with a file that does not exist, or with too many files.
    WayNotAsDrawn,
    /// A GitHub action without a commit, and its version in a comment.
    ActionNotPinned,
    /// A workflow with the repository's default permissions.
    PermissionsMissing,
    /// A way in wrong-and-green.md without a test, or with one that does not exist, and wrong
    /// numbers above its tables.
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
