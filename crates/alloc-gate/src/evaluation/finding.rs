//! [`Finding`]: a problem that is not a verdict on a requirement, with a stable code.

use std::sync::Arc;

use alloc_results::{BenchId, Counts, Location, Ratio};

use crate::diagnostic::Place;
use crate::figure::{Date, Exact, Measure, Statistic};
use crate::requirement::{Comparison, Requirement};
use crate::rules::{BenchFilter, Reaction};

/// A problem that is not a verdict on a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it fails the check.
    pub level: Level,
    /// The problem.
    pub kind: FindingKind,
}

impl Finding {
    /// A finding that fails the check.
    pub(crate) const fn denied(kind: FindingKind) -> Self {
        Self {
            level: Level::Deny,
            kind,
        }
    }

    /// The finding that the policy asks for, if it asks for one.
    pub(crate) fn for_reaction(reaction: Reaction, kind: FindingKind) -> Option<Self> {
        let level = match reaction {
            Reaction::Deny => Level::Deny,
            Reaction::Warn => Level::Warn,
            Reaction::Allow => return None,
        };
        Some(Self { level, kind })
    }
}

/// Whether a finding fails the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// The check fails.
    Deny,
    /// The finding is only shown.
    Warn,
}

/// Operations that the figures of a scenario leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// In all counted iterations together.
    pub counted: Counts,
    /// The number of counted iterations.
    pub iterations: u64,
    /// In the first call; zero where it was not measured.
    pub first: Counts,
}

impl LeftOut {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counted.is_zero() && self.first.is_zero()
    }
}

/// Declares the kinds. One `of scenario at location` is about a scenario, and has these fields.
macro_rules! findings {
    ($($(#[$doc:meta])* $Kind:ident = $code:literal
        $(of $scenario:ident at $location:ident)?
        { $($(#[$of_field:meta])* $field:ident: $Type:ty,)* },)*) => {
        /// The kinds of findings with their data. Every `place` is in the rules' file.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum FindingKind {
            $($(#[$doc])* $Kind {
                $(
                    /// The full name of the scenario.
                    $scenario: String,
                    /// Where it was registered.
                    $location: Location,
                )?
                $($(#[$of_field])* $field: $Type,)*
            },)*
        }

        impl FindingKind {
            /// All codes.
            pub const CODES: [&'static str; [$($code),*].len()] = [$($code),*];

            /// The stable code; `design/findings.md` has a heading for each.
            #[must_use]
            pub const fn code(&self) -> &'static str {
                match self {
                    $(Self::$Kind { .. } => $code,)*
                }
            }

            /// The scenario that the finding is about, and where it was registered; `None` if it
            /// is about none.
            #[must_use]
            pub fn subject(&self) -> Option<(&str, &Location)> {
                match self {
                    $(Self::$Kind { $($scenario, $location,)? .. } => {
                        None$(.or(Some((&**$scenario, $location))))?
                    })*
                }
            }
        }
    };
}

findings! {
    /// No gate applies to the scenario.
    Ungated = "ungated-scenario" of scenario at location {},
    /// The iterations of the scenario differ.
    Nondeterministic = "nondeterministic-scenario" of scenario at location {
        /// The metrics that differ.
        ranges: Vec<VaryingMetric>,
    },
    /// Other threads allocated while a scenario of thread scope was counted; its figures
    /// don't include that.
    Foreign = "foreign-allocations" of scenario at location {
        /// The operations of other threads.
        operations: LeftOut,
    },
    /// `uncounted` excluded operations of a scenario; its figures don't include them.
    Uncounted = "uncounted-allocations" of scenario at location {
        /// The excluded operations.
        operations: LeftOut,
    },
    /// Threads outlived the iteration in which they began, so that the scenario's figures
    /// can be too low.
    StillRunning = "threads-still-running" of scenario at location {
        /// The number of threads in the counted pass and the pass for the peak.
        threads: u64,
        /// The number of threads in the first call.
        first: u64,
    },
    /// A rule that allows no `allocs` passes, although scenarios of it reallocate and no rule
    /// limits that: this one and `others`.
    HiddenReallocs = "hidden-reallocs" of scenario at location {
        /// The gate's name.
        gate: String,
        /// The rule's statistic.
        statistic: Statistic,
        /// The requirement on `allocs`.
        requirement: Arc<Requirement>,
        /// The same figure of its `reallocs`.
        reallocs: Ratio,
        /// The number of further scenarios.
        others: usize,
        /// Where the requirement stands.
        place: Place,
    },
    /// The scenario panicked and was not measured.
    Panicked = "panicked-scenario" of scenario at location {
        /// The bench target.
        bench: BenchId,
        /// The panic's message.
        message: String,
    },
    /// The scenario does not fit a time limit and was not measured.
    TimedOut = "timed-out-scenario" of scenario at location {
        /// The bench target.
        bench: BenchId,
        /// The limit, and what fits it.
        message: String,
    },
    /// A filter left scenarios out of a bench.
    Filtered = "filtered-results" {},
    /// Neither the rules nor the metadata of a package name the bench, so it did not run.
    UnlistedBench = "unlisted-bench" {
        /// The bench.
        bench: BenchId,
    },
    /// The rules name the bench, and the recorded results have none of it.
    UnrecordedBench = "unrecorded-bench" {
        /// The bench.
        bench: BenchId,
    },
    /// The baseline has the scenario for this environment, but it was not measured.
    Unmeasured = "unmeasured-scenario" {
        /// The full name.
        scenario: String,
        /// The bench that had it.
        bench: BenchId,
    },
    /// The scenario does not allocate, and that of the baseline does.
    FellToZero = "fell-to-zero" of scenario at location {
        /// The mean of `alloc-calls` in the baseline.
        accepted: Ratio,
    },
    /// The baseline was measured with another compiler.
    OtherToolchain = "other-toolchain" {
        /// The compiler of the baseline.
        accepted: String,
        /// The compiler of this run.
        here: String,
    },
    /// No gate compares with the baseline.
    UnusedBaseline = "unused-baseline" {
        /// The data, as the rules name it.
        file: String,
    },
    /// The baseline's page does not show the baseline's data.
    StaleDocument = "stale-document" {
        /// The page, as the rules name it.
        file: String,
    },
    /// The baseline's page does not exist.
    NoDocument = "no-document" {
        /// The page, as the rules name it.
        file: String,
    },
    /// A glob of a gate's `exclude` matches none of the gate's scenarios.
    UnmatchedExclude = "unmatched-exclude" {
        /// The gate's name.
        gate: String,
        /// The glob.
        pattern: String,
        /// Where the glob stands.
        place: Place,
    },
    /// Whether a gate or a waiver applies can't be decided.
    UnansweredCondition = "unanswered-condition" {
        /// Whose condition it is.
        owner: ConditionOwner,
        /// The gate's name.
        gate: String,
        /// Its condition.
        condition: String,
        /// The target or the compiler that too little is known of.
        about: String,
        /// Where the gate or the waiver stands.
        place: Place,
    },
    /// No figure can exceed a limit.
    UnreachableLimit = "unreachable-limit" {
        /// The gate's name.
        gate: String,
        /// The metric.
        metric: Measure,
        /// The statistic of the metric.
        statistic: Statistic,
        /// The comparison with the limit.
        comparison: Comparison,
        /// The largest figure that a record can have; `None` if the limit is the scenario's own
        /// figure.
        most: Option<Exact>,
        /// Where the requirement stands.
        place: Place,
    },
    /// A waiver's last day is over.
    ExpiredWaiver = "expired-waiver" {
        /// The gate's name.
        gate: String,
        /// The last day.
        until: Date,
        /// The waiver's reason.
        reason: String,
        /// The waiver's issue.
        issue: Option<String>,
        /// Where the waiver stands.
        place: Place,
    },
    /// A waiver with figures that meet the gate's limit without it.
    IdleWaiver = "idle-waiver" {
        /// The waiver.
        waiver: IdleWaiver,
    },
    /// A glob of a waiver matches no scenario of the gate.
    UnmatchedWaiver = "unmatched-waiver" {
        /// The gate's name.
        gate: String,
        /// The glob.
        pattern: String,
        /// The benches that the waiver is for.
        benches: BenchFilter,
        /// Where the glob stands.
        place: Place,
    },
    /// A glob of a table matches nothing.
    TableUnmatchedPattern = "table-unmatched-pattern" {
        /// The table's name.
        table: String,
        /// The glob.
        pattern: String,
        /// Whether the glob is one of `exclude`.
        excludes: bool,
        /// Where the glob stands.
        place: Place,
    },
    /// Scenarios lack an axis of the table and are not shown.
    TableMissingAxis = "table-missing-axis" {
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
    TableAmbiguousCells = "table-ambiguous-cell" {
        /// The table's name.
        table: String,
        /// The number of such cells.
        cells: usize,
        /// The axes in which the scenarios differ; empty if only their names differ.
        axes: Vec<String>,
        /// Two scenarios of one cell.
        example: [String; 2],
        /// Where the table stands.
        place: Place,
    },
}

/// A metric in which iterations differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaryingMetric {
    /// The metric.
    pub metric: Measure,
    /// The smallest value of an iteration.
    pub least: i128,
    /// The largest value of an iteration.
    pub most: i128,
}

/// The owner of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionOwner {
    /// A gate.
    Gate,
    /// A waiver of the gate.
    Waiver,
}

/// A waiver with figures that meet the gate's limit without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleWaiver {
    /// The gate's name.
    pub gate: String,
    /// The figures; never empty.
    pub figures: Vec<IdleFigure>,
    /// Whether no figure needs the waiver.
    pub is_whole: bool,
    /// Where the waiver stands.
    pub place: Place,
}

/// A figure of an [`IdleWaiver`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleFigure {
    /// The name of the scenario or series.
    pub scenario: String,
    /// The metric.
    pub metric: Measure,
    /// The statistic of the metric.
    pub statistic: Statistic,
}
