//! [`Workbench`]: a copy of the results and one gate, on which mutations are tried
//! one after the other.

use std::collections::{HashMap, HashSet};

use alloc_results::{Ratio, ScenarioRecord};

use crate::audit::injection::{column, moved, range, with_first};
use crate::audit::moves::{Column, Move};
use crate::audit::target::{Direction, Grain, Part, directions, nearest};
use crate::audit::{
    ComparisonAudit, Figure, Found, Inconclusive, MOST_SCENARIOS, Mutation, Proof, Why, limits,
    moves, series,
};
use crate::evaluation::{Absence, GateSummary, Judgement, Outcome, Verdict};
use crate::figure::{Exact, Growth, Statistic};
use crate::judge::{Inputs, evaluate};
use crate::requirement::{Comparison, Limit};
use crate::results::axis::{axis_value, series_name};
use crate::results::{MeasuredScenario, Measurements, Selection};
use crate::rules::{Config, Gate, Reaction, Rule};

pub(super) struct Workbench<'i> {
    inputs: Inputs<'i>,
    /// The rules with a single gate: what the others say changes nothing of it.
    config: Config,
    /// The results of what the gate is about and refers to, as they are.
    original: Measurements,
    /// The same, with a breach in them or none.
    copy: Measurements,
    by_name: HashMap<String, usize>,
}

/// A scenario's index, and its record with a breach.
type Change = (usize, ScenarioRecord);

impl<'i> Workbench<'i> {
    pub(super) fn new(inputs: &Inputs<'i>) -> Self {
        let mut config = inputs.config.clone();
        // Nothing but the gate is to fail the check.
        config.policy.ungated = Reaction::Allow;
        config.policy.nondeterministic = Reaction::Allow;
        config.policy.foreign = Reaction::Allow;
        Self {
            inputs: Inputs {
                selection: Selection::Selected,
                ..*inputs
            },
            config,
            original: Measurements::default(),
            copy: Measurements::default(),
            by_name: HashMap::new(),
        }
    }

    /// Has the gate of this index on it from now on, with its waivers.
    pub(super) fn take(&mut self, index: usize) {
        let all = self.inputs.config;
        let gate = &all.gates[index];
        self.config.gates = vec![gate.clone()];
        let waivers = all.waivers.iter().filter(|waiver| waiver.gate == index);
        self.config.waivers = waivers.cloned().collect();
        for waiver in &mut self.config.waivers {
            waiver.gate = 0;
        }
        let measurements = self.inputs.measurements;
        let others = others(gate, measurements);
        self.original = measurements.only(|name| gate.is_about(name) || others.contains(name));
        self.copy = self.original.clone();
        let scenarios = self.original.scenarios().iter().enumerate();
        self.by_name = scenarios
            .map(|(index, measured)| (measured.record.name.clone(), index))
            .collect();
    }

    /// Breaks one comparison of a rule of the gate, for one scenario or series after
    /// the other. `summary` has the verdicts on the results as they are.
    pub(super) fn compare(
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
            let mut mutations = Vec::new();
            let found = match status(judgement, comparison) {
                Some(found) => found,
                None if rule.statistic == Statistic::Growth => {
                    self.grow(comparison, judgement, index, &mut mutations)
                }
                None => self.breach(rule, comparison, judgement, index, &mut mutations),
            };
            broken += usize::from(!mutations.is_empty());
            audit.proofs.push(Proof {
                scenario: judgement.scenario.clone(),
                location: judgement.location.clone(),
                mutations,
                found,
            });
        }
        audit
    }

    fn breach(
        &mut self,
        rule: &Rule,
        comparison: &Comparison,
        judgement: &Judgement,
        index: usize,
        mutations: &mut Vec<Mutation>,
    ) -> Found {
        let original = self.original.clone();
        let all = original.scenarios();
        let untold = |absence| Found::Inconclusive(Inconclusive::Missing(absence));
        let Some(&scenario) = self.by_name.get(judgement.scenario.as_str()) else {
            return untold(Absence::Scenario);
        };
        let measured = &all[scenario];
        let record = &measured.record;
        let Some(before) = judgement.measured else {
            return untold(absence(judgement));
        };
        let Some(column) = column(&rule.metric, record) else {
            return untold(Absence::Metric);
        };
        let Some(grain) = Grain::of(&rule.metric, rule.statistic, record, &column) else {
            return untold(Absence::Elements);
        };
        let other = |name: &str| -> Option<&MeasuredScenario> {
            let other = &all[*self.by_name.get(name)?];
            let is_beside = other.environment.is_built_like(&measured.environment);
            is_beside.then_some(other)
        };
        let limit = match limits::of(rule, comparison, judgement, measured, other) {
            Ok(limit) => limit,
            Err(found) => return found,
        };
        let operator = comparison.operator;
        for &direction in directions(operator) {
            let target = nearest(operator, direction, &limit, &grain.divisors);
            let changed = target.and_then(|target| reach(rule, record, &grain, &column, target));
            let Some((breached, changed)) = changed else {
                continue;
            };
            let Some(after) = rule.metric.figure(rule.statistic, &breached) else {
                continue;
            };
            let verdict = self.verdict(vec![(scenario, breached)], judgement, index);
            mutations.push(Mutation {
                before: Figure::Value(before),
                after: Figure::Value(after),
                changed,
                verdict,
            });
        }
        if mutations.is_empty() {
            return Found::OutOfReach(out_of_range(rule, &grain, &column, comparison, &limit));
        }
        found(mutations)
    }

    fn grow(
        &mut self,
        comparison: &Comparison,
        judgement: &Judgement,
        index: usize,
        mutations: &mut Vec<Mutation>,
    ) -> Found {
        let (Some(growth), Limit::Growth(most)) = (judgement.growth(), &comparison.limit) else {
            return Found::Inconclusive(Inconclusive::Missing(absence(judgement)));
        };
        let Some((class, points)) = series::faster(growth, *most) else {
            return Found::OutOfReach(Why::Growth);
        };
        let measure = &judgement.metric;
        let original = self.original.clone();
        let all = original.scenarios();
        let members = members(&self.config.gates[0], judgement, growth, all);
        let changes = members.into_iter().map(|(scenario, n)| {
            let &(_, figure) = points.iter().find(|(at, _)| *at == n)?;
            let record = series::with_mean(measure, &all[scenario].record, figure)?;
            Some((scenario, record))
        });
        let Some(changes) = changes.collect::<Option<Vec<Change>>>() else {
            return Found::OutOfReach(Why::Growth);
        };
        let changed = changes.len() as u64;
        let verdict = self.verdict(changes, judgement, index);
        mutations.push(Mutation {
            before: Figure::Growth(growth.class),
            after: Figure::Growth(class),
            changed,
            verdict,
        });
        found(mutations)
    }

    /// The verdict on the judgement of this index while the results are changed. It
    /// is a `fail` only if the gate and the check fail with it.
    fn verdict(&mut self, changes: Vec<Change>, judgement: &Judgement, index: usize) -> Verdict {
        let originals = self.swap(changes);
        let evaluation = evaluate(&Inputs {
            config: &self.config,
            measurements: &self.copy,
            ..self.inputs
        });
        let gate = evaluation.gates.first();
        let judged = gate
            .and_then(|gate| gate.judgements.get(index))
            .filter(|j| (&j.scenario, j.place) == (&judgement.scenario, judgement.place));
        let verdict = judged.map_or(Verdict::Skipped, |judged| judged.verdict);
        let is_red = evaluation.outcome() == Outcome::Failed
            && gate.is_some_and(|gate| gate.verdict == Verdict::Fail);
        // It shares the results: with it around, they would be copied once more.
        drop(evaluation);
        self.swap(originals);
        if verdict == Verdict::Fail && !is_red {
            return Verdict::Pass;
        }
        verdict
    }

    /// Puts records into the copy, and returns those that were there.
    fn swap(&mut self, changes: Vec<Change>) -> Vec<Change> {
        let changes = changes.into_iter();
        changes
            .map(|(scenario, record)| (scenario, self.copy.replace(scenario, record)))
            .collect()
    }
}

/// The scenarios that limits of the gate refer to.
fn others(gate: &Gate, measurements: &Measurements) -> HashSet<String> {
    let limits = gate
        .rules
        .iter()
        .flat_map(|rule| rule.requirement.comparisons());
    let references: Vec<_> = limits
        .filter_map(|comparison| match &comparison.limit {
            Limit::Scenario(share) => Some(&share.reference),
            Limit::Number(_) | Limit::Baseline(_) | Limit::Growth(_) => None,
        })
        .collect();
    let mut others = HashSet::new();
    if !references.is_empty() {
        let scenarios = measurements.scenarios().iter();
        for measured in scenarios.filter(|measured| gate.is_about(&measured.record.name)) {
            let names = references.iter().map(|r| r.beside(&measured.record.axes));
            others.extend(names.filter_map(Result::ok));
        }
    }
    others
}

/// What is known of a comparison without breaking it.
fn status(judgement: &Judgement, comparison: &Comparison) -> Option<Found> {
    match judgement.verdict {
        Verdict::Fail if judgement.decisive() == Some(comparison) => Some(Found::Failing),
        Verdict::Fail => Some(Found::Inconclusive(Inconclusive::Hidden)),
        Verdict::Waived => Some(Found::Inconclusive(Inconclusive::Waived)),
        Verdict::Skipped | Verdict::Pass | Verdict::Stale | Verdict::Missing(_) => None,
    }
}

fn absence(judgement: &Judgement) -> Absence {
    match judgement.verdict {
        Verdict::Missing(absence) => absence,
        Verdict::Skipped | Verdict::Pass | Verdict::Waived | Verdict::Stale | Verdict::Fail => {
            Absence::Metric
        }
    }
}

/// What the verdicts on mutations show.
fn found(mutations: &[Mutation]) -> Found {
    let all = |is: &dyn Fn(Verdict) -> bool| mutations.iter().all(|breach| is(breach.verdict));
    if all(&|verdict| verdict == Verdict::Fail) {
        Found::Caught
    } else if all(&|verdict| matches!(verdict, Verdict::Fail | Verdict::Waived)) {
        Found::Inconclusive(Inconclusive::Waived)
    } else {
        Found::Missed
    }
}

/// The record whose whole number is `target`, and how many values were changed for
/// it; `None` when no record has it.
fn reach(
    rule: &Rule,
    record: &ScenarioRecord,
    grain: &Grain,
    column: &Column,
    target: i128,
) -> Option<(ScenarioRecord, u64)> {
    let range = range(&rule.metric);
    let moves: Vec<Move> = match grain.part {
        Part::First if !range.contains(&target) => return None,
        Part::First => return Some((with_first(&rule.metric, record, target)?, 1)),
        Part::Sum => moves::sum(column, target, &range)?,
        Part::Rank(rank) => moves::rank(column, rank, target, &range)?,
    };
    let changed = moves.iter().map(|one| one.times).sum();
    Some((moved(&rule.metric, record, &moves)?, changed))
}

/// The figures that records can have, beside what the limit comes to.
fn out_of_range(
    rule: &Rule,
    grain: &Grain,
    column: &Column,
    comparison: &Comparison,
    (low, high): &(Exact, Exact),
) -> Why {
    let range = range(&rule.metric);
    let values: u64 = match grain.part {
        Part::Sum => column.iter().map(|&(_, times)| times).sum(),
        Part::Rank(_) | Part::First => 1,
    };
    let end = |value: i128| {
        let mut divisors = grain.divisors.iter();
        let divisor = divisors.try_fold(1_u64, |product, &by| product.checked_mul(by))?;
        let figure = Ratio::new(value.checked_mul(values.into())?, divisor)?;
        Some(Exact::from(figure).to_string())
    };
    let is = |direction| directions(comparison.operator).contains(&direction);
    let limit = if is(Direction::Higher) { high } else { low };
    Why::Range {
        limit: limit.to_string(),
        least: end(*range.start()).filter(|_| is(Direction::Lower)),
        most: end(*range.end()).filter(|_| is(Direction::Higher)),
    }
}

/// The scenarios of a series that say something of its growth, each with its value
/// on the axis.
fn members(
    gate: &Gate,
    judgement: &Judgement,
    growth: &Growth,
    all: &[MeasuredScenario],
) -> Vec<(usize, u64)> {
    let is_member = |measured: &MeasuredScenario| {
        let record = &measured.record;
        gate.is_about(&record.name)
            && series_name(&record.name, &record.axes, Some(&growth.axis)) == judgement.scenario
    };
    let first = all
        .iter()
        .find(|m| m.bench == judgement.bench && is_member(m));
    let members = all.iter().enumerate().filter(|(_, measured)| {
        is_member(measured) && first.is_some_and(|first| first.environment == measured.environment)
    });
    let valued = members.filter_map(|(scenario, measured)| {
        let n = axis_value(&measured.record, &growth.axis)?;
        Some((scenario, n))
    });
    valued.filter(|&(_, n)| n > 0).collect()
}
