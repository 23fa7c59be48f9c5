//! How a rule reads in messages: `allocs max <= 4`.

use alloc_results::{Location, Metric, Ratio, mean};

use crate::figure::{Measure, Statistic};
use crate::requirement::Requirement;

/// `allocs < 5`, `bytes max <= baseline`.
pub(crate) fn rule_words(
    metric: &Measure,
    statistic: Statistic,
    requirement: &Requirement,
) -> String {
    if statistic == metric.default_statistic() {
        format!("{metric} {requirement}")
    } else {
        format!("{metric} {statistic} {requirement}")
    }
}
