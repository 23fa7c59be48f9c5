//! [`Finding`]: a problem that is not a verdict on a requirement, with a stable code.

use alloc_results::{BenchId, Counts, Location, Ratio};

use crate::diagnostic::Place;
use crate::figure::Measure;
use crate::named::named;
use crate::results::MeasuredScenario;
use crate::rules::Reaction;

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

named! {
    /// Whether a finding fails the check.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Level {
        /// The check fails.
        Deny = "deny",
        /// The finding is only shown.
        Warn = "warn",
    }
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

/// Declares kinds of problems, each with its stable code.
macro_rules! problems {
    ($(#[$of_enum:meta])* $Name:ident {
        $($(#[$doc:meta])* $Kind:ident = $code:literal
            { $($(#[$of_field:meta])* $field:ident: $Type:ty,)* },)*
    }) => {
        $(#[$of_enum])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $Name {
            $($(#[$doc])* $Kind { $($(#[$of_field])* $field: $Type,)* },)*
        }

        impl $Name {
            const CODES: &'static [&'static str] = &[$($code),*];

            const fn code(&self) -> &'static str {
                match self {
                    $(Self::$Kind { .. } => $code,)*
                }
            }
        }
    };
}

/// What a finding is about, and the problem. Every `place` is in the rules' file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// A scenario.
    Scenario {
        /// Its full name.
        scenario: String,
        /// Where it was registered.
        location: Location,
        /// The problem.
        problem: ScenarioProblem,
    },
    /// The benches or the baseline.
    Run(RunProblem),
    /// A gate.
    Gate {
        /// The gate's name.
        gate: String,
        /// Where to change the rules.
        place: Place,
        /// The problem.
        problem: GateProblem,
    },
}

impl FindingKind {
    pub(crate) fn of_scenario(measured: &MeasuredScenario, problem: ScenarioProblem) -> Self {
        Self::Scenario {
            scenario: measured.label(),
            location: measured.record.location.clone(),
            problem,
        }
    }

    pub(crate) fn of_gate(gate: impl Into<String>, place: Place, problem: GateProblem) -> Self {
        Self::Gate {
            gate: gate.into(),
            place,
            problem,
        }
    }

    /// All codes.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        let all = [
            ScenarioProblem::CODES,
            RunProblem::CODES,
            GateProblem::CODES,
        ];
        all.into_iter().flatten().copied()
    }

    /// The stable code; `design/codes.md` has a line for each.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Scenario { problem, .. } => problem.code(),
            Self::Run(problem) => problem.code(),
            Self::Gate { problem, .. } => problem.code(),
        }
    }

    /// Where the scenario was registered that the finding is about; `None` if it is about none.
    #[must_use]
    pub const fn location(&self) -> Option<&Location> {
        match self {
            Self::Scenario { location, .. } => Some(location),
            Self::Run(_) | Self::Gate { .. } => None,
        }
    }
}

problems! {
    /// Problems of a scenario.
    ScenarioProblem {
        /// No gate applies to it.
        Ungated = "ungated-scenario" {},
        /// Its iterations differ.
        Nondeterministic = "nondeterministic-scenario" {
            /// The metrics that differ.
            ranges: Vec<VaryingMetric>,
        },
        /// Other threads allocated while it was counted in thread scope; its figures don't
        /// include that.
        Foreign = "foreign-allocations" {
            /// The operations of other threads.
            operations: LeftOut,
        },
        /// `uncounted` excluded operations; its figures don't include them.
        Uncounted = "uncounted-allocations" {
            /// The excluded operations.
            operations: LeftOut,
        },
        /// Threads outlived the iteration in which they began, so that its figures can be too low.
        StillRunning = "threads-still-running" {
            /// The number of threads in the counted pass and the pass for the peak.
            threads: u64,
            /// The number of threads in the first call.
            first: u64,
        },
        /// It panicked and was not measured.
        Panicked = "panicked-scenario" {
            /// The bench target.
            bench: BenchId,
            /// The panic's message.
            message: String,
        },
        /// It does not fit a time limit and was not measured.
        TimedOut = "timed-out-scenario" {
            /// The bench target.
            bench: BenchId,
            /// The limit, and what fits it.
            message: String,
        },
        /// It does not allocate, and that of the baseline does.
        FellToZero = "fell-to-zero" {
            /// The mean of `allocs` in the baseline.
            accepted: Ratio,
        },
    }
}

problems! {
    /// Problems of the benches and the baseline.
    RunProblem {
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
    }
}

problems! {
    /// Problems of a gate.
    GateProblem {
        /// A glob of `exclude` matches none of the gate's scenarios.
        UnmatchedExclude = "unmatched-exclude" {
            /// The glob.
            pattern: String,
        },
        /// Whether the gate applies can't be decided.
        UnansweredCondition = "unanswered-condition" {
            /// The condition.
            condition: String,
            /// The target or the compiler that too little is known of.
            about: String,
        },
    }
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
