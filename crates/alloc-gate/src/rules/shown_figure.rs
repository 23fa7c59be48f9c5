//! [`ShownFigure`]: a figure that a table shows for each scenario.

use std::fmt;

use crate::figure::{Measure, Statistic};
use crate::requirement::figure_words;

/// A figure that a table shows for each scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownFigure {
    /// The metric.
    pub metric: Measure,
    /// The statistic; never growth, which needs several scenarios.
    pub statistic: Statistic,
}

impl ShownFigure {
    /// The figure that a table shows unless it names a statistic. That of a time is the median,
    /// which a single slow value does not change.
    #[must_use]
    pub fn usual(metric: Measure) -> Self {
        let statistic = if metric.is_time() {
            Statistic::P50
        } else {
            metric.default_statistic()
        };
        Self { metric, statistic }
    }
}

/// `allocs`, `bytes max`.
impl fmt::Display for ShownFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&figure_words(&self.metric, self.statistic))
    }
}
