//! [`Entry`]: one scenario of a bench, and [`Selection`]: those that the command line selects.

use std::collections::HashMap;
use std::panic;

use alloc_results::{AxisValue, Location};

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
    pub(crate) fn new(all: &[Entry], filter: &Filter) -> Self {
        let is_wanted = |entry: &&Entry| filter.matches(&entry.name, entry.place.is_err());
        let entries: Vec<_> = all.iter().filter(is_wanted).cloned().collect();
        let left_out = all.len() - entries.len();
        let names = all.iter().map(|entry| entry.name.clone());
        Self {
            entries,
            left_out,
            registered: names.filter(|_| left_out > 0).collect(),
        }
    }
}

/// The first problem with the names of scenarios.
pub(crate) fn name_problem(entries: &[Entry]) -> Option<String> {
    let mut seen: HashMap<&str, &Entry> = HashMap::new();
    entries.iter().find_map(|entry| {
        if entry.name.trim().is_empty() {
            return Some(format!("the scenario at {} has no name", entry.location));
        }
        let first = seen.insert(&entry.name, entry)?;
        Some(format!(
            "two scenarios are called `{}`: at {} and at {}; rename one, or put it into a \
             group",
            entry.name, first.location, entry.location
        ))
    })
}

/// The text with line breaks and other control characters escaped, because they
/// would break lists and tables.
pub(crate) fn one_line(text: &str) -> String {
    let escaped = |character: char| {
        if character.is_control() {
            character.escape_default().to_string()
        } else {
            character.to_string()
        }
    };
    text.chars().map(escaped).collect()
}
