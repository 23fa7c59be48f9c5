//! [`Entry`]: a scenario that a table shows, measured or not, and in which order
//! they stand. What is shown of one is not known here.

use alloc_results::{AxisValue, Location};

use crate::results::{MeasuredScenario, Measurements, Unavailable};
use crate::rules::Table;
use crate::tables::past::PastScenario;

/// A scenario that a table shows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry<'m> {
    MeasuredScenario(&'m MeasuredScenario),
    /// It could not be measured.
    Unavailable(&'m Unavailable),
    /// It was accepted with a commit of the past.
    Past(&'m PastScenario<'m>),
}

impl<'m> Entry<'m> {
    /// The scenarios of `table`, as they were registered as far as that is known.
    pub(super) fn all_of(table: &Table, measurements: &'m Measurements) -> Vec<Self> {
        let measured = measurements.scenarios();
        let mut places: Vec<(usize, Self)> = measured
            .iter()
            .map(Self::MeasuredScenario)
            .enumerate()
            .collect();
        let unavailable = measurements.unavailable().iter();
        places.extend(unavailable.map(|one| (place(one, measured), Self::Unavailable(one))));
        // Of one place, what is not measured comes first: it belongs before what is.
        places.sort_by_key(|(place, entry)| (*place, matches!(entry, Self::MeasuredScenario(_))));
        let entries = places.into_iter().map(|(_, entry)| entry);
        entries.filter(|entry| table.shows(entry.name())).collect()
    }

    pub(super) fn name(&self) -> &'m str {
        match self {
            Self::MeasuredScenario(measured) => &measured.record.name,
            Self::Unavailable(unavailable) => &unavailable.scenario.name,
            Self::Past(past) => past.name,
        }
    }

    pub(super) fn axes(&self) -> &'m [AxisValue] {
        match self {
            Self::MeasuredScenario(measured) => &measured.record.axes,
            Self::Unavailable(unavailable) => &unavailable.scenario.axes,
            Self::Past(past) => &past.axes,
        }
    }

    /// The value of `axis`, where it has one.
    pub(super) fn value(&self, axis: &str) -> Option<&'m str> {
        let found = self.axes().iter().find(|value| value.axis == axis)?;
        Some(&found.value)
    }
}

/// The number of the measured scenario that one that was not measured stands before.
/// Where the scenarios of its bench were registered line by line, its line says it;
/// else it is behind them all.
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
