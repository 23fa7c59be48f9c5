//! [`ToExplain`]: a figure whose lines are asked for.

use alloc_results::{BenchId, Ratio};

use crate::figure::Statistic;
use crate::sites::metric::SiteMetric;

/// A figure whose lines of code explain a failure or an increase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToExplain {
    /// The bench.
    pub bench: BenchId,
    /// The scenario's full name.
    pub scenario: String,
    /// The name as reports show it.
    pub label: String,
    /// The metric.
    pub metric: SiteMetric,
    /// The statistic.
    pub statistic: Statistic,
    /// The figure, if it is one of the scenario and not of a series.
    pub measured: Option<Ratio>,
}
