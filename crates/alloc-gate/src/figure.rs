//! Figures: metrics, statistics, and growth.

mod growth;
mod metric;
mod words;

pub(crate) use growth::{FitError, MIN_POINTS, MIN_SPAN};
pub use growth::{Growth, GrowthClass};
pub use metric::{Custom, Measure, Statistic};
pub use words::counted;
pub(crate) use words::{enumerated, thousands};
