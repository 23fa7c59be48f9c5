//! What a cell shows of its scenarios: a figure, faults in its place, or why there
//! is none; and how it compares with the baseline's. Where the cell stands is not
//! known here.

use alloc_results::{Attempts, ScenarioRecord, Unit};

use super::entry::Entry;
use super::{derived, grid, spread};
use crate::bound::Bound;
use crate::config::{Quantity, ShownFigure};
use crate::{Measure, Statistic};

/// What a cell shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The figure of one scenario.
    Figure {
        /// The scenario's full name.
        scenario: String,
        /// The figure.
        value: Bound,
        /// The smallest and the largest, of a time or of what is derived from times.
        spread: Option<(Bound, Bound)>,
    },
    /// No time, since some of what was timed went wrong: what is refused takes no
    /// time, and is no achievement.
    Faulty {
        /// The scenario's full name.
        scenario: String,
        /// What went wrong, in the counted passes if something did there, or else
        /// in the timed one.
        faults: Attempts,
        /// Whether these are of the timed pass.
        is_timed: bool,
    },
    /// No figure.
    Absent {
        /// The scenario's full name, where there is one.
        scenario: Option<String>,
        /// What is absent.
        gap: Gap,
    },
    /// None of several scenarios.
    Ambiguous {
        /// Their full names.
        scenarios: Vec<String>,
        /// The axes in which they differ; none where they differ in name alone.
        axes: Vec<String>,
    },
}

/// Why a cell has no figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// There is no such scenario.
    Scenario,
    /// The scenario could not be measured, for this reason.
    Unavailable(String),
    /// The scenario did not measure the metric of this name.
    Metric(String),
    /// The scenario did not measure the first call of the metric of this name.
    FirstCall(String),
    /// The scenario measures the metric of this name in another unit.
    Unit(String),
    /// The scenario does not say on how many elements it works.
    Elements,
    /// The figure would be divided by 0.
    Division,
}

/// How a figure compares with that of the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// It is not compared: there is no baseline, no figure, or it is the baseline's.
    None,
    /// It is so many times the other, exactly.
    Times(Bound),
    /// The other is 0.
    OfZero,
    /// There is no other.
    OfNothing,
    /// There are faults in the place of the other.
    OfFaults,
}

impl Gap {
    /// The stable name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Scenario => "scenario",
            Self::Unavailable(_) => "unavailable",
            Self::Metric(_) | Self::FirstCall(_) => "metric",
            Self::Unit(_) => "unit",
            Self::Elements => "elements",
            Self::Division => "division",
        }
    }
}

/// What a cell of these scenarios shows.
pub(super) fn content(entries: &[Entry<'_>], figure: &ShownFigure) -> Content {
    let measured = match entries {
        [] => {
            return Content::Absent {
                scenario: None,
                gap: Gap::Scenario,
            };
        }
        [Entry::Measured(measured)] => measured,
        [Entry::Unavailable(unavailable)] => {
            return Content::Absent {
                scenario: Some(unavailable.scenario.name.clone()),
                gap: Gap::Unavailable(unavailable.scenario.reason.clone()),
            };
        }
        several => {
            return Content::Ambiguous {
                scenarios: several.iter().map(|e| e.name().to_owned()).collect(),
                axes: grid::differing(several),
            };
        }
    };
    let record = &measured.record;
    let scenario = record.name.clone();
    if figure.is_of_time()
        && let Some((faults, is_timed)) = faults(record)
    {
        return Content::Faulty {
            scenario,
            faults: faults.clone(),
            is_timed,
        };
    }
    let found = match &figure.quantity {
        Quantity::Metric(metric) => {
            let statistic = figure.statistic.unwrap_or(metric.default_statistic());
            match metric.figure(statistic, record) {
                Some(value) => Ok((
                    Bound::from(value),
                    spread::of_time(metric, statistic, record),
                )),
                None => Err(metric_gap(metric, statistic, record)),
            }
        }
        Quantity::Derived { expression, .. } => derived::figure(expression, record)
            .map(|value| (value, spread::of_expression(expression, record))),
    };
    match found {
        Ok((value, spread)) => Content::Figure {
            scenario,
            value,
            spread,
        },
        Err(gap) => Content::Absent {
            scenario: Some(scenario),
            gap,
        },
    }
}

/// What went wrong of the counted passes, or else of the timed one, and whether it
/// is the latter.
fn faults(record: &ScenarioRecord) -> Option<(&Attempts, bool)> {
    let outcome = record.outcome.as_ref()?;
    let passes = [(&outcome.counted, false), (&outcome.timed, true)];
    let mut faulty = passes.into_iter().filter(|(all, _)| !all.faults.is_empty());
    faulty.next()
}

/// Why a record has no such figure of `metric`.
pub(super) fn metric_gap(metric: &Measure, statistic: Statistic, record: &ScenarioRecord) -> Gap {
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

/// How `content` compares with what the baseline shows.
pub(super) fn compared(content: &Content, base: impl FnOnce() -> Content) -> Compared {
    let Content::Figure { value, .. } = content else {
        return Compared::None;
    };
    match base() {
        Content::Figure { value: base, .. } => match value.over(&base) {
            Some(times) => Compared::Times(times),
            None => Compared::OfZero,
        },
        Content::Faulty { .. } => Compared::OfFaults,
        Content::Absent { .. } | Content::Ambiguous { .. } => Compared::OfNothing,
    }
}
