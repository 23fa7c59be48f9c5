//! Waivers: allows failing judgements, and finds waivers that are expired, idle or
//! match nothing.

use std::collections::HashMap;

use crate::evaluation::{
    Finding, FindingKind, GateProblem, GateSummary, IdleFigure, Judgement, Verdict, WaiverNote,
};
use crate::judge::rule;
use crate::judge::run::Run;
use crate::results::MeasuredScenario;
use crate::results::scenario_id::{IdRef, ScenarioId};
use crate::rules::Waiver;

/// Applies all waivers to the gates, and returns a finding for each that is expired,
/// idle or matches nothing.
pub(super) fn apply(gates: &mut [GateSummary], run: &Run<'_>) -> Vec<Finding> {
    let waivers = &run.inputs.config.waivers;
    if waivers.is_empty() {
        return Vec::new();
    }
    let scenarios = run.scenarios().iter().map(|one| (one.id(), one)).collect();
    let mut findings = Vec::new();
    for waiver in waivers {
        let gate = &mut gates[waiver.gate];
        if let Some(until) = waiver.until.filter(|until| *until < run.inputs.today) {
            let problem = GateProblem::ExpiredWaiver {
                until,
                reason: waiver.reason.clone(),
                issue: waiver.issue.clone(),
            };
            let kind = FindingKind::of_gate(&gate.name, waiver.place, problem);
            findings.push(Finding::denied(kind));
            continue;
        }
        let mut application = Application {
            waiver,
            run,
            seen: Vec::new(),
            applies: false,
            is_needed: false,
            idle: Vec::new(),
        };
        for judgement in &mut gate.judgements {
            application.apply(judgement, &scenarios);
        }
        application.note_unavailable(gate);
        gate.verdict = gate.worst();
        findings.extend(application.findings(gate));
    }
    findings
}

/// The scenarios of the run.
type Scenarios<'r> = HashMap<IdRef<'r>, &'r MeasuredScenario>;

/// A waiver in force that is applied to its gate.
struct Application<'r> {
    waiver: &'r Waiver,
    run: &'r Run<'r>,
    /// The scenarios of the gate, where the waiver's condition holds.
    seen: Vec<ScenarioId>,
    /// Whether the waiver applies to any judgement, whatever its globs match.
    applies: bool,
    /// Whether a judgement does not pass without it.
    is_needed: bool,
    /// The figures that pass without it.
    idle: Vec<IdleFigure>,
}

impl<'r> Application<'r> {
    /// Waives the judgement if it fails and meets the waiver's limit.
    fn apply(&mut self, judgement: &mut Judgement, scenarios: &Scenarios<'r>) {
        let waiver = self.waiver;
        let Some(measured) = self.measured(judgement, scenarios) else {
            return;
        };
        let cfgs = self.run.inputs.cfgs;
        if !waiver.filter.benches.includes(&judgement.bench)
            || !waiver.condition.holds(&measured.environment, cfgs)
        {
            return;
        }
        self.applies = true;
        self.seen.push(judgement.id().into());
        if !waiver
            .filter
            .includes(&judgement.bench, &judgement.scenario)
        {
            return;
        }
        let Some(rule) = waiver.rule(&judgement.metric, judgement.statistic) else {
            return;
        };
        match judgement.verdict {
            Verdict::Skipped | Verdict::Pass | Verdict::Stale => {
                self.idle.push(IdleFigure {
                    scenario: judgement.label(),
                    metric: rule.metric.clone(),
                    statistic: rule.statistic,
                });
                return;
            }
            // Without this waiver, the judgement would not pass either.
            Verdict::Missing(_) | Verdict::Waived => {
                self.is_needed = true;
                return;
            }
            Verdict::Fail => self.is_needed = true,
        }
        let is_allowed = match judgement.growth() {
            Some(growth) => rule.requirement.allows_growth(growth),
            None => {
                let verdict = rule::verdict(rule, measured, self.run);
                matches!(verdict, Verdict::Pass | Verdict::Stale)
            }
        };
        if is_allowed || judgement.waiver.is_none() {
            judgement.waiver = Some(Box::new(WaiverNote {
                requirement: rule.requirement.clone(),
                place: rule.place,
                reason: waiver.reason.clone(),
                issue: waiver.issue.clone(),
                until: waiver.until,
            }));
        }
        if is_allowed {
            judgement.verdict = Verdict::Waived;
        }
    }

    /// The scenario of the judgement; for a series, any of its scenarios.
    fn measured(
        &self,
        judgement: &Judgement,
        scenarios: &Scenarios<'r>,
    ) -> Option<&'r MeasuredScenario> {
        let of_name = scenarios.get(&judgement.id()).copied();
        of_name.or_else(|| {
            let mut all = self.run.scenarios().iter();
            all.find(|measured| {
                measured.bench == judgement.bench && measured.record.location == judgement.location
            })
        })
    }

    /// Only a measurement could show that the waiver is not needed for these.
    fn note_unavailable(&mut self, gate: &GateSummary) {
        for unavailable in &gate.unavailable {
            let (bench, name) = unavailable.id();
            self.is_needed |= self.waiver.filter.includes(bench, name);
            self.seen.push((bench, name).into());
        }
    }

    /// What is wrong with the waiver.
    fn findings(self, gate: &GateSummary) -> Vec<Finding> {
        let waiver = self.waiver;
        // A waiver may match where its condition holds, or scenarios that were not
        // selected.
        let may_apply = !self.applies && (gate.skip.is_some() || !waiver.condition.is_empty());
        if may_apply || !self.run.selects_all() {
            return Vec::new();
        }
        let seen = self.seen.iter().map(ScenarioId::borrowed);
        let unmatched = waiver.filter.idle(seen).map(|glob| {
            let problem = GateProblem::UnmatchedWaiver {
                pattern: glob.text().to_owned(),
                benches: waiver.filter.benches.clone(),
            };
            Finding::denied(FindingKind::of_gate(&gate.name, glob.place(), problem))
        });
        let mut findings: Vec<Finding> = unmatched.collect();
        if !self.idle.is_empty() {
            // It is stale, because it would hide a later failure.
            let problem = GateProblem::IdleWaiver {
                figures: self.idle,
                is_whole: !self.is_needed,
            };
            let kind = FindingKind::of_gate(&gate.name, waiver.place, problem);
            findings.extend(Finding::for_reaction(self.run.policy.stale, kind));
        }
        findings
    }
}
