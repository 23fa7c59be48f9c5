//! The list of all sections of the page: each has a name, which its markers have, and a text
//! that is made from the results alone.

use crate::agreement::agreement;
use crate::answers::questions;
use crate::environment::environment;
use crate::facts;
use crate::heat;
use crate::markdown::{self, LEGEND};
use crate::results::Results;
use crate::summary::Summary;
use crate::tables;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub name: String,
    pub text: String,
    /// Whether the results have something for it; a page that is made whole leaves it out
    /// otherwise.
    pub is_measured: bool,
}

/// All sections: the answers, the heat map, the facts, how
/// to read the tables, each table, and the environment.
pub fn sections(results: &Results, summary: &Summary) -> Vec<Section> {
    let section = |name: &str, text: String, is_measured| Section {
        name: name.to_owned(),
        text,
        is_measured,
    };
    let answers = questions::markdown(&questions::answers(results, summary));
    // Other benches than those of allocators have no answers.
    let has_subjects = !summary.subjects.is_empty();
    let mut sections = vec![
        section("answers", answers, has_subjects),
        section("heat", heat::markdown(summary), has_subjects),
        section("allocators", facts::markdown(results), has_subjects),
        section("legend", LEGEND.to_owned(), has_subjects),
        section("agreement", agreement(results), has_subjects),
    ];
    for table in &tables::all() {
        let mut cells = results.cells.iter();
        let is_measured = cells.any(|cell| table.has(cell) && cell.unavailable.is_none());
        let text = markdown::table(table, results);
        sections.push(section(&table.name, text, is_measured));
    }
    sections.push(section("environment", environment(results), true));
    sections
}
