//! [`rule_words`]: a rule in messages, such as `allocs max <= 4`; [`figure_words`]: the figure
//! that it is on.

use crate::figure::{Measure, Statistic};
use crate::requirement::Requirement;

/// `allocs < 5`, `bytes max <= baseline`: the statistic is named if it is not the default.
pub(crate) fn rule_words(
    metric: &Measure,
    statistic: Statistic,
    requirement: &Requirement,
) -> String {
    format!("{} {requirement}", figure_words(metric, statistic))
}

/// `allocs`, `bytes max`.
pub(crate) fn figure_words(metric: &Measure, statistic: Statistic) -> String {
    if statistic == metric.default_statistic() {
        metric.to_string()
    } else {
        format!("{metric} {statistic}")
    }
}
