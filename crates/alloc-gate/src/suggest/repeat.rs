//! [`Repeat`]: the second measurement of the same scenarios. A figure that differs between
//! two measurements has no limit that the next one is sure to meet.

use std::collections::HashMap;

use alloc_results::{Metric, ScenarioRecord};

use crate::results::scenario_id::IdRef;
use crate::results::{MeasuredScenario, Measurements};
use crate::suggest::words::paragraph;

/// The scenarios of the second measurement; `None` if there is only one
/// measurement.
pub(super) struct Repeat<'m>(Option<HashMap<IdRef<'m>, &'m ScenarioRecord>>);

impl<'m> Repeat<'m> {
    pub(super) fn new(again: Option<&'m Measurements>) -> Self {
        Self(again.map(|again| {
            let scenarios = again.scenarios().iter();
            scenarios.map(|one| (one.id(), &one.record)).collect()
        }))
    }

    /// Whether the measurements show that the next one has the same figures of the metric, in
    /// all members.
    pub(super) fn is_settled(&self, members: &[&MeasuredScenario], metric: Metric) -> bool {
        members.iter().all(|member| {
            let Some(first) = member.record.distribution(metric) else {
                return true;
            };
            let Some(again) = &self.0 else {
                return first.is_constant();
            };
            let Some(again) = again.get(&member.id()) else {
                return false;
            };
            let is_certain = first.is_constant() && first.iterations() >= ENOUGH;
            again.distribution(metric) == Some(first)
                && (is_certain || is_steady(&member.record, again))
        })
    }

    /// A comment on the metrics without a limit, or on the `scenarios` if none has one.
    pub(super) fn remark(&self, unsettled: &[Metric], scenarios: Option<&[String]>) -> String {
        if unsettled.is_empty() {
            return String::new();
        }
        let listed = |names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        let what = match scenarios {
            Some(scenarios) => format!("No gate for {}", listed(scenarios)),
            None => {
                let metrics: Vec<String> = unsettled.iter().map(Metric::to_string).collect();
                format!("No limit on {}", listed(&metrics))
            }
        };
        let why = match &self.0 {
            Some(_) => "two measurements are not enough, because figures differ",
            None => "one measurement is not enough, because iterations differ",
        };
        paragraph(&format!("{what}: {why}."))
    }
}

/// The number of equal iterations that are enough for a limit, even if other metrics of the
/// scenario differ between the measurements.
const ENOUGH: u64 = 1_000;

/// Whether all metrics have the same figures in both measurements. If not, threads probably
/// take turns by chance, and figures can be the same by chance.
fn is_steady(first: &ScenarioRecord, again: &ScenarioRecord) -> bool {
    let mut metrics = Metric::ALL.into_iter();
    metrics.all(|metric| first.distribution(metric) == again.distribution(metric))
}
