//! The answers of the page, generated from the results: which allocator for which program, and
//! a card for each allocator.

pub mod cards;
pub mod orders;
pub mod questions;

mod field;

use crate::pictures::heat_text;
use crate::results::Results;
use crate::summary::Summary;

/// The sections of the page that are no tables: the names of their markers, and their texts as
/// Markdown.
pub fn sections(results: &Results, summary: &Summary) -> Vec<(&'static str, String)> {
    let answers = questions::answers(results, summary);
    vec![
        ("answers", questions::markdown(&answers)),
        ("heat", heat_text::markdown(summary)),
        ("cards", cards::markdown(results, summary)),
    ]
}
