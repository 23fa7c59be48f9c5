//! The scenarios of a suite one by one, and those of them that the command line
//! asked for. What is done with them is not known here.

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
    pub(crate) standing: Standing,
}

/// Whether there is something to run.
#[derive(Clone, Debug)]
pub(crate) enum Standing {
    /// The point of this index of the definition of this index, among all of the
    /// suite.
    Defined { definition: usize, point: usize },
    /// There is not, for a reason in one line.
    Unavailable { reason: String },
}

/// The scenarios that the command line asked for.
pub(crate) struct Selection<'s> {
    /// In order, those that are unavailable among them.
    pub(crate) entries: Vec<&'s Entry>,
    /// How many were registered and not asked for.
    pub(crate) left_out: usize,
}

impl<'s> Selection<'s> {
    pub(crate) fn new(entries: &'s [Entry], filter: &Filter) -> Self {
        let wanted: Vec<_> = entries
            .iter()
            .filter(|entry| filter.matches(&entry.name, entry.reason().is_some()))
            .collect();
        Self {
            left_out: entries.len() - wanted.len(),
            entries: wanted,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The names of those that can run.
    pub(crate) fn planned(&self) -> Vec<String> {
        let available = self.entries.iter().filter(|entry| entry.reason().is_none());
        available.map(|entry| entry.name.clone()).collect()
    }

    /// Those that can't run, as the record has them.
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

    /// Prints the names, those of unavailable ones too, as Rust's test harness lists
    /// ignored tests.
    pub(crate) fn list(&self) {
        for entry in &self.entries {
            console::print(&format!("{}: benchmark\n", entry.name));
        }
    }
}

impl Entry {
    /// The index of the definition, if there is one.
    pub(crate) fn definition(&self) -> Option<usize> {
        match self.standing {
            Standing::Defined { definition, .. } => Some(definition),
            Standing::Unavailable { .. } => None,
        }
    }

    /// Why there is nothing to run, if so.
    pub(crate) fn reason(&self) -> Option<&str> {
        match &self.standing {
            Standing::Defined { .. } => None,
            Standing::Unavailable { reason } => Some(reason),
        }
    }

    /// The definition among all of the suite, and the index of the point; or why
    /// there is none.
    pub(crate) fn find<'d, 'a>(
        &self,
        definitions: &'d mut [Box<dyn Swept + 'a>],
    ) -> Result<(&'d mut (dyn Swept + 'a), usize), &str> {
        match &self.standing {
            Standing::Defined { definition, point } => {
                Ok((definitions[*definition].as_mut(), *point))
            }
            Standing::Unavailable { reason } => Err(reason),
        }
    }

    /// Where it was registered, as the record has it.
    pub(crate) fn location(&self) -> Location {
        Location {
            // Windows' separators differ; a record should not.
            file: self.location.file().replace('\\', "/"),
            line: self.location.line(),
        }
    }
}
