//! [`Repeat`]: the second measurement of the same scenarios. A figure that differs between
//! two measurements has no limit that the next one is sure to meet.

use std::collections::HashMap;

use alloc_results::{Metric, ScenarioRecord, integer};

use crate::results::Measurements;
use crate::results::scenario_id::IdRef;
use crate::suggest::rules::range;
use crate::suggest::subject::Subject;
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

    /// The figures of a metric that gets no limit, as in `` `bytes` 64, then 80``. `None` if the
    /// measurements show that the next one has the same figures in all members.
    pub(super) fn unsettled(&self, subject: &Subject<'_>, metric: Metric) -> Option<String> {
        subject.members.iter().find_map(|member| {
            let first = member.record.distribution(metric)?;
            let figures = match &self.0 {
                None if first.is_constant() => return None,
                None => range(&first),
                Some(again) => {
                    let again = again.get(&member.id()).copied();
                    let values = again.and_then(|again| again.distribution(metric));
                    match (again, values) {
                        (Some(again), Some(values)) if values == first => {
                            let is_certain = values.is_constant() && values.iterations() >= ENOUGH;
                            if is_certain || is_steady(&member.record, again) {
                                return None;
                            }
                            format!("{} both times", range(&first))
                        }
                        (_, Some(values)) => format!("{}, then {}", range(&first), range(&values)),
                        (_, None) => format!("{}, then not measured", range(&first)),
                    }
                }
            };
            let point = subject.point(member);
            let at = point.map(|n| format!(" at {}", integer(n.into())));
            Some(format!("`{metric}` {figures}{}", at.unwrap_or_default()))
        })
    }

    /// A comment on the metrics without a limit. `has_gate` says whether others have one.
    pub(super) fn remark(&self, unsettled: &[String], has_gate: bool) -> String {
        if unsettled.is_empty() {
            return String::new();
        }
        let measurements = match &self.0 {
            Some(_) => "two measurements are",
            None => "one measurement is",
        };
        let none = if has_gate {
            format!("No limit where {measurements} not enough to set one")
        } else {
            format!("No gate: {measurements} not enough to set a limit")
        };
        paragraph(&format!("{none}: {}.", unsettled.join("; ")))
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
