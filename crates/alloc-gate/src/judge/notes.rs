//! [`Notes`]: what gates say about the scenarios that they apply to, beside verdicts.

use std::collections::{BTreeSet, HashMap};

use alloc_results::{Counts, Metric, ScenarioRecord, Scope, integer};

use crate::diagnostic::{Code, Diagnostic};
use crate::figure::{Measure, Statistic, enumerated};
use crate::printable::quoted;
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

    /// The findings about the scenario of this number.
    pub(super) fn findings(
        &self,
        number: usize,
        measured: &MeasuredScenario,
        policy: &Policy,
    ) -> Vec<Diagnostic> {
        let notes = &self.scenarios[number];
        let name = quoted(&measured.label());
        let finding = |code, reaction: Reaction, message: String, help: &str| {
            let level = reaction.level()?;
            Some(Diagnostic::new(code, level, measured.place(), &message).help(help))
        };
        let mut found = Vec::new();
        if !notes.is_gated {
            found.push(finding(
                Code::Ungated,
                policy.ungated,
                format!("no gate applies to {name}"),
                "add it to the `scenarios` of a gate, or set `ungated = \"allow\"` in `[policy]`",
            ));
        }
        // Those that are denied, and those that are only shown.
        for reaction in [Reaction::Deny, Reaction::Warn] {
            let own = self.differences.get(&number).into_iter().flatten();
            let own = own.filter(|difference| difference.reaction == reaction);
            let ranges: Vec<String> = own
                .map(|own| {
                    let (least, most) = (integer(own.range.0), integer(own.range.1));
                    format!("{} {least} to {most}", own.metric)
                })
                .collect();
            if !ranges.is_empty() {
                found.push(finding(
                    Code::Nondeterministic,
                    reaction,
                    format!("the iterations of {name} differ: {}", ranges.join(", ")),
                    "make the input the same each time; or gate `max` as well as the mean, and \
                     set `nondeterministic = \"allow\"` in the gate",
                ));
            }
        }
        let record = &measured.record;
        let outside = &record.outside;
        let foreign = notes.foreign.unwrap_or(policy.foreign);
        if let Some(made) = left_out(record, &record.foreign, &outside.foreign_first)
            && record.scope == Scope::Thread
        {
            found.push(finding(
                Code::Foreign,
                foreign,
                format!(
                    "while {name} was counted, other threads made {made}; its figures don't \
                     include that"
                ),
                "count them with `scope(Scope::Process)` if they work for the scenario, or set \
                 `foreign = \"allow\"` in its gate or in `[policy]`",
            ));
        }
        if let Some(made) = left_out(record, &outside.uncounted, &outside.uncounted_first) {
            found.push(finding(
                Code::Uncounted,
                foreign,
                format!("in {name}, `uncounted` excluded {made}; its figures don't include that"),
                "move the work into `setup` or `input`, or set `foreign = \"allow\"` in its gate \
                 or in `[policy]`",
            ));
        }
        let (threads, first) = (outside.still_running, outside.still_running_first);
        if threads > 0 || first > 0 {
            let number = |threads: u64| (threads > 0).then(|| integer(threads.into()));
            let threads = number(threads).map(|it| format!("{it} in the counted iterations"));
            // A pool that begins in the first call stays, which is usual.
            let reaction = threads.as_ref().map_or(Reaction::Warn, |_| Reaction::Deny);
            found.push(finding(
                Code::StillRunning,
                reaction,
                format!(
                    "in {name}, threads outlived the iteration in which they began by a tenth of \
                     a second: {}; its figures can be too low",
                    by_pass(threads, number(first))
                ),
                "call `join()` in the iteration, or start the threads in `setup`",
            ));
        }
        found.into_iter().flatten().collect()
    }
}

/// Operations that the figures of a scenario leave out, if there are some: `1,200 allocations and
/// 100 deallocations in 100 iterations, and 3 allocations in the first call`.
fn left_out(record: &ScenarioRecord, counted: &Counts, first: &Counts) -> Option<String> {
    let all = |counts: &Counts| {
        let numbers = [
            (counts.allocs, "allocation"),
            (counts.deallocs, "deallocation"),
        ];
        let numbers = numbers.into_iter().filter(|&(number, _)| number > 0);
        let numbers = numbers.map(|(number, noun)| counted_exactly(number, noun));
        (!counts.is_zero()).then(|| enumerated(numbers))
    };
    let iterations = counted_exactly(record.iterations, "iteration");
    let counted = all(counted).map(|all| format!("{all} in {iterations}"));
    let first = all(first);
    (counted.is_some() || first.is_some()).then(|| by_pass(counted, first))
}

/// What happened in the iterations, and what in the first call.
fn by_pass(iterations: Option<String>, first: Option<String>) -> String {
    let first = first.map(|first| format!("{first} in the first call"));
    let both: Vec<String> = iterations.into_iter().chain(first).collect();
    both.join(", and ")
}

/// `1 iteration` or `2 iterations`.
fn counted_exactly(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", integer(number.into()))
}
