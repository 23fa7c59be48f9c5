//! The list of all sections of the page: each has a name, which its markers have, and a text
//! that is made from the results alone.

use crate::agreement::agreement;
use crate::answers::{cards, questions};
use crate::environment::environment;
use crate::markdown::{self, LEGEND};
use crate::pictures::{NAMES, Picture, heat_text};
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

impl Section {
    fn new(name: &str, text: String) -> Self {
        Self {
            name: name.to_owned(),
            text,
            is_measured: true,
        }
    }
}

/// All sections of a page whose files of pictures begin with `stem`: the answers and the cards,
/// each picture, how to read the tables, each table, a table for every other
/// workload, and the environment.
pub fn sections(
    results: &Results,
    summary: &Summary,
    pictures: &[Picture],
    stem: &str,
) -> Vec<Section> {
    let answers = questions::markdown(&questions::answers(results, summary));
    let mut sections = vec![Section::new("answers", answers)];
    sections.extend(NAMES.map(|name| picture_section(name, pictures, stem)));
    sections.push(Section::new("heat", heat_text::markdown(summary)));
    sections.push(Section::new("cards", cards::markdown(results, summary)));
    sections.push(Section::new("legend", LEGEND.to_owned()));
    sections.push(Section::new("agreement", agreement(results)));
    for table in &tables::all() {
        let is_measured = results.cells.iter().any(|cell| table.has(cell));
        sections.push(Section {
            is_measured,
            ..Section::new(table.name, markdown::table(table, results))
        });
    }
    for table in &tables::other_workloads(results) {
        // A workload of another crate may have the name of a section.
        let name = format!("workload-{}", table.name);
        sections.push(Section::new(&name, markdown::table(table, results)));
    }
    sections.push(Section::new("environment", environment(results)));
    sections
}

fn picture_section(name: &str, pictures: &[Picture], stem: &str) -> Section {
    let picture = pictures.iter().find(|picture| picture.name == name);
    let text = match picture {
        Some(Picture { title, .. }) => format!("![{title}]({stem}-{name}.svg)"),
        None => "Not measured.".to_owned(),
    };
    Section {
        is_measured: picture.is_some(),
        ..Section::new(&format!("picture-{name}"), text)
    }
}
