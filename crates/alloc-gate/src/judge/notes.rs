//! [`Notes`]: what gates say about the scenarios that they apply to, beside verdicts.

use crate::evaluation::{FindingKind, VaryingMetric};
use crate::figure::{Measure, Statistic};
use crate::judge::left_out::{self, Reacted};
use crate::results::MeasuredScenario;
use crate::rules::{Gate, Policy, Reaction};

/// What gates say about the scenarios that they apply to, beside verdicts.
pub(super) struct Notes<'i> {
    /// In the order of the measurements.
    pub(super) scenarios: Vec<ScenarioNotes<'i>>,
    /// The limits that no scenario can exceed.
    pub(super) unreachable: Vec<FindingKind>,
}

#[derive(Clone, Default)]
pub(super) struct ScenarioNotes<'i> {
    /// Whether a gate applies or refers to the scenario.
    pub(super) is_gated: bool,
    /// The strictest reaction of its gates to other threads that allocate.
    foreign: Option<Reaction>,
    /// The metrics of its gates in which its iterations differ.
    differences: Vec<Difference<'i>>,
}

#[derive(Clone)]
struct Difference<'i> {
    metric: &'i Measure,
    /// The smallest and the largest value.
    range: (i128, i128),
    /// The strictest reaction of the gates that limit the metric.
    reaction: Reaction,
}

impl Notes<'_> {
    pub(super) fn new(scenarios: usize) -> Self {
        Self {
            scenarios: vec![ScenarioNotes::default(); scenarios],
            unreachable: Vec::new(),
        }
    }
}

impl<'i> ScenarioNotes<'i> {
    /// Notes that the gate applies to the scenario.
    pub(super) fn note(&mut self, gate: &'i Gate, measured: &MeasuredScenario, policy: &Policy) {
        self.is_gated = true;
        if let Some(reaction) = gate.foreign {
            let known = self.foreign.unwrap_or(reaction);
            self.foreign = Some(known.or_stricter(reaction));
        }
        let reaction = gate.nondeterministic.unwrap_or(policy.nondeterministic);
        // The ranges are slow to find, and an audit evaluates many times.
        if reaction == Reaction::Allow || measured.record.is_deterministic() {
            return;
        }
        // The first call is not one of the iterations.
        let rules = gate.rules.iter();
        let rules = rules.filter(|rule| rule.statistic != Statistic::First);
        for metric in rules.map(|rule| &rule.metric) {
            let mut known = self.differences.iter_mut();
            if let Some(known) = known.find(|known| known.metric == metric) {
                known.reaction = known.reaction.or_stricter(reaction);
            } else if let Some(range) = metric.range_if_varying(&measured.record) {
                self.differences.push(Difference {
                    metric,
                    range,
                    reaction,
                });
            }
        }
    }

    /// The findings about the scenario.
    pub(super) fn findings(&self, measured: &MeasuredScenario, policy: &Policy) -> Vec<Reacted> {
        let mut found = Vec::new();
        let place = || (measured.label(), measured.record.location.clone());
        if !self.is_gated {
            let (scenario, location) = place();
            let kind = FindingKind::Ungated { scenario, location };
            found.push((policy.ungated, kind));
        }
        // Those that are denied, and those that are only shown.
        for reaction in [Reaction::Deny, Reaction::Warn] {
            let own = self.differences.iter();
            let own = own.filter(|difference| difference.reaction == reaction);
            let ranges: Vec<VaryingMetric> = own
                .map(|own| VaryingMetric {
                    metric: own.metric.clone(),
                    least: own.range.0,
                    most: own.range.1,
                })
                .collect();
            if !ranges.is_empty() {
                let (scenario, location) = place();
                let kind = FindingKind::Nondeterministic {
                    scenario,
                    location,
                    ranges,
                };
                found.push((reaction, kind));
            }
        }
        found.extend(left_out::findings(measured, self.foreign, policy));
        found
    }
}
