//! [`Differences`]: the metrics of gates in which the iterations of a scenario differ.

use std::collections::BTreeMap;

use crate::figure::{Measure, Statistic};
use crate::results::MeasuredScenario;
use crate::rules::{Gate, Policy, Reaction};

/// The metrics that differ, by the index of the scenario. Metrics that no gate limits are
/// left out.
#[derive(Default)]
pub(super) struct Differences<'i> {
    by_scenario: BTreeMap<usize, Vec<Difference<'i>>>,
}

struct Difference<'i> {
    metric: &'i Measure,
    /// The smallest and the largest value.
    range: (i128, i128),
    /// The strictest reaction of the gates that limit the metric.
    reaction: Reaction,
}

impl<'i> Differences<'i> {
    /// Notes the metrics of `gate` that differ in the scenario with this index.
    pub(super) fn note(
        &mut self,
        gate: &'i Gate,
        scenario: usize,
        measured: &MeasuredScenario,
        policy: &Policy,
    ) {
        let reaction = gate.nondeterministic.unwrap_or(policy.nondeterministic);
        // The ranges are slow to find, and an audit evaluates many times.
        if reaction == Reaction::Allow || measured.record.is_deterministic() {
            return;
        }
        // The first call is not one of the iterations.
        let rules = gate.rules.iter();
        let rules = rules.filter(|rule| rule.statistic != Statistic::First);
        for metric in rules.map(|rule| &rule.metric) {
            let known = self.by_scenario.get_mut(&scenario);
            let known = known.and_then(|known| known.iter_mut().find(|d| d.metric == metric));
            if let Some(known) = known {
                known.reaction = known.reaction.or_stricter(reaction);
            } else if let Some(range) = metric.range_if_varying(&measured.record) {
                let difference = Difference {
                    metric,
                    range,
                    reaction,
                };
                self.by_scenario
                    .entry(scenario)
                    .or_default()
                    .push(difference);
            }
        }
    }

    /// The metrics that differ in a scenario, with the smallest and the largest value: those
    /// that are denied, and those that are only shown.
    pub(super) fn ranges(
        &self,
        scenario: usize,
    ) -> impl Iterator<Item = (Reaction, Vec<(String, i128, i128)>)> {
        let differences = self
            .by_scenario
            .get(&scenario)
            .map_or(&[][..], Vec::as_slice);
        [Reaction::Deny, Reaction::Warn]
            .into_iter()
            .map(|reaction| {
                let own = differences.iter().filter(|d| d.reaction == reaction);
                let ranges = own.map(|d| (d.metric.to_string(), d.range.0, d.range.1));
                (reaction, ranges.collect::<Vec<_>>())
            })
            .filter(|(_, ranges)| !ranges.is_empty())
    }
}
