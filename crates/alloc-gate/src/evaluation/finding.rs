//! [`Finding`]: what was noticed beside the verdicts, under a stable code.

use alloc_results::{BenchId, Location};

use crate::diagnostic::Place;
use crate::figure::Date;
use crate::rules::{Pattern, Table};

/// Something beside the verdicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it fails the check.
    pub level: Level,
    /// What it is.
    pub remark: FindingKind,
}

/// Whether a finding fails the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// It does.
    Deny,
    /// It does not, and is shown.
    Warn,
}

/// What was noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// No gate applies to the scenario.
    Ungated {
        /// The full name.
        scenario: String,
        /// Where it was registered.
        location: Location,
    },
    /// The iterations of the scenario differ.
    Nondeterministic {
        /// The full name.
        scenario: String,
        /// Where it was registered.
        location: Location,
        /// The metrics that differ, with the smallest and the largest value.
        ranges: Vec<(String, i128, i128)>,
    },
    /// Other threads allocated while a scenario of thread scope was counted, and
    /// no figure has that.
    Foreign {
        /// The full name.
        scenario: String,
        /// Where it was registered.
        location: Location,
        /// What the others allocated in all counted iterations together.
        allocs: u64,
        /// What they gave back.
        deallocs: u64,
        /// The number of counted iterations.
        iterations: u64,
    },
    /// The scenario panicked, and so was not measured.
    Panicked {
        /// The full name.
        scenario: String,
        /// Where it was registered.
        location: Location,
        /// What it said.
        message: String,
    },
    /// A filter left scenarios out of a bench.
    Filtered,
    /// The baseline has the scenario for this environment, and nothing measured
    /// it.
    Unmeasured {
        /// The full name.
        scenario: String,
        /// The bench that had it.
        bench: BenchId,
    },
    /// The baseline's figures are of another compiler.
    OtherToolchain {
        /// The compiler that the baseline was measured with.
        accepted: String,
        /// The compiler of this run.
        here: String,
    },
    /// The baseline's page does not show its data.
    StaleDocument {
        /// The page, as the rules name it.
        file: String,
    },
    /// The baseline's page is not there.
    NoDocument {
        /// The page, as the rules name it.
        file: String,
    },
    /// Something about where a rule applies.
    Scope(ScopeRemark),
    /// Something about a table.
    Table(TableRemark),
}

/// What was noticed about where rules apply. Places are in the rules' file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopeRemark {
    /// What a gate excludes is not there.
    UnmatchedExclude {
        /// The gate's name.
        gate: String,
        /// The glob.
        pattern: String,
        /// Where the glob stands.
        place: Place,
    },
    /// Nothing says whether a gate or a waiver applies.
    Unanswered {
        /// Which one, in words.
        owner: String,
        /// Its condition.
        condition: String,
        /// What nothing is known of: a target or a compiler.
        about: String,
        /// Where it stands.
        place: Place,
    },
    /// A waiver's last day is over.
    ExpiredWaiver {
        /// The gate that it is of.
        gate: String,
        /// Its last day.
        until: Date,
        /// Why it was there.
        reason: String,
        /// Where it was to be worked on.
        issue: Option<String>,
        /// Where it stands.
        place: Place,
    },
    /// A waiver of what holds without it.
    IdleWaiver {
        /// The gate that it is of.
        gate: String,
        /// Where it stands.
        place: Place,
    },
    /// A waiver for scenarios that the gate does not judge.
    UnmatchedWaiver {
        /// The gate that it is of.
        gate: String,
        /// The glob.
        pattern: String,
        /// Where the glob stands.
        place: Place,
    },
}

impl FindingKind {
    /// The stable code; `design/gates.md` has a heading for each.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Ungated { .. } => "ungated-scenario",
            Self::Nondeterministic { .. } => "nondeterministic-scenario",
            Self::Foreign { .. } => "foreign-allocations",
            Self::Panicked { .. } => "panicked-scenario",
            Self::Filtered => "filtered-results",
            Self::Unmeasured { .. } => "unmeasured-scenario",
            Self::OtherToolchain { .. } => "other-toolchain",
            Self::StaleDocument { .. } => "stale-document",
            Self::NoDocument { .. } => "no-document",
            Self::Scope(remark) => remark.code(),
            Self::Table(remark) => remark.code(),
        }
    }

    /// All codes.
    pub const CODES: [&'static str; 19] = [
        "ungated-scenario",
        "nondeterministic-scenario",
        "foreign-allocations",
        "panicked-scenario",
        "filtered-results",
        "unmeasured-scenario",
        "other-toolchain",
        "stale-document",
        "no-document",
        "unmatched-exclude",
        "unanswered-condition",
        "expired-waiver",
        "idle-waiver",
        "unmatched-waiver",
        "table-unmatched-pattern",
        "table-missing-axis",
        "table-ambiguous-cell",
        "table-missing-baseline",
        "table-no-history",
    ];
}

impl ScopeRemark {
    const fn code(&self) -> &'static str {
        match self {
            Self::UnmatchedExclude { .. } => "unmatched-exclude",
            Self::Unanswered { .. } => "unanswered-condition",
            Self::ExpiredWaiver { .. } => "expired-waiver",
            Self::IdleWaiver { .. } => "idle-waiver",
            Self::UnmatchedWaiver { .. } => "unmatched-waiver",
        }
    }
}

/// What was noticed about a table. Places are in the rules' file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableRemark {
    /// A glob matches nothing.
    UnmatchedPattern {
        /// The table's name.
        table: String,
        /// The glob.
        pattern: String,
        /// Whether it is one of `exclude`.
        excludes: bool,
        /// Where the glob stands.
        place: Place,
    },
    /// Scenarios don't have an axis of the table, and are not shown.
    MissingAxis {
        /// The table's name.
        table: String,
        /// The axis.
        axis: String,
        /// The scenarios' full names; never empty.
        scenarios: Vec<String>,
        /// The axes that scenarios of the table have.
        known: Vec<String>,
        /// Whether no scenario of the table has the axis.
        is_unknown: bool,
        /// Where the axis is named.
        place: Place,
    },
    /// Several scenarios fit into one cell.
    AmbiguousCells {
        /// The table's name.
        table: String,
        /// How many cells.
        cells: usize,
        /// The axes in which they differ; none where they differ in name alone.
        axes: Vec<String>,
        /// Two scenarios of one cell.
        example: [String; 2],
        /// Whether they are accepted ones, and not measured ones.
        is_of_history: bool,
        /// Where the table stands.
        place: Place,
    },
    /// There is no history to show.
    NoHistory {
        /// The table's name.
        table: String,
        /// The data of the baseline.
        file: String,
        /// Why there is none.
        reason: String,
        /// Where the table stands.
        place: Place,
    },
    /// What the others were to be compared with is not in the table.
    MissingBaseline {
        /// The table's name.
        table: String,
        /// The value.
        baseline: String,
        /// What the table has in its place.
        known: Vec<String>,
        /// Where the value stands.
        place: Place,
    },
}

impl TableRemark {
    pub(crate) fn unmatched(table: &Table, pattern: &Pattern, excludes: bool) -> Self {
        Self::UnmatchedPattern {
            table: table.name.clone(),
            pattern: pattern.text().to_owned(),
            excludes,
            place: pattern.place(),
        }
    }

    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::UnmatchedPattern { .. } => "table-unmatched-pattern",
            Self::MissingAxis { .. } => "table-missing-axis",
            Self::AmbiguousCells { .. } => "table-ambiguous-cell",
            Self::MissingBaseline { .. } => "table-missing-baseline",
            Self::NoHistory { .. } => "table-no-history",
        }
    }
}
