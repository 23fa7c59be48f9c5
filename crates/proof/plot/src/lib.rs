//! Line plots as SVG: one or several panels with one legend. The same plot always
//! yields the same bytes.

#![forbid(unsafe_code)]

mod draw;
mod plot;

pub use plot::{LegendEntry, Line, Panel, Plot, Point, Stroke, XAxis, YAxis};
