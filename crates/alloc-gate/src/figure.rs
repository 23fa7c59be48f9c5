//! Figures: metrics, statistics, exact numbers of any size, and growth.

mod exact;
mod growth;
mod metric;
mod words;

pub use exact::Exact;
pub(crate) use exact::{float, ratio};
pub(crate) use growth::{FitError, MIN_POINTS, MIN_SPAN};
pub use growth::{Growth, GrowthClass};
pub use metric::{Custom, Measure, Statistic};
pub use words::counted;
pub(crate) use words::thousands;
