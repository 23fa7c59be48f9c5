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
    /// The document; `None` if the results have no figures for it.
    pub svg: Option<String>,
}

pub fn all(results: &Results, summary: &Summary) -> [Picture; 4] {
    let picture = |name, title, svg| Picture { name, title, svg };
    let plot =
        |name, plot: &LinePlot| picture(name, plot.title, lines::svg(plot, results, summary));
    [
        picture("heat", heat::TITLE, heat::svg(summary)),
        picture("memory", memory::TITLE, memory::svg(results, summary)),
        plot("threads", &lines::THREADS),
        plot("sizes", &lines::SIZES),
    ]
}
