//! The list of all sections of the page: each has a name, which its markers have, and a text
//! that is made from the results alone.

use crate::agreement::agreement;
use crate::answers::{cards, questions};
use crate::environment::environment;
use crate::markdown::{self, LEGEND};
use crate::pictures::{Picture, heat_text};
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

/// All sections of a page whose files of pictures begin with `stem`: the answers, each picture,
/// the heat map as text and the cards, how to read the tables, each table, a table for every other
/// workload, and the environment.
pub fn sections(
    results: &Results,
    summary: &Summary,
    pictures: &[Picture],
    stem: &str,
) -> Vec<Section> {
    let section = |name: &str, text: String, is_measured| Section {
        name: name.to_owned(),
        text,
        is_measured,
    };
    let answers = questions::markdown(&questions::answers(results, summary));
    let mut sections = vec![section("answers", answers, true)];
    sections.extend(pictures.iter().map(|Picture { name, title, svg }| {
        let text = match svg {
            Some(_) => format!("![{title}]({stem}-{name}.svg)"),
            None => "Not measured.".to_owned(),
        };
        section(&format!("picture-{name}"), text, svg.is_some())
    }));
    sections.push(section("heat", heat_text::markdown(summary), true));
    sections.push(section("cards", cards::markdown(results, summary), true));
    sections.push(section("legend", LEGEND.to_owned(), true));
    sections.push(section("agreement", agreement(results), true));
    for table in &tables::all() {
        let is_measured = results.cells.iter().any(|cell| table.has(cell));
        let text = markdown::table(table, results);
        sections.push(section(table.name, text, is_measured));
    }
    for table in &tables::other_workloads(results) {
        // A workload of another crate may have the name of a section.
        let name = format!("workload-{}", table.name);
        sections.push(section(&name, markdown::table(table, results), true));
    }
    sections.push(section("environment", environment(results), true));
    sections
}
