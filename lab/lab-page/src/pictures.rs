//! The pictures of the page, as SVG for light and for dark pages.

pub mod heat_text;
pub mod memory;

mod axes;
mod heat;
mod lines;
mod palette;
mod svg;

use self::lines::LinePlot;
pub use self::svg::text_width;
use crate::results::Results;
use crate::summary::Summary;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The end of the name of its file, behind that of the page: `heat` of
    /// `allocators-heat.svg`.
    pub name: &'static str,
    pub title: &'static str,
    pub svg: String,
}

pub const NAMES: [&str; 4] = ["heat", "memory", "threads", "sizes"];

/// All pictures that the results have figures for.
pub fn all(results: &Results, summary: &Summary) -> Vec<Picture> {
    let plot = |plot: &LinePlot| (plot.title, lines::svg(plot, results, summary));
    let pictures = [
        (heat::TITLE, heat::svg(summary)),
        (memory::TITLE, memory::svg(results, summary)),
        plot(&lines::THREADS),
        plot(&lines::SIZES),
    ];
    let pictures = NAMES.into_iter().zip(pictures);
    let picture = |(name, (title, svg)): (_, (_, Option<String>))| {
        svg.map(|svg| Picture { name, title, svg })
    };
    pictures.filter_map(picture).collect()
}
