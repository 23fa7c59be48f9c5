//! [`OpenWaiver`]s: waivers in force without an end, or without a limit on a figure.

use alloc_results::Ratio;

use crate::audit::target::{Direction, directions};
use crate::audit::{HiddenFigure, OpenWaiver};
use crate::evaluation::{GateSummary, Judgement};
use crate::figure::ratio;
use crate::judge::Inputs;
use crate::requirement::{Comparison, Limit};
use crate::rules::{Rule, Waiver};

/// The open waivers of all gates, with the figures that each is for.
pub(super) fn find(inputs: &Inputs<'_>, summaries: &[GateSummary]) -> Vec<OpenWaiver> {
    let waivers = inputs.config.waivers.iter();
    let in_force = waivers.filter(|waiver| waiver.until.is_none_or(|until| until >= inputs.today));
    in_force
        .filter_map(|waiver| {
            let summary = summaries.get(waiver.gate)?;
            let judgements = summary.judgements.iter();
            let mut hides: Vec<HiddenFigure> = judgements
                .filter(|judgement| covers(waiver, judgement, inputs))
                .filter_map(|judgement| hidden_figure(waiver, judgement))
                .collect();
            // With an end, only a missing limit leaves the waiver open.
            if waiver.until.is_some() {
                hides.retain(|hidden| hidden.is_unlimited);
            }
            (!hides.is_empty()).then(|| OpenWaiver {
                gate: summary.name.clone(),
                place: waiver.place,
                has_end: waiver.until.is_some(),
                hides,
            })
        })
        .collect()
}

/// Whether the waiver is for the scenario of the judgement and applies to it.
fn covers(waiver: &Waiver, judgement: &Judgement, inputs: &Inputs<'_>) -> bool {
    let mut all = inputs.measurements.scenarios().iter();
    waiver
        .filter
        .includes(&judgement.bench, &judgement.scenario)
        && all.any(|measured| {
            (&measured.bench, &measured.record.location) == (&judgement.bench, &judgement.location)
                && waiver.condition.holds(&measured.environment, inputs.cfgs)
        })
}

fn hidden_figure(waiver: &Waiver, judgement: &Judgement) -> Option<HiddenFigure> {
    let rule = waiver.rule(&judgement.metric, judgement.statistic)?;
    let required = judgement.requirement.comparisons().iter();
    let mut broken_from = required.flat_map(|comparison| directions(comparison.operator));
    Some(HiddenFigure {
        scenario: judgement.label(),
        metric: rule.metric.clone(),
        statistic: rule.statistic,
        required: judgement.requirement.as_ref().clone(),
        allowed: rule.requirement.as_ref().clone(),
        is_unlimited: broken_from.any(|direction| !limits(rule, *direction)),
    })
}

/// Whether a figure can fail the rule in this direction.
fn limits(rule: &Rule, direction: Direction) -> bool {
    let mut comparisons = rule.requirement.comparisons().iter();
    comparisons.any(|comparison| {
        directions(comparison.operator).contains(&direction)
            && !is_out_of_range(rule, comparison, direction)
    })
}

/// Whether the limit is a number that no single iteration can exceed.
fn is_out_of_range(rule: &Rule, comparison: &Comparison, direction: Direction) -> bool {
    let Limit::Number(amount) = comparison.limit else {
        return false;
    };
    let limit = ratio(amount.value());
    let range = rule.metric.range();
    let end = Ratio::whole;
    match direction {
        Direction::Higher => limit >= end(*range.end()),
        Direction::Lower => limit <= end(*range.start()),
    }
}
