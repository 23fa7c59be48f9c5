//! [`Entry`]: one scenario of a suite, and [`Selection`]: the scenarios that the
//! command line selects.

use std::panic;

use alloc_results::{AxisValue, Location, UnavailableScenario};

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

/// The scenarios that the command line selects.
pub(crate) struct Selection {
    /// The selected scenarios in order, including unavailable ones.
    pub(crate) entries: Vec<Entry>,
    /// The number of registered scenarios that were not selected.
    pub(crate) left_out: usize,
    /// The names of all registered scenarios, if some were not selected.
    pub(crate) registered: Vec<String>,
}

impl Selection {
    pub(crate) fn new(entries: &[Entry], filter: &Filter) -> Self {
        let wanted: Vec<_> = entries
            .iter()
            .filter(|entry| filter.matches(&entry.name, entry.reason().is_some()))
            .cloned()
            .collect();
        let left_out = entries.len() - wanted.len();
        let registered = match left_out {
            0 => Vec::new(),
            _ => entries.iter().map(|entry| entry.name.clone()).collect(),
        };
        Self {
            entries: wanted,
            left_out,
            registered,
        }
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
