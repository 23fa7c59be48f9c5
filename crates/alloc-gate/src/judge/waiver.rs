//! Waivers: allows failing judgements, and finds waivers that are expired, idle or
//! match nothing.

use std::collections::HashMap;

use crate::evaluation::{
    Finding, FindingKind, GateSummary, IdleWaiver, Judgement, Verdict, WaiverNote,
};
use crate::judge::applies::{holds, mark};
use crate::judge::inputs::Inputs;
use crate::requirement::figure_words;
use crate::results::scenario_id::IdRef;
use crate::results::{MeasuredScenario, Selection};
use crate::rules::{Rule, Waiver};

/// Applies all waivers to the gates, and returns a finding for each that is expired,
/// idle or matches nothing. `judge` gives the verdict of a rule on a scenario.
pub(crate) fn apply(
    gates: &mut [GateSummary],
    inputs: &Inputs<'_>,
    judge: impl Fn(&Rule, &MeasuredScenario) -> Verdict,
) -> Vec<Finding> {
    let waivers = &inputs.config.waivers;
    if waivers.is_empty() {
        return Vec::new();
    }
    let measured = inputs.measurements.scenarios().iter();
    let application = Application {
        inputs,
        measured: measured.map(|m| (m.id(), m)).collect(),
        judge,
    };
    let mut findings = Vec::new();
    for waiver in waivers {
        let Some(gate) = gates.get_mut(waiver.gate) else {
            continue;
        };
        findings.extend(application.apply(waiver, gate));
    }
    findings
}

struct Application<'a, J> {
    inputs: &'a Inputs<'a>,
    measured: HashMap<IdRef<'a>, &'a MeasuredScenario>,
    judge: J,
}

impl<J: Fn(&Rule, &MeasuredScenario) -> Verdict> Application<'_, J> {
    /// Applies one waiver to its gate.
    fn apply(&self, waiver: &Waiver, gate: &mut GateSummary) -> Vec<Finding> {
        if let Some(until) = waiver.until.filter(|until| *until < self.inputs.today) {
            return vec![Finding::denied(FindingKind::ExpiredWaiver {
                gate: gate.name.clone(),
                until,
                reason: waiver.reason.clone(),
                issue: waiver.issue.clone(),
                place: waiver.place,
            })];
        }
        let mut matched = vec![false; waiver.scenarios.len()];
        let (mut applies, mut is_needed) = (false, false);
        let mut idle = Vec::new();
        for judgement in &mut gate.judgements {
            let Some(measured) = self.measured(judgement) else {
                continue;
            };
            if !waiver.benches.includes(&judgement.bench)
                || !holds(&waiver.condition, &measured.environment, self.inputs)
            {
                continue;
            }
            applies = true;
            if !mark(&mut matched, &waiver.scenarios, &judgement.scenario) {
                continue;
            }
            let Some(rule) = waiver.rule(&judgement.metric, judgement.statistic) else {
                continue;
            };
            match judgement.verdict {
                Verdict::Skipped | Verdict::Pass | Verdict::Stale => {
                    let figure = figure_words(&rule.metric, rule.statistic);
                    idle.push((judgement.label(), figure));
                    continue;
                }
                // Without this waiver, the judgement would not pass either.
                Verdict::Missing(_) | Verdict::Waived => {
                    is_needed = true;
                    continue;
                }
                Verdict::Fail => is_needed = true,
            }
            let is_allowed = match judgement.growth() {
                Some(growth) => rule.requirement.allows_growth(growth),
                None => match (self.judge)(rule, measured) {
                    Verdict::Pass | Verdict::Stale => true,
                    Verdict::Skipped | Verdict::Waived | Verdict::Missing(_) | Verdict::Fail => {
                        false
                    }
                },
            };
            if is_allowed || judgement.waiver.is_none() {
                judgement.waiver = Some(Box::new(note(waiver, rule)));
            }
            if is_allowed {
                judgement.verdict = Verdict::Waived;
            }
        }
        for unavailable in &gate.unavailable {
            // Only a measurement could show that the waiver is not needed.
            is_needed |= waiver.benches.includes(&unavailable.bench)
                && mark(&mut matched, &waiver.scenarios, &unavailable.scenario.name);
        }
        gate.verdict = gate.worst();
        // A waiver may match where its condition holds, or scenarios that were not
        // selected.
        if !applies && (gate.skip.is_some() || !waiver.condition.is_empty())
            || self.inputs.selection != Selection::Whole
        {
            return Vec::new();
        }
        let unmatched = waiver.scenarios.iter().zip(&matched);
        let mut findings: Vec<Finding> = unmatched
            .filter(|(_, matched)| !**matched)
            .map(|(pattern, _)| {
                Finding::denied(FindingKind::UnmatchedWaiver {
                    gate: gate.name.clone(),
                    pattern: pattern.text().to_owned(),
                    benches: waiver.benches.clone(),
                    place: pattern.place(),
                })
            })
            .collect();
        if !idle.is_empty() {
            // It is stale, because it would hide a later failure.
            let kind = FindingKind::IdleWaiver(IdleWaiver {
                gate: gate.name.clone(),
                figures: idle,
                is_whole: !is_needed,
                place: waiver.place,
            });
            let policy = &self.inputs.config.policy;
            findings.extend(Finding::for_reaction(policy.stale, kind));
        }
        findings
    }

    /// The scenario of the judgement; for a series, any of its scenarios.
    fn measured(&self, judgement: &Judgement) -> Option<&MeasuredScenario> {
        let of_name = self.measured.get(&judgement.id()).copied();
        of_name.or_else(|| {
            let mut all = self.inputs.measurements.scenarios().iter();
            all.find(|measured| {
                measured.bench == judgement.bench && measured.record.location == judgement.location
            })
        })
    }
}

fn note(waiver: &Waiver, rule: &Rule) -> WaiverNote {
    WaiverNote {
        requirement: rule.requirement.clone(),
        place: rule.place,
        reason: waiver.reason.clone(),
        issue: waiver.issue.clone(),
        until: waiver.until,
    }
}
