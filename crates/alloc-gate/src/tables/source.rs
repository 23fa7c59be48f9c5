//! [`Source`]: where the figures of a cell come from, what was measured or what was
//! accepted, and why one of them is not there. What is shown of them is not known here.

use alloc_results::{Ratio, ScenarioRecord, Unit};

use crate::baseline::AcceptedScenario;
use crate::evaluation::Gap;
use crate::figure::{Measure, Statistic};

/// What has the figures of one scenario.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'s> {
    /// What was measured.
    Record(&'s ScenarioRecord),
    /// What a commit of the past accepted.
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
            Self::Record(record) => of_record(metric, statistic, record),
            Self::Accepted(accepted) => of_accepted(metric, statistic, accepted),
        })
    }

    /// On how many elements an iteration works.
    pub(super) fn elements(self) -> Option<u64> {
        match self {
            Self::Record(record) => record.work.elements,
            Self::Accepted(accepted) => accepted.elements,
        }
    }

    /// How many threads run it at once.
    pub(super) fn threads(self) -> Result<u64, Gap> {
        match self {
            Self::Record(record) => Ok(record.threads),
            // The reader of the rules refuses it.
            Self::Accepted(_) => Err(Gap::NotKept(String::from("threads"))),
        }
    }

    /// How many iterations were counted.
    pub(super) fn iterations(self) -> u64 {
        match self {
            Self::Record(record) => record.iterations,
            Self::Accepted(accepted) => accepted.iterations,
        }
    }
}

/// Why a record has no such figure of `metric`.
fn of_record(metric: &Measure, statistic: Statistic, record: &ScenarioRecord) -> Gap {
    let name = || metric.name().to_owned();
    let is_measured = metric.figure(metric.default_statistic(), record).is_some();
    match (metric, statistic) {
        (_, Statistic::PerElement) if is_measured => match record.work.elements {
            Some(0) => Gap::Division,
            Some(_) | None => Gap::Elements,
        },
        (_, Statistic::First) if is_measured => Gap::FirstCall(name()),
        (Measure::Custom(custom), _) => {
            let unit: Option<Unit> = record.custom_figure(custom.name()).map(|f| f.unit());
            match unit.is_some_and(|unit| !custom.is_in(unit)) {
                true => Gap::Unit(name()),
                false => Gap::Metric(name()),
            }
        }
        (Measure::Counted(_) | Measure::ForeignAllocs | Measure::Faults | Measure::Time, _) => {
            Gap::Metric(name())
        }
    }
}

/// Why a baseline has no such figure of `metric`.
fn of_accepted(metric: &Measure, statistic: Statistic, accepted: &AcceptedScenario) -> Gap {
    let is_kept = accepted.figure_of(metric, Statistic::Mean).is_some();
    if statistic == Statistic::PerElement && is_kept {
        return match accepted.elements {
            Some(0) => Gap::Division,
            Some(_) | None => Gap::Elements,
        };
    }
    let other_unit = |name: &str| accepted.custom.contains_key(name);
    match metric {
        Measure::Custom(custom) if !is_kept && other_unit(custom.name()) => {
            Gap::Unit(custom.name().to_owned())
        }
        Measure::Custom(_)
        | Measure::Counted(_)
        | Measure::ForeignAllocs
        | Measure::Faults
        | Measure::Time => Gap::NotKept(metric.name().to_owned()),
    }
}
