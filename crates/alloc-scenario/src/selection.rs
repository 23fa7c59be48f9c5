//! [`Entry`]: one scenario of a suite, and [`Selection`]: the scenarios that the
//! command line and a partition select.

use std::panic;

use alloc_results::{AxisValue, Location, Partition, PartitionRecord, UnavailableScenario};

use crate::arguments::Filter;
use crate::console;
use crate::sweep::Swept;

/// One scenario: a definition at a point of its axes.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) group: Option<String>,
    pub(crate) axes: Vec<AxisValue>,
    pub(crate) location: &'static panic::Location<'static>,
    pub(crate) availability: Availability,
}

/// Whether a scenario can run on this machine.
#[derive(Clone, Debug)]
pub(crate) enum Availability {
    /// It can: it is a point of a definition, both by their index.
    Available { definition: usize, point: usize },
    /// It can't, for a reason in one line.
    Unavailable { reason: String },
}

/// The scenarios that the command line and a partition select.
pub(crate) struct Selection {
    /// The selected scenarios in order, including unavailable ones.
    pub(crate) entries: Vec<Entry>,
    /// The number of registered scenarios that were not selected.
    pub(crate) left_out: usize,
    /// The part to which the selection is restricted, for the record.
    partition: Option<PartitionRecord>,
}

impl Selection {
    pub(crate) fn new(entries: &[Entry], filter: &Filter) -> Self {
        let wanted: Vec<_> = entries
            .iter()
            .filter(|entry| filter.matches(&entry.name, entry.reason().is_some()))
            .cloned()
            .collect();
        Self {
            left_out: entries.len() - wanted.len(),
            entries: wanted,
            partition: None,
        }
    }

    /// Those of the selected scenarios that the part has. `registered` are all scenarios
    /// of the bench.
    pub(crate) fn restricted_to(mut self, part: Partition, registered: &[Entry]) -> Self {
        let selected = self.entries.into_iter().enumerate();
        let of_part = selected.filter(|(position, entry)| part.has(&entry.name, *position));
        self.entries = of_part.map(|(_, entry)| entry).collect();
        self.left_out = registered.len() - self.entries.len();
        self.partition = Some(PartitionRecord {
            part,
            registered: registered.iter().map(|entry| entry.name.clone()).collect(),
        });
        self
    }

    /// The part, for the record.
    pub(crate) fn partition(&self) -> Option<PartitionRecord> {
        self.partition.clone()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The names of the scenarios that can run.
    pub(crate) fn planned(&self) -> Vec<String> {
        let available = self.entries.iter().filter(|entry| entry.reason().is_none());
        available.map(|entry| entry.name.clone()).collect()
    }

    /// The scenarios that can't run, for the record.
    pub(crate) fn unavailable(&self) -> Vec<UnavailableScenario> {
        let unavailable = self.entries.iter().filter_map(|entry| {
            Some(UnavailableScenario {
                name: entry.name.clone(),
                axes: entry.axes.clone(),
                location: entry.location(),
                reason: entry.reason()?.to_owned(),
            })
        });
        unavailable.collect()
    }

    /// Prints the names, including those of unavailable scenarios, as Rust's test
    /// harness lists ignored tests.
    pub(crate) fn list(&self) {
        for entry in &self.entries {
            console::print(&format!("{}: benchmark\n", entry.name));
        }
    }
}

impl Entry {
    /// The index of the definition, if the scenario can run.
    pub(crate) fn definition(&self) -> Option<usize> {
        match self.availability {
            Availability::Available { definition, .. } => Some(definition),
            Availability::Unavailable { .. } => None,
        }
    }

    /// The reason why the scenario can't run, if so.
    pub(crate) fn reason(&self) -> Option<&str> {
        match &self.availability {
            Availability::Available { .. } => None,
            Availability::Unavailable { reason } => Some(reason),
        }
    }

    /// The definition and the index of the point, or the reason why the scenario can't
    /// run.
    pub(crate) fn find<'d, 'a>(
        &self,
        definitions: &'d mut [Box<dyn Swept + 'a>],
    ) -> Result<(&'d mut (dyn Swept + 'a), usize), &str> {
        match &self.availability {
            Availability::Available { definition, point } => {
                Ok((definitions[*definition].as_mut(), *point))
            }
            Availability::Unavailable { reason } => Err(reason),
        }
    }

    /// The place of registration, for the record.
    pub(crate) fn location(&self) -> Location {
        Location {
            // Records have the same separators on all platforms.
            file: self.location.file().replace('\\', "/"),
            line: self.location.line(),
        }
    }
}
