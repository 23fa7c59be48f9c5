//! What a cell shows of its scenarios: a figure, faults in its place, or why there
//! is none; and how it compares with the baseline's. Where the cell stands is not
//! known here.

use alloc_results::{Attempts, ScenarioRecord};

use super::entry::Entry;
use super::grid::Grid;
use super::source::Source;
use super::{derived, grid, spread};
use crate::bound::Bound;
use crate::config::{Quantity, ShownFigure};

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
    /// The baseline of the commit has no such scenario.
    NotAccepted,
    /// The baseline of the commit has no figure of the metric of this name.
    NotKept(String),
    /// The baseline of the commit can't be read, for this reason.
    Unreadable(String),
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
            Self::Scenario | Self::NotAccepted => "scenario",
            Self::Unavailable(_) => "unavailable",
            Self::Metric(_) | Self::FirstCall(_) | Self::NotKept(_) => "metric",
            Self::Unit(_) => "unit",
            Self::Elements => "elements",
            Self::Division => "division",
            Self::Unreadable(_) => "baseline",
        }
    }
}

/// What a cell of the scenarios of `grid` shows.
pub(super) fn content(grid: &Grid<'_>, cell: (usize, usize), figure: &ShownFigure) -> Content {
    let (scenario, source) = match grid.cell(cell) {
        [] => {
            return Content::Absent {
                scenario: None,
                gap: grid.gap(cell),
            };
        }
        [Entry::Measured(measured)] => (
            measured.record.name.as_str(),
            Source::Record(&measured.record),
        ),
        [Entry::Past(past)] => (past.name, Source::Accepted(past.accepted)),
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
    let scenario = scenario.to_owned();
    if figure.is_of_time()
        && let Source::Record(record) = source
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
            let spread = match source {
                Source::Record(record) => spread::of_time(metric, statistic, record),
                Source::Accepted(_) => None,
            };
            let figure = source.figure(metric, statistic);
            figure.map(|value| (Bound::from(value), spread))
        }
        Quantity::Derived { expression, .. } => {
            let spread = match source {
                Source::Record(record) => spread::of_expression(expression, record),
                Source::Accepted(_) => None,
            };
            derived::figure(expression, source).map(|value| (value, spread))
        }
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
