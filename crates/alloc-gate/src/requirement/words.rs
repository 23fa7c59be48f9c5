//! [`rule_words`]: a rule in messages, such as `allocs max <= 4`.

use crate::figure::{Measure, Statistic};
use crate::requirement::Requirement;

/// `allocs < 5`, `bytes max <= baseline`: the statistic is named if it is not the default.
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
