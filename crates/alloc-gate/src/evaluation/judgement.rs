//! [`Judgement`]: what became of one requirement on one scenario.

use std::fmt;
use std::sync::Arc;

use alloc_results::{BenchId, Location, Ratio};

use crate::diagnostic::Place;
use crate::figure::{Date, Exact, Growth, Measure, Statistic};
use crate::requirement::{Comparison, Requirement};

/// One requirement on one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The scenario's full name.
    pub scenario: String,
    /// The bench that it belongs to.
    pub bench: BenchId,
    /// Where it was registered.
    pub location: Location,
    /// What is judged.
    pub metric: Measure,
    /// Which figure of it.
    pub statistic: Statistic,
    /// What the figure has to be.
    pub requirement: Arc<Requirement>,
    /// Where the requirement stands in the rules' file.
    pub place: Place,
    /// The figure; `None` when it was not measured.
    pub measured: Option<Ratio>,
    /// The figure in the baseline, where the requirement asks for it and it is
    /// there.
    pub baseline: Option<Ratio>,
    /// Which comparison of the requirement decided, where one did.
    pub decisive: Option<usize>,
    /// What else there is to say, where there is.
    pub details: Option<Box<Details>>,
    /// The waiver that was asked, where the requirement does not hold and one is
    /// in force. Whether that one holds is the verdict.
    pub waiver: Option<Box<WaiverNote>>,
    /// The verdict.
    pub verdict: Verdict,
}

/// What few judgements have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// What the limit of the comparison that decided, or else of the last one,
    /// comes to, where it has to be worked out.
    pub limit: Option<Exact>,
    /// The other scenario of the same comparison, and the figure there.
    pub reference: Option<(String, Option<Ratio>)>,
    /// How the figure grows, of a requirement on growth.
    pub growth: Option<Growth>,
    /// The points that are too few or too near to each other to tell that.
    pub points: Vec<(u64, Ratio)>,
    /// The requirement that the figures of all scenarios of the rule meet, where
    /// they are far better than this one.
    pub tightened: Option<Requirement>,
}

impl Judgement {
    /// The comparison that decided, where one did.
    #[must_use]
    pub fn decisive(&self) -> Option<&Comparison> {
        self.requirement.comparisons().get(self.decisive?)
    }

    /// How the figure grows, of a requirement on growth that was judged.
    #[must_use]
    pub fn growth(&self) -> Option<&Growth> {
        self.details.as_ref()?.growth.as_ref()
    }
}

/// A waiver of a judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaiverNote {
    /// What it requires instead.
    pub requirement: Arc<Requirement>,
    /// Where that stands in the rules' file.
    pub place: Place,
    /// Why it exists.
    pub reason: String,
    /// Where it is worked on.
    pub issue: Option<String>,
    /// The last day on which it holds.
    pub until: Option<Date>,
}

/// What became of a requirement or of a gate, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It does not apply to what was selected.
    Skipped,
    /// It holds.
    Pass,
    /// It does not hold, and a waiver in force allows that.
    Waived,
    /// It holds, and the figure is better than the baseline: the improvement
    /// would be lost again unnoticed. A pass where the policy allows it.
    Stale,
    /// There is nothing to judge, or nothing to judge it by.
    Missing(Absence),
    /// It does not hold.
    Fail,
}

/// What is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Absence {
    /// The metric was not measured in the scenario.
    Metric,
    /// The scenario measures it in another unit than the rules declare.
    Unit,
    /// The baseline has nothing of the environment.
    Environment,
    /// The baseline does not have the scenario, or not this metric of it.
    Baseline,
    /// The baseline's total is over another number of iterations.
    Iterations,
    /// The scenario does not say on how many elements it works, or works on none.
    Elements,
    /// The scenario that the limit refers to was not measured, or not this figure
    /// of it.
    Reference,
    /// The scenario has no axis of whole numbers to grow over, or several.
    Axis,
    /// There are too few points to tell how the figure grows.
    Points,
    /// The points lie too near to each other for that.
    Span,
    /// The scenario could not be measured where its bench ran.
    Unavailable,
    /// No scenario matches.
    Scenario,
}

impl Verdict {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Pass => "pass",
            Self::Waived => "waived",
            Self::Stale => "stale",
            Self::Missing(_) => "missing",
            Self::Fail => "fail",
        }
    }
}

impl Absence {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Metric => "metric",
            Self::Unit => "unit",
            Self::Environment => "baseline-environment",
            Self::Baseline => "baseline-figure",
            Self::Iterations => "baseline-iterations",
            Self::Elements => "elements",
            Self::Reference => "reference",
            Self::Axis => "axis",
            Self::Points => "points",
            Self::Span => "span",
            Self::Unavailable => "unavailable",
            Self::Scenario => "scenario",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
