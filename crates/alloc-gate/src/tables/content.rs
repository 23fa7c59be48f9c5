//! What a cell shows of its scenarios: a figure, faults in its place, or why there
//! is none; and how it compares with the baseline's. Where the cell stands is not
//! known here.

use alloc_results::{Attempts, ScenarioRecord};

use crate::evaluation::{Compared, Content, Gap};
use crate::figure::Exact;
use crate::rules::{Quantity, ShownFigure};
use crate::tables::entry::Entry;
use crate::tables::grid::Grid;
use crate::tables::source::Source;
use crate::tables::{derived, grid, spread};

/// What a cell of the scenarios of `grid` shows.
pub(super) fn content(grid: &Grid<'_>, cell: (usize, usize), figure: &ShownFigure) -> Content {
    let (scenario, source) = match grid.cell(cell) {
        [] => {
            return Content::Absent {
                scenario: None,
                gap: grid.gap(cell),
            };
        }
        [Entry::MeasuredScenario(measured)] => (
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
        Content::Figure { value: base, .. } => match value.checked_div(&base) {
            Some(times) => Compared::Times(times),
            None => Compared::OfZero,
        },
        Content::Faulty { .. } => Compared::OfFaults,
        Content::Absent { .. } | Content::Ambiguous { .. } => Compared::OfNothing,
    }
}
