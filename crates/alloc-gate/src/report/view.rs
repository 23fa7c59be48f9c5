//! [`View`]: which parts of an evaluation the report for a terminal shows.

use crate::named::named;

/// Which parts of an evaluation the report for a terminal shows, and what reports know.
#[derive(Clone, Copy, Debug, Default)]
pub struct View<'v> {
    /// The scenarios in the tables of figures. `None` shows all if there are few rows, those
    /// that changed if there are many, and none after a failure.
    pub rows: Option<TableRows>,
    /// How much is shown.
    pub detail: Detail,
    /// A branch that commands can compare with, for the advice.
    pub base: Option<&'v str>,
    /// The address of a line of the sources, with `{path}`, and `{commit}` and `{line}` where they
    /// belong.
    pub source: Option<&'v str>,
}

named! {
    /// The scenarios in the tables of figures, from the widest selection to the narrowest.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum TableRows {
        /// All scenarios.
        All = "all",
        /// Those that are new, that differ from the baseline, or that failed.
        Changed = "changed",
        /// Those that failed.
        Failed = "failed",
        /// None.
        None = "none",
    }
}

/// How much a report for a terminal shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Only what fails the check.
    Quiet,
    /// Everything but the gates that hold.
    #[default]
    Normal,
    /// The gates that hold too, and all items of long lists.
    Verbose,
}
