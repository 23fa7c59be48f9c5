//! Figures: what can be measured, which value of a distribution is meant, exact numbers of
//! any size, how figures grow, and dates.

mod date;
mod exact;
mod growth;
mod metric;
mod statistic;
mod words;

pub use date::Date;
pub use exact::Exact;
pub(crate) use exact::ratio;
pub use growth::{Growth, GrowthClass};
pub(crate) use growth::{LEAST_POINTS, LEAST_SPAN, TooLittle};
pub(crate) use metric::per_element;
pub use metric::{Custom, Measure};
pub use statistic::Statistic;
pub use words::counted;
