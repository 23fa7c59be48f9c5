//! The list of all sections of the page: each has a name, which its markers have, and a text
//! that is made from the results alone.

use crate::environment::environment;
use crate::markdown::{self, LEGEND};
use crate::results::Results;
use crate::tables::{self, Table};

/// A section of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The name.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Section {
    fn new(name: &str, text: String) -> Self {
        Self {
            name: name.to_owned(),
            text,
        }
    }
}

/// All sections: the environment, how to read the tables, each table that has cells, and a
/// table for every other workload.
#[must_use]
pub fn sections(results: &Results) -> Vec<Section> {
    let mut sections = vec![
        Section::new("environment", environment(results)),
        Section::new("legend", LEGEND.to_owned()),
    ];
    let has_cells = |table: &&Table| results.cells.iter().any(|cell| table.has(cell));
    for table in tables::all().filter(has_cells) {
        sections.push(Section::new(table.name, markdown::table(table, results)));
    }
    for table in &tables::of_other_workloads(results) {
        sections.push(Section::new(table.name, markdown::table(table, results)));
    }
    sections
}
