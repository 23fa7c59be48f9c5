//! The pictures of the page, as SVG for light and for dark pages.

pub mod heat;
pub mod heat_text;
pub mod lines;
pub mod memory;

mod labels;
mod palette;
mod scale;
mod svg;
mod text_width;

use crate::results::Results;
use crate::summary::Summary;

/// A picture of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The end of the name of its file, behind that of the page: `heat` of
    /// `allocators-heat.svg`.
    pub name: &'static str,
    /// What it shows, for readers who don't see it.
    pub title: &'static str,
    /// The SVG document.
    pub svg: String,
}

/// The names of all pictures.
pub const NAMES: [&str; 4] = ["heat", "memory", "threads", "sizes"];

/// All pictures that the results have figures for.
#[must_use]
pub fn all(results: &Results, summary: &Summary) -> Vec<Picture> {
    let pictures = [
        ("heat", heat::TITLE, heat::svg(summary)),
        ("memory", memory::TITLE, memory::svg(results, summary)),
        (
            "threads",
            lines::THREADS.title,
            lines::svg(&lines::THREADS, results, summary),
        ),
        (
            "sizes",
            lines::SIZES.title,
            lines::svg(&lines::SIZES, results, summary),
        ),
    ];
    let drawn = pictures.into_iter();
    drawn
        .filter_map(|(name, title, svg)| svg.map(|svg| Picture { name, title, svg }))
        .collect()
}
