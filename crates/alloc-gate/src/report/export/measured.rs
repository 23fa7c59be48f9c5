//! [`measured`]: the figures of a scenario as numbers.

use alloc_results::{Distribution, Metric, Ratio, ScenarioRecord, Unit};

use crate::figure::float;
use crate::report::export::json::object::Json;

/// A metric of a scenario.
pub(super) struct Measured<'r> {
    pub(super) metric: &'r str,
    pub(super) unit: Unit,
    pub(super) values: Distribution,
    /// The value of the first call, if it is known.
    pub(super) first: Option<i128>,
}

/// The metrics that are counted in a scenario, and then its own ones.
pub(super) fn measured(record: &ScenarioRecord) -> impl Iterator<Item = Measured<'_>> {
    let counted = Metric::ALL.into_iter().filter_map(|metric| {
        Some(Measured {
            metric: metric.name(),
            unit: metric.unit(),
            values: record.distribution(metric)?,
            first: metric.value(&record.first),
        })
    });
    let own = record.custom().map(|(metric, figure)| Measured {
        metric,
        unit: figure.unit(),
        values: figure.distribution().clone(),
        first: Some(figure.first().into()),
    });
    counted.chain(own)
}

/// A figure as a number of JSON.
pub(super) fn number(figure: Ratio) -> Json {
    match figure.as_whole() {
        Some(whole) => whole.into(),
        None => float(figure).into(),
    }
}
