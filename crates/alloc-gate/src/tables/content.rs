//! The content of a cell: a figure, faults in its place, or why there is none; and its
//! ratio to the baseline's figure.

use alloc_results::{Attempts, ScenarioRecord, Unit};

use crate::evaluation::{Compared, Content, Gap, Spread};
use crate::figure::{Exact, Measure, Statistic, per_element};
use crate::rules::ShownFigure;
use crate::tables::grid::{self, Grid};

/// The content of a cell for one of the table's figures.
pub(super) fn content(grid: &Grid<'_>, cell: (usize, usize), figure: &ShownFigure) -> Content {
    let entry = match grid.cell(cell) {
        [] => {
            return Content::Absent {
                scenario: None,
                gap: Gap::Scenario,
            };
        }
        [entry] => entry,
        several => {
            return Content::Ambiguous {
                scenarios: several.iter().map(|entry| entry.name.clone()).collect(),
                axes: grid::differing(several),
            };
        }
    };
    let scenario = entry.name.clone();
    let record = match entry.figures {
        Ok(record) => record,
        Err(reason) => {
            return Content::Absent {
                scenario: Some(scenario),
                gap: Gap::Unavailable(reason.to_owned()),
            };
        }
    };
    if figure.metric.is_time()
        && let Some((faults, is_timed)) = faults(record)
    {
        return Content::Faulty {
            scenario,
            faults: faults.clone(),
            is_timed,
        };
    }
    let ShownFigure { metric, statistic } = figure;
    match metric.figure(*statistic, record) {
        Some(value) => Content::Figure {
            scenario,
            value,
            spread: spread(metric, *statistic, record),
        },
        None => Content::Absent {
            scenario: Some(scenario),
            gap: gap(metric, *statistic, record),
        },
    }
}

/// The fastest and the slowest of a time's batches, or of the iterations of a custom metric.
/// Counts have no spread, nor has the statistic of a single value.
fn spread(metric: &Measure, statistic: Statistic, record: &ScenarioRecord) -> Option<Spread> {
    let is_middle = matches!(
        statistic,
        Statistic::Mean | Statistic::P50 | Statistic::P99 | Statistic::PerElement
    );
    if !is_middle || !metric.is_time() {
        return None;
    }
    let end = |end| {
        let end = metric.figure(end, record)?;
        match statistic == Statistic::PerElement {
            true => per_element(end, record),
            false => Some(end),
        }
    };
    let values = if let Measure::Custom(custom) = metric {
        let figure = record.custom_figure(custom.name())?;
        figure.distribution().iterations()
    } else {
        u64::try_from(record.time.as_ref()?.nanoseconds.len()).ok()?
    };
    Some(Spread {
        low: end(Statistic::Min)?,
        high: end(Statistic::Max)?,
        values,
    })
}

/// Why a record has no such figure of `metric`.
fn gap(metric: &Measure, statistic: Statistic, record: &ScenarioRecord) -> Gap {
    let name = || metric.name().to_owned();
    let is_measured = metric.figure(metric.default_statistic(), record).is_some();
    match (metric, statistic) {
        (_, Statistic::PerElement) if is_measured => match record.work.elements {
            Some(0) => Gap::NoElements,
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
        (Measure::Counted(_) | Measure::Summed(_) | Measure::Faults | Measure::Time, _) => {
            Gap::Metric(name())
        }
    }
}

/// The faults of the counted passes, or else of the timed one, and whether they are of
/// the timed one.
fn faults(record: &ScenarioRecord) -> Option<(&Attempts, bool)> {
    let outcome = record.outcome.as_ref()?;
    let passes = [(&outcome.counted, false), (&outcome.timed, true)];
    let mut faulty = passes.into_iter().filter(|(all, _)| !all.faults.is_empty());
    faulty.next()
}

/// The ratio of `content` to the baseline's content.
pub(super) fn compared(content: &Content, base: impl FnOnce() -> Content) -> Compared {
    let Content::Figure { value, .. } = content else {
        return Compared::None;
    };
    match base() {
        Content::Figure { value: base, .. } => {
            match Exact::from(*value).checked_div(&base.into()) {
                Some(times) => Compared::Times(times),
                None => Compared::OfZero,
            }
        }
        Content::Faulty { .. } => Compared::OfFaults,
        Content::Absent { .. } | Content::Ambiguous { .. } => Compared::OfNothing,
    }
}
