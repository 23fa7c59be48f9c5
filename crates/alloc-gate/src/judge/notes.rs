//! [`Notes`]: what gates say about the scenarios that they apply to, beside verdicts.

use std::collections::{BTreeSet, HashMap};

use alloc_results::{Metric, Scope};

use crate::evaluation::{LeftOut, ScenarioProblem, VaryingMetric};
use crate::figure::{Measure, Statistic};
use crate::results::MeasuredScenario;
use crate::rules::{Gate, Policy, Reaction};

/// What gates say about the scenarios that they apply to, beside verdicts.
pub(super) struct Notes<'i> {
    /// In the order of the measurements.
    pub(super) scenarios: Vec<ScenarioNotes>,
    /// The metrics of gates in which the iterations of a scenario differ, by its number. Few
    /// scenarios have some.
    differences: HashMap<usize, Vec<Difference<'i>>>,
}

#[derive(Clone, Default)]
pub(super) struct ScenarioNotes {
    /// Whether a gate applies or refers to the scenario.
    pub(super) is_gated: bool,
    /// Whether a verdict on it fails the check.
    pub(super) is_failed: bool,
    /// Whether a rule judges it, and none of these what it keeps.
    keeps_unjudged: Option<bool>,
    /// The strictest reaction of its gates to operations that its figures leave out.
    foreign: Option<Reaction>,
}

struct Difference<'i> {
    metric: &'i Measure,
    /// The smallest and the largest value.
    range: (i128, i128),
    /// The strictest reaction of the gates that limit the metric.
    reaction: Reaction,
}

impl<'i> Notes<'i> {
    pub(super) fn new(scenarios: usize) -> Self {
        Self {
            scenarios: vec![ScenarioNotes::default(); scenarios],
            differences: HashMap::new(),
        }
    }

    /// Notes that the gate applies to the scenario of this number.
    pub(super) fn note(
        &mut self,
        gate: &'i Gate,
        number: usize,
        measured: &MeasuredScenario,
        policy: &Policy,
    ) {
        let notes = &mut self.scenarios[number];
        notes.is_gated = true;
        for rule in gate
            .rules
            .iter()
            .filter(|rule| rule.statistic != Statistic::Growth)
        {
            let metric = rule.metric.counted();
            let is_kept = matches!(metric, Some(Metric::NetBlocks | Metric::NetBytes));
            notes.keeps_unjudged = Some(notes.keeps_unjudged != Some(false) && !is_kept);
        }
        if let Some(reaction) = gate.foreign {
            let known = notes.foreign.unwrap_or(reaction);
            notes.foreign = Some(known.min(reaction));
        }
        let reaction = gate.nondeterministic.unwrap_or(policy.nondeterministic);
        // The ranges are slow to find.
        if reaction == Reaction::Allow || measured.record.is_deterministic() {
            return;
        }
        // The first call is not one of the iterations.
        let rules = gate.rules.iter();
        let rules = rules.filter(|rule| rule.statistic != Statistic::First);
        for metric in rules.map(|rule| &rule.metric) {
            let known = self.differences.entry(number).or_default();
            if let Some(known) = known.iter_mut().find(|known| known.metric == metric) {
                known.reaction = known.reaction.min(reaction);
            } else if let Some(range) = metric.range_if_varying(&measured.record) {
                known.push(Difference {
                    metric,
                    range,
                    reaction,
                });
            }
        }
    }

    /// The numbers of the scenarios that fail the check.
    pub(super) fn failed(&self) -> BTreeSet<usize> {
        let numbers = 0..self.scenarios.len();
        numbers
            .filter(|&number| self.scenarios[number].is_failed)
            .collect()
    }

    /// The numbers of the judged scenarios that keep blocks, while no rule judges what they keep.
    pub(super) fn keeping(&self, measured: &[MeasuredScenario]) -> Vec<usize> {
        let keeps = |measured: &MeasuredScenario| {
            let mut samples = measured.record.samples.iter();
            samples.all(|sample| Metric::NetBlocks.value(&sample.reading) > Some(0))
        };
        let all = self.scenarios.iter().zip(measured).enumerate();
        let keeping =
            all.filter(|(_, (notes, one))| notes.keeps_unjudged == Some(true) && keeps(one));
        keeping.map(|(number, _)| number).collect()
    }

    /// The problems of the scenario of this number.
    pub(super) fn problems(
        &self,
        number: usize,
        measured: &MeasuredScenario,
        policy: &Policy,
    ) -> Vec<Reacted> {
        let notes = &self.scenarios[number];
        let mut found = Vec::new();
        if !notes.is_gated {
            found.push((policy.ungated, ScenarioProblem::Ungated {}));
        }
        // Those that are denied, and those that are only shown.
        for reaction in [Reaction::Deny, Reaction::Warn] {
            let own = self.differences.get(&number).into_iter().flatten();
            let own = own.filter(|difference| difference.reaction == reaction);
            let ranges: Vec<VaryingMetric> = own
                .map(|own| VaryingMetric {
                    metric: own.metric.clone(),
                    least: own.range.0,
                    most: own.range.1,
                })
                .collect();
            if !ranges.is_empty() {
                found.push((reaction, ScenarioProblem::Nondeterministic { ranges }));
            }
        }
        found.extend(left_out(measured, notes.foreign, policy));
        found
    }
}

/// A problem of a scenario, and the reaction to it.
pub(super) type Reacted = (Reaction, ScenarioProblem);

/// The problems of one scenario. `foreign` is the reaction of its gates to operations that are
/// left out, if they have one.
fn left_out(
    measured: &MeasuredScenario,
    foreign: Option<Reaction>,
    policy: &Policy,
) -> Vec<Reacted> {
    let record = &measured.record;
    let outside = &record.outside;
    let operations = |counted, first| {
        let operations = LeftOut {
            counted,
            iterations: record.iterations,
            first,
        };
        Some(operations).filter(|operations| !operations.is_empty())
    };
    let foreign = foreign.unwrap_or(policy.foreign);
    let mut found = Vec::new();
    if let Some(operations) = operations(record.foreign, outside.foreign_first)
        && record.scope == Scope::Thread
    {
        let problem = ScenarioProblem::Foreign { operations };
        found.push((foreign, problem));
    }
    if let Some(operations) = operations(outside.uncounted, outside.uncounted_first) {
        let problem = ScenarioProblem::Uncounted { operations };
        found.push((foreign, problem));
    }
    let (threads, first) = (outside.still_running, outside.still_running_first);
    if threads > 0 || first > 0 {
        // A pool that begins in the first call stays, which is usual.
        let reaction = if threads == 0 {
            Reaction::Warn
        } else {
            Reaction::Deny
        };
        found.push((reaction, ScenarioProblem::StillRunning { threads, first }));
    }
    found
}
