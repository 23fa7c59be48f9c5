//! [`Entry`]: a scenario in a table, with its axes and its figures.

use alloc_results::{AxisValue, Location, ScenarioRecord};

use crate::results::scenario_id::IdRef;
use crate::results::{MeasuredScenario, Measurements, Unavailable};
use crate::rules::Table;

/// A scenario in a table.
#[derive(Clone, Debug)]
pub(super) struct Entry<'m> {
    /// The name as reports show it.
    pub(super) name: String,
    pub(super) axes: &'m [AxisValue],
    /// The figures, or why the scenario could not be measured.
    pub(super) figures: Result<&'m ScenarioRecord, &'m str>,
}

impl<'m> Entry<'m> {
    fn from_measured(measured: &'m MeasuredScenario) -> Self {
        Self {
            name: measured.label(),
            axes: &measured.record.axes,
            figures: Ok(&measured.record),
        }
    }

    fn from_unavailable(unavailable: &'m Unavailable) -> Self {
        Self {
            name: unavailable.label(),
            axes: &unavailable.scenario.axes,
            figures: Err(&unavailable.scenario.reason),
        }
    }

    /// The value of `axis`, if the scenario has that axis.
    pub(super) fn value(&self, axis: &str) -> Option<&str> {
        let found = self.axes.iter().find(|value| value.axis == axis)?;
        Some(&found.value)
    }

    pub(super) fn is_measured(&self) -> bool {
        self.figures.is_ok()
    }
}

/// The scenarios of `table`, in the order of registration as far as it is known.
pub(super) fn entries<'m>(table: &Table, measurements: &'m Measurements) -> Vec<Entry<'m>> {
    let shows = |(bench, name): IdRef<'_>| table.filter.includes(bench, name);
    let measured = measurements.scenarios();
    let numbered = measured.iter().enumerate();
    let numbered = numbered.filter(|(_, one)| shows(one.id()));
    let numbered = numbered.map(|(number, one)| (number, Entry::from_measured(one)));
    let unavailable = measurements.unavailable().iter();
    let unavailable = unavailable.filter(|one| shows(one.id()));
    let unavailable = unavailable.map(|one| (place(one, measured), Entry::from_unavailable(one)));
    let mut places: Vec<(usize, Entry<'m>)> = numbered.chain(unavailable).collect();
    // At the same place, an unavailable scenario stands before the measured one.
    places.sort_by_key(|(place, entry)| (*place, entry.is_measured()));
    places.into_iter().map(|(_, entry)| entry).collect()
}

/// The number of the measured scenario that an unavailable one stands before: the next
/// one by line, if the scenarios of its bench were registered in the order of their
/// lines in one file. Otherwise it stands behind them all.
fn place(unavailable: &Unavailable, measured: &[MeasuredScenario]) -> usize {
    let numbered = measured.iter().enumerate();
    let own: Vec<(usize, &Location)> = numbered
        .filter(|(_, other)| other.bench == unavailable.bench)
        .map(|(number, other)| (number, &other.record.location))
        .collect();
    let Location { file, line } = &unavailable.scenario.location;
    let is_one_file = own.iter().all(|(_, location)| location.file == *file);
    if is_one_file && own.is_sorted_by_key(|(_, location)| location.line) {
        let next = own.iter().find(|(_, location)| location.line > *line);
        if let Some((number, _)) = next {
            return *number;
        }
    }
    own.last().map_or(measured.len(), |(number, _)| number + 1)
}
