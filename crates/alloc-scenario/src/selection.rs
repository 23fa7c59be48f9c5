//! [`Entry`]: one scenario of a suite, and [`Selection`]: the scenarios that the
//! command line selects.

use std::panic;

use alloc_results::{AxisValue, Location, UnavailableScenario};

use crate::arguments::Filter;

/// One scenario: a definition at a point of its axes.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) group: Option<String>,
    pub(crate) axes: Vec<AxisValue>,
    pub(crate) location: &'static panic::Location<'static>,
    /// The index of its definition and of its point, or why it can't run on this machine, in one
    /// line.
    pub(crate) place: Result<(usize, usize), String>,
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
            .filter(|entry| filter.matches(&entry.name, entry.place.is_err()))
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

    /// The names of the scenarios that can run.
    pub(crate) fn planned(&self) -> Vec<String> {
        let available = self.entries.iter().filter(|entry| entry.place.is_ok());
        available.map(|entry| entry.name.clone()).collect()
    }

    /// The scenarios that can't run, for the record.
    pub(crate) fn unavailable(&self) -> Vec<UnavailableScenario> {
        let unavailable = self.entries.iter().filter_map(|entry| {
            Some(UnavailableScenario {
                name: entry.name.clone(),
                axes: entry.axes.clone(),
                location: entry.location(),
                reason: entry.place.clone().err()?,
            })
        });
        unavailable.collect()
    }
}

impl Entry {
    /// The place of registration, for the record.
    pub(crate) fn location(&self) -> Location {
        Location {
            // Records have the same separators on all platforms.
            file: self.location.file().replace('\\', "/"),
            line: self.location.line(),
        }
    }
}
