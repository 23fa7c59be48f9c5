//! [`Workbench`]: a gate and a copy of its results, in which breaches are evaluated
//! one after the other.

use std::collections::HashSet;

use indexmap::IndexSet;

use crate::audit::planned_breach::{PlannedBreach, Replacement, planned_breaches};
use crate::audit::{
    Breach, ComparisonAudit, Found, Inconclusive, MOST_SCENARIOS, Proof, line, series,
};
use crate::evaluation::{GateSummary, Judgement, Outcome, Verdict};
use crate::figure::Statistic;
use crate::judge::{Inputs, evaluate};
use crate::requirement::{Comparison, Reference};
use crate::results::scenario_id::IdRef;
use crate::results::{MeasuredScenario, Measurements, ScenarioId, Selection};
use crate::rules::{Config, Gate, Reaction, Rule};

pub(super) struct Workbench<'i> {
    inputs: Inputs<'i>,
    /// The rules with one gate only: no other gate affects its verdict.
    config: Config,
    /// The results of the scenarios that the gate matches or refers to. They are as
    /// measured, except while a breach is evaluated.
    measurements: Measurements,
    /// The scenarios of `measurements`, in the same order.
    ids: IndexSet<ScenarioId>,
}

impl<'i> Workbench<'i> {
    pub(super) fn new(inputs: &Inputs<'i>) -> Self {
        let mut config = inputs.config.clone();
        // Only the gate may fail the check.
        config.policy.ungated = Reaction::Allow;
        config.policy.nondeterministic = Reaction::Allow;
        config.policy.foreign = Reaction::Allow;
        config.policy.fell_to_zero = Reaction::Allow;
        config.policy.unreachable = Reaction::Allow;
        config.policy.stale_document = Reaction::Allow;
        config.policy.uncounted = Reaction::Allow;
        config.policy.still_running = Reaction::Allow;
        config.policy.unlisted = Reaction::Allow;
        Self {
            inputs: Inputs {
                selection: Selection::Selected,
                unchecked: &[],
                ..*inputs
            },
            config,
            measurements: Measurements::default(),
            ids: IndexSet::new(),
        }
    }

    /// Replaces the gate by the one of this index, with its waivers and results.
    pub(super) fn set_gate(&mut self, index: usize) {
        let all = self.inputs.config;
        let gate = &all.gates[index];
        self.config.gates = vec![Gate {
            nondeterministic: None,
            foreign: None,
            ..gate.clone()
        }];
        let waivers = all.waivers.iter().filter(|waiver| waiver.gate == index);
        self.config.waivers = waivers.cloned().collect();
        for waiver in &mut self.config.waivers {
            waiver.gate = 0;
        }
        let measurements = self.inputs.measurements;
        let referenced = referenced(gate, measurements);
        self.measurements = measurements.only(|measured| {
            gate.filter.includes(&measured.bench, &measured.record.name)
                || referenced.contains(&measured.id())
        });
        let scenarios = self.measurements.scenarios().iter();
        self.ids = scenarios.map(|measured| measured.id().into()).collect();
    }

    /// Breaks one comparison of a rule of the gate, for each scenario or series in
    /// turn. `summary` has the verdicts on the unaltered results.
    pub(super) fn audit(
        &mut self,
        rule: &Rule,
        comparison: &Comparison,
        summary: &GateSummary,
    ) -> ComparisonAudit {
        let mut audit = ComparisonAudit {
            comparison: comparison.clone(),
            proofs: Vec::new(),
            left_out: 0,
        };
        let mut broken = 0;
        for (index, judgement) in summary.judgements.iter().enumerate() {
            if judgement.place != rule.place {
                continue;
            }
            if broken == MOST_SCENARIOS {
                audit.left_out += 1;
                continue;
            }
            let (breaches, found) = match self.planned_breaches(rule, comparison, judgement) {
                Err(found) => (Vec::new(), found),
                Ok(planned) => {
                    let planned = planned.into_iter();
                    let breaches: Vec<Breach> = planned
                        .map(|planned| self.judge_altered(planned, judgement, index))
                        .collect();
                    let found = found(&breaches);
                    (breaches, found)
                }
            };
            broken += usize::from(!breaches.is_empty());
            audit.proofs.push(Proof {
                scenario: judgement.label(),
                location: judgement.location.clone(),
                breaches,
                found,
            });
        }
        audit
    }

    /// The planned breaches for a judgement; an error if nothing needs to or can be injected.
    fn planned_breaches(
        &self,
        rule: &Rule,
        comparison: &Comparison,
        judgement: &Judgement,
    ) -> Result<Vec<PlannedBreach>, Found> {
        if let Some(found) = found_without_breach(judgement, comparison) {
            return Err(found);
        }
        let (gate, all) = (&self.config.gates[0], self.measurements.scenarios());
        if rule.statistic == Statistic::Growth {
            return series::planned_breaches(gate, comparison, judgement, all)
                .map(|planned| vec![planned]);
        }
        if rule.statistic.is_of_series() {
            return line::planned_breaches(gate, comparison, judgement, all);
        }
        planned_breaches(rule, comparison, judgement, &self.measurements, &self.ids)
    }

    /// Evaluates the gate with the altered records, and puts the measured ones back.
    fn judge_altered(
        &mut self,
        planned: PlannedBreach,
        judgement: &Judgement,
        index: usize,
    ) -> Breach {
        let originals = self.swap(planned.records);
        let verdict = self.verdict(judgement, index);
        self.swap(originals);
        Breach {
            before: planned.before,
            after: planned.after,
            changed: planned.changed,
            verdict,
        }
    }

    /// The present verdict of the judgement with this index. It is `fail` only if the
    /// gate and the whole check fail too.
    fn verdict(&self, judgement: &Judgement, index: usize) -> Verdict {
        let evaluation = evaluate(&Inputs {
            config: &self.config,
            measurements: &self.measurements,
            ..self.inputs
        });
        let gate = evaluation.gates.first();
        let judged = gate
            .and_then(|gate| gate.judgements.get(index))
            .filter(|j| (j.id(), j.place) == (judgement.id(), judgement.place));
        let verdict = judged.map_or(Verdict::Skipped, |judged| judged.verdict);
        let is_red = evaluation.outcome() == Outcome::Failed
            && gate.is_some_and(|gate| gate.verdict == Verdict::Fail);
        if verdict == Verdict::Fail && !is_red {
            return Verdict::Pass;
        }
        verdict
    }

    /// Replaces records, and returns the old ones. An evaluation shares the records,
    /// so none may be alive now: all of them would be copied.
    fn swap(&mut self, records: Vec<Replacement>) -> Vec<Replacement> {
        let records = records.into_iter();
        records
            .map(|(scenario, record)| (scenario, self.measurements.replace(scenario, record)))
            .collect()
    }
}

/// The scenarios that limits of the gate refer to.
fn referenced<'m>(gate: &Gate, measurements: &'m Measurements) -> HashSet<IdRef<'m>> {
    let rules = gate.rules.iter();
    let references = rules.flat_map(|rule| rule.requirement.references());
    let references: Vec<&Reference> = references.collect();
    let mut referenced = HashSet::new();
    if !references.is_empty() {
        let scenarios = measurements.scenarios().iter();
        let own = scenarios.filter(|one| gate.filter.includes(&one.bench, &one.record.name));
        let names: HashSet<String> = own
            .flat_map(|measured| references.iter().map(|r| r.resolve(&measured.record.axes)))
            .filter_map(Result::ok)
            .collect();
        for name in names {
            let meant = measurements.named(&name).into_iter();
            referenced.extend(meant.map(MeasuredScenario::id));
        }
    }
    referenced
}

/// What a judgement shows of a comparison by itself; `None` if it has to be broken.
fn found_without_breach(judgement: &Judgement, comparison: &Comparison) -> Option<Found> {
    match judgement.verdict {
        Verdict::Fail if judgement.broken().any(|broken| broken == comparison) => {
            Some(Found::Failing)
        }
        Verdict::Fail => Some(Found::Inconclusive(Inconclusive::Hidden)),
        Verdict::Waived => Some(Found::Inconclusive(Inconclusive::Waived)),
        Verdict::Skipped | Verdict::Pass | Verdict::Stale | Verdict::Missing(_) => None,
    }
}

/// What the verdicts on breaches show.
fn found(breaches: &[Breach]) -> Found {
    let all = |is: &dyn Fn(Verdict) -> bool| breaches.iter().all(|one| is(one.verdict));
    if all(&|verdict| verdict == Verdict::Fail) {
        Found::Caught
    } else if all(&|verdict| matches!(verdict, Verdict::Fail | Verdict::Waived)) {
        Found::Inconclusive(Inconclusive::Waived)
    } else {
        Found::Missed
    }
}
