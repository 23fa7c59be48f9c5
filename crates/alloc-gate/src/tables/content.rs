//! The content of a cell: a figure, faults in its place, or why there is none; and its
//! ratio to the baseline's figure.

use alloc_results::{Attempts, ScenarioRecord};

use crate::evaluation::{Compared, Content, Gap};
use crate::figure::Exact;
use crate::rules::{Quantity, ShownFigure};
use crate::tables::grid::Grid;
use crate::tables::source::Source;
use crate::tables::{derived, grid, spread};

/// The content of a cell for one of the table's figures.
pub(super) fn content(grid: &Grid<'_>, cell: (usize, usize), figure: &ShownFigure) -> Content {
    let entry = match grid.cell(cell) {
        [] => {
            return Content::Absent {
                scenario: None,
                gap: grid.gap(cell),
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
    let source = match entry.figures {
        Ok(source) => source,
        Err(reason) => {
            return Content::Absent {
                scenario: Some(scenario),
                gap: Gap::Unavailable(reason.to_owned()),
            };
        }
    };
    if figure.is_time()
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
            figure.map(|value| (Exact::from(value), spread))
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
        Content::Figure { value: base, .. } => match value.checked_div(&base) {
            Some(times) => Compared::Times(times),
            None => Compared::OfZero,
        },
        Content::Faulty { .. } => Compared::OfFaults,
        Content::Absent { .. } | Content::Ambiguous { .. } => Compared::OfNothing,
    }
}
