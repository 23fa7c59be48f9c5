//! [`cell`]: a figure, or why there is none.

use alloc_results::{Attempts, Ratio, ScenarioRecord};

use crate::evaluation::{Gap, PivotCell};
use crate::figure::{Measure, Statistic};
use crate::rules::ShownFigure;
use crate::tables::entry::Entry;
use crate::tables::grid;

/// The cell with these scenarios, for one of the table's figures.
pub(super) fn cell(entries: &[Entry<'_>], figure: &ShownFigure) -> PivotCell {
    let entry = match entries {
        [] => {
            return PivotCell::Absent {
                scenario: None,
                gap: Gap::Scenario,
            };
        }
        [entry] => entry,
        several => {
            return PivotCell::Ambiguous {
                scenarios: several.iter().map(|entry| entry.name.clone()).collect(),
                axes: grid::differing(several).map(str::to_owned).collect(),
            };
        }
    };
    let scenario = entry.name.clone();
    match value(entry.figures, figure) {
        Ok(value) => PivotCell::Figure { scenario, value },
        Err(gap) => PivotCell::Absent {
            scenario: Some(scenario),
            gap,
        },
    }
}

/// The figure of a scenario, which was measured or could not be.
fn value(record: Result<&ScenarioRecord, &str>, figure: &ShownFigure) -> Result<Ratio, Gap> {
    let record = record.map_err(|reason| Gap::Unavailable(reason.to_owned()))?;
    let ShownFigure { metric, statistic } = figure;
    if metric.is_time()
        && let Some((faults, is_timed)) = faults(record)
    {
        let faults = faults.clone();
        return Err(Gap::Faults { faults, is_timed });
    }
    let value = metric.figure(*statistic, record);
    value.ok_or_else(|| gap(metric, *statistic, record))
}

/// Why a record has no such figure of `metric`.
fn gap(metric: &Measure, statistic: Statistic, record: &ScenarioRecord) -> Gap {
    let name = metric.name().to_owned();
    let is_measured = metric.figure(metric.default_statistic(), record).is_some();
    if is_measured && statistic == Statistic::PerElement {
        return match record.work.elements {
            Some(0) => Gap::NoElements,
            Some(_) | None => Gap::Elements,
        };
    }
    if is_measured && statistic == Statistic::First {
        return Gap::FirstCall(name);
    }
    if metric.is_in_other_unit(record) {
        return Gap::Unit(name);
    }
    Gap::Metric(name)
}

/// The faults of the counted passes, or else of the timed one, and whether they are of
/// the timed one.
fn faults(record: &ScenarioRecord) -> Option<(&Attempts, bool)> {
    let outcome = record.outcome.as_ref()?;
    let passes = [(&outcome.counted, false), (&outcome.timed, true)];
    let mut faulty = passes.into_iter().filter(|(all, _)| !all.faults.is_empty());
    faulty.next()
}
