//! Summary of a gate: its rules with the range of the judged figures, and what is easy to miss
//! where they hold.

use std::collections::HashSet;

use alloc_results::{Metric, mean};
use indexmap::IndexMap;

use crate::diagnostic::Place;
use crate::evaluation::{Evaluation, GateSummary, Judgement};
use crate::figure::Statistic;
use crate::report::change::plain_figure;
use crate::report::document::{Line, name, words};
use crate::report::words::{joined, low_to_high};
use crate::requirement::rule_words;
use crate::results::MeasuredScenario;
use crate::results::scenario_id::IdRef;

/// A rule and the range of its figures.
pub(super) struct RuleSummary {
    /// `allocs < 5`.
    pub(super) rule: String,
    /// `1 to 4`, or a single figure.
    pub(super) range: String,
    /// The range of the first calls, if a limit of zero holds that does not cover them.
    pub(super) first_call: Option<String>,
}

/// What is easy to miss about gates that hold.
pub(super) fn notes(evaluation: &Evaluation) -> Vec<Line> {
    let mut notes = first_calls(&evaluation.gates);
    notes.extend(kept_blocks(evaluation));
    notes
}

/// The scenarios that have a gate, and of which each iteration ends with more blocks than it
/// began with, while no gate limits what they keep.
fn kept_blocks(evaluation: &Evaluation) -> Option<Line> {
    let judgements = || evaluation.gates.iter().flat_map(|gate| &gate.judgements);
    let is_of_kept = |judgement: &&Judgement| {
        let metric = judgement.metric.counted();
        matches!(metric, Some(Metric::NetBlocks | Metric::NetBytes))
    };
    let gated: HashSet<IdRef<'_>> = judgements().map(Judgement::id).collect();
    let limited: HashSet<IdRef<'_>> = judgements().filter(is_of_kept).map(Judgement::id).collect();
    let keeps = |measured: &MeasuredScenario| {
        let mut samples = measured.record.samples.iter();
        samples.all(|sample| Metric::NetBlocks.value(&sample.reading) > Some(0))
    };
    let scenarios = evaluation.scenarios.iter().filter(|measured| {
        let id = measured.id();
        gated.contains(&id) && !limited.contains(&id) && keeps(measured)
    });
    let mut labels = scenarios.map(|one| name(one.label())).peekable();
    labels.peek()?;
    Some(words!(
        "blocks stay allocated after every iteration of {}, and no gate has a limit on \
         `net-blocks` or `net-bytes`",
        joined(labels)
    ))
}

/// The limits of zero that hold although first calls are above them: `zero: allocs == 0 holds,
/// but not in the first call: 6`.
fn first_calls(gates: &[GateSummary]) -> Vec<Line> {
    let rules = gates.iter().flat_map(|gate| {
        let rules = rules(gate).into_iter();
        rules.map(|rule| (&gate.name, rule))
    });
    let words = rules.filter_map(|(gate, rule)| {
        let first = rule.first_call?;
        let rule = name(rule.rule);
        Some(words!(
            "{}: {} holds, but not in the first call: {}",
            gate,
            rule,
            first
        ))
    });
    words.collect()
}

/// The rules of the gate, in the order of the file; empty if it applied to nothing.
pub(super) fn rules(gate: &GateSummary) -> Vec<RuleSummary> {
    let mut rules: IndexMap<Place, Vec<&Judgement>> = IndexMap::new();
    for judgement in &gate.judgements {
        rules.entry(judgement.place).or_default().push(judgement);
    }
    rules
        .into_values()
        .map(|judgements| RuleSummary {
            rule: rule_words(
                &judgements[0].metric,
                judgements[0].statistic,
                &judgements[0].requirement,
            ),
            range: range(&judgements),
            first_call: first_call(&judgements),
        })
        .collect()
}

fn range(judgements: &[&Judgement]) -> String {
    if judgements.iter().any(|j| j.statistic == Statistic::Growth) {
        return classes(judgements);
    }
    let measured = || judgements.iter().filter(|j| j.measured.is_some());
    let figure = |judgement: &&Judgement| {
        let value = judgement.measured?;
        Some(plain_figure(judgement.metric.unit(), value))
    };
    let low = measured().min_by_key(|j| j.measured).and_then(figure);
    let high = measured().max_by_key(|j| j.measured).and_then(figure);
    let (Some(low), Some(high)) = (low, high) else {
        return String::from("not measured");
    };
    let figures = low_to_high(low, high);
    let figures = match judgements.len() - measured().count() {
        0 => figures,
        absent => format!("{figures} ({absent} not measured)"),
    };
    match first_call(judgements) {
        Some(first) => format!("{figures} (first call: {first})"),
        None => figures,
    }
}

/// The range of the first calls that a limit of zero does not cover.
fn first_call(judgements: &[&Judgement]) -> Option<String> {
    let figures = || {
        let details = judgements
            .iter()
            .filter_map(|judgement| judgement.details.as_ref());
        details.filter_map(|details| details.first_call)
    };
    let (low, high) = (figures().min()?, figures().max()?);
    Some(low_to_high(mean(low, 0), mean(high, 0)))
}

/// The range of growth, from slow to fast.
fn classes(judgements: &[&Judgement]) -> String {
    let classes = || judgements.iter().filter_map(|judgement| judgement.growth());
    let low = classes().map(|growth| growth.class).min();
    let high = classes().map(|growth| growth.class).max();
    let (Some(low), Some(high)) = (low, high) else {
        return String::from("not known");
    };
    let range = low_to_high(low.to_string(), high.to_string());
    match judgements.len() - classes().count() {
        0 => range,
        absent => format!("{range} ({absent} not known)"),
    }
}
