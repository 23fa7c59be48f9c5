//! [`Source`]: the figures of a scenario, either measured or accepted with a commit.

use alloc_results::{Ratio, ScenarioRecord, Unit};

use crate::baseline::AcceptedScenario;
use crate::evaluation::Gap;
use crate::figure::{Measure, Statistic};

/// The figures of one scenario.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'s> {
    /// Measured figures.
    Record(&'s ScenarioRecord),
    /// Figures in the baseline of a past commit.
    Accepted(&'s AcceptedScenario),
}

impl Source<'_> {
    /// A figure, or why there is none.
    pub(super) fn figure(self, metric: &Measure, statistic: Statistic) -> Result<Ratio, Gap> {
        let found = match self {
            Self::Record(record) => metric.figure(statistic, record),
            Self::Accepted(accepted) => accepted.figure_of(metric, statistic),
        };
        found.ok_or_else(|| match self {
            Self::Record(record) => record_gap(metric, statistic, record),
            Self::Accepted(accepted) => accepted_gap(metric, statistic, accepted),
        })
    }

    /// The number of elements that an iteration works on.
    pub(super) fn elements(self) -> Option<u64> {
        match self {
            Self::Record(record) => record.work.elements,
            Self::Accepted(accepted) => accepted.elements,
        }
    }

    /// The number of threads that run the scenario at once.
    pub(super) fn threads(self) -> Result<u64, Gap> {
        match self {
            Self::Record(record) => Ok(record.threads),
            // The reader of the rules refuses `threads` in a table with `history`.
            Self::Accepted(_) => Err(Gap::NotKept(String::from("threads"))),
        }
    }

    /// The number of counted iterations.
    pub(super) fn iterations(self) -> u64 {
        match self {
            Self::Record(record) => record.iterations,
            Self::Accepted(accepted) => accepted.iterations,
        }
    }
}

/// Why a record has no such figure of `metric`.
fn record_gap(metric: &Measure, statistic: Statistic, record: &ScenarioRecord) -> Gap {
    let name = || metric.name().to_owned();
    let is_measured = metric.figure(metric.default_statistic(), record).is_some();
    match (metric, statistic) {
        (_, Statistic::PerElement) if is_measured => elements_gap(record.work.elements),
        (_, Statistic::First) if is_measured => Gap::FirstCall(name()),
        (Measure::Custom(custom), _) => {
            let unit: Option<Unit> = record.custom_figure(custom.name()).map(|f| f.unit());
            match unit.is_some_and(|unit| !custom.is_in(unit)) {
                true => Gap::Unit(name()),
                false => Gap::Metric(name()),
            }
        }
        (Measure::Counted(_) | Measure::Summed(_) | Measure::Faults | Measure::Time, _) => {
            Gap::Metric(name())
        }
    }
}

/// Why a baseline has no such figure of `metric`.
fn accepted_gap(metric: &Measure, statistic: Statistic, accepted: &AcceptedScenario) -> Gap {
    let is_kept = accepted.figure_of(metric, Statistic::Mean).is_some();
    if statistic == Statistic::PerElement && is_kept {
        return elements_gap(accepted.elements);
    }
    let other_unit = |name: &str| accepted.custom.contains_key(name);
    match metric {
        Measure::Custom(custom) if !is_kept && other_unit(custom.name()) => {
            Gap::Unit(custom.name().to_owned())
        }
        Measure::Custom(_)
        | Measure::Counted(_)
        | Measure::Summed(_)
        | Measure::Faults
        | Measure::Time => Gap::NotKept(metric.name().to_owned()),
    }
}

/// Why a measured metric has no figure per element.
fn elements_gap(elements: Option<u64>) -> Gap {
    match elements {
        Some(0) => Gap::Division,
        Some(_) | None => Gap::Elements,
    }
}
