//! [`Judgement`]: the result of one requirement on one scenario.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use alloc_results::{BenchId, Location, Ratio};

use crate::diagnostic::{Code, Diagnostic, Place};
use crate::figure::{Growth, Measure, Statistic};
use crate::requirement::{Comparison, Requirement};
use crate::results::scenario_id::IdRef;

/// The result of one requirement on one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The scenario's full name; for a series, the name with `*` for the value of its axis.
    pub scenario: String,
    /// The scenario's bench.
    pub bench: BenchId,
    /// What stands before the name in reports; see
    /// [`MeasuredScenario`](crate::MeasuredScenario::qualifier).
    pub qualifier: String,
    /// Where the scenario was registered.
    pub location: Location,
    /// The metric.
    pub metric: Measure,
    /// The statistic of the metric.
    pub statistic: Statistic,
    /// The requirement on the figure.
    pub requirement: Arc<Requirement>,
    /// Where the requirement stands in the rules' file.
    pub place: Place,
    /// The verdict with its reasons.
    pub ruling: Ruling,
}

/// What was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The figure; `None` if it was not measured.
    pub measured: Option<Ratio>,
    /// The figure in the baseline, if the requirement needs it and the baseline has it.
    pub baseline: Option<Ratio>,
    /// The number of the comparison that decided, if one did: of several that fail, the first.
    pub decisive: Option<usize>,
    /// Further data that few judgements have.
    pub details: Option<Box<Details>>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Further data that few judgements have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// The computed limit of the decisive comparison, or else of the last one.
    pub computed: ComputedLimit,
    /// The comparisons that fail after the decisive one.
    pub also_broken: Vec<BrokenComparison>,
    /// The growth of the figure, for a requirement on growth.
    pub growth: Option<Growth>,
    /// The points of a growth that can't be determined.
    pub points: Vec<(u64, Ratio)>,
    /// The figure of the first call, if a limit of zero holds although the first call is above
    /// it, and no rule of the gate limits the first call.
    pub first_call: Option<Ratio>,
    /// What is missing for a verdict.
    pub missing: Option<Box<Diagnostic>>,
    /// The scenario's first operations, if the requirement fails and is about them.
    pub first_operations: Option<Box<str>>,
}

/// A limit that the rules don't have as a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComputedLimit {
    /// The limit; `None` if it is not known, or is the figure in the baseline.
    pub value: Option<Ratio>,
    /// The other figure that it is computed from.
    pub reference: Option<ReferencedFigure>,
}

/// The figure of another scenario, which a limit is computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferencedFigure {
    /// The scenario as reports show it.
    pub scenario: String,
    /// The figure; `None` if it was not measured.
    pub value: Option<Ratio>,
}

/// A comparison that fails beside the decisive one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenComparison {
    /// Its number in the requirement.
    pub number: usize,
    /// Its limit.
    pub computed: ComputedLimit,
}

impl Deref for Judgement {
    type Target = Ruling;

    fn deref(&self) -> &Ruling {
        &self.ruling
    }
}

impl Judgement {
    /// The scenario's name as reports show it: with its bench if other benches have the name
    /// too.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}{}", self.qualifier, self.scenario)
    }

    pub(crate) fn id(&self) -> IdRef<'_> {
        (&self.bench, &self.scenario)
    }

    /// The comparison that decided, if one did.
    #[must_use]
    pub fn decisive(&self) -> Option<&Comparison> {
        self.requirement.comparisons().get(self.decisive?)
    }

    /// All comparisons that fail, if the verdict is that the requirement does not hold.
    pub fn broken(&self) -> impl Iterator<Item = &Comparison> {
        let fails = self.verdict == Verdict::Fail;
        let first = self.decisive.filter(|_| fails);
        let others = self.details.iter().flat_map(|found| &found.also_broken);
        let numbers = first.into_iter().chain(others.map(|one| one.number));
        numbers.filter_map(|number| self.requirement.comparisons().get(number))
    }
}

impl Ruling {
    /// A figure before it is compared with anything.
    pub(crate) fn new(measured: Option<Ratio>) -> Self {
        Self {
            measured,
            baseline: None,
            decisive: None,
            details: None,
            verdict: Verdict::Skipped,
        }
    }

    /// The growth of the figure, for a requirement on growth that was judged.
    #[must_use]
    pub fn growth(&self) -> Option<&Growth> {
        self.details.as_ref()?.growth.as_ref()
    }
}

/// The result of a requirement or of a gate, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Does not apply to the selected scenarios.
    Skipped,
    /// Holds.
    Pass,
    /// Holds, but the figure is better than the baseline, so losing the improvement would go
    /// unnoticed. A pass if the policy allows it.
    Stale,
    /// The figure is missing, or the figure to compare it with.
    Missing(Code),
    /// Does not hold.
    Fail,
}

impl Verdict {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Pass => "pass",
            Self::Stale => "stale",
            Self::Missing(_) => "missing",
            Self::Fail => "fail",
        }
    }

    /// Why there is no verdict on a figure, if there is none.
    #[must_use]
    pub const fn absence(self) -> Option<Code> {
        match self {
            Self::Missing(code) => Some(code),
            Self::Skipped | Self::Pass | Self::Stale | Self::Fail => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
