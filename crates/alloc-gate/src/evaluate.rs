//! [`evaluate`]: the one place in which a verdict is reached. A pure function;
//! counts are compared as exact rationals.

use alloc_results::{Metric, Ratio};

use crate::baseline::{Accepted, Baseline};
use crate::config::{Config, Gate, Reaction, Rule};
use crate::evaluation::{
    Absence, Evaluation, Finding, GateSummary, Judgement, Level, Remark, Verdict,
};
use crate::measurements::{Measured, Measurements};
use crate::{Comparison, Limit, Operator};

/// What a verdict is reached from.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'i> {
    /// The rules.
    pub config: &'i Config,
    /// What was measured.
    pub measurements: &'i Measurements,
    /// What was accepted; `None` when there is no data file, and then whatever
    /// is compared with it is missing.
    pub baseline: Option<&'i Baseline>,
    /// The state of the baseline's page, where the rules name one.
    pub document: Option<DocumentState>,
    /// How much of the workspace was asked for.
    pub partiality: Partiality,
}

/// How much of the workspace was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Partiality {
    /// All benches: a gate that matches nothing is missing its scenarios.
    Whole,
    /// A person selected some benches: a gate that matches nothing of them is
    /// skipped, and the report says so.
    Selected,
}

/// The state of the baseline's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentState {
    /// It shows the data.
    Current,
    /// It shows something else.
    Stale,
    /// It is not there.
    Absent,
}

/// Judges what was measured.
#[must_use]
pub fn evaluate(inputs: &Inputs<'_>) -> Evaluation {
    let config = inputs.config;
    let gates: Vec<GateSummary> = config
        .gates
        .iter()
        .map(|gate| judge(gate, inputs))
        .collect();
    Evaluation {
        config_file: config.file().to_owned(),
        gates,
        findings: findings(inputs),
        scenarios: inputs.measurements.scenarios().to_vec(),
        stale: config.policy.stale,
    }
}

fn judge(gate: &Gate, inputs: &Inputs<'_>) -> GateSummary {
    let mut matched = vec![false; gate.scenarios.len()];
    let mut judgements = Vec::new();
    for measured in inputs.measurements.scenarios() {
        let mut applies = false;
        for (pattern, matched) in gate.scenarios.iter().zip(&mut matched) {
            if pattern.matches(&measured.record.name) {
                *matched = true;
                applies = true;
            }
        }
        if applies {
            let rules = gate.rules.iter();
            judgements.extend(rules.map(|rule| judge_rule(rule, measured, inputs.baseline)));
        }
    }
    let unmatched: Vec<_> = gate
        .scenarios
        .iter()
        .zip(matched)
        .filter(|(_, matched)| !matched)
        .map(|(pattern, _)| (pattern.text().to_owned(), pattern.place()))
        .collect();
    let worst = judgements.iter().map(|judgement| judgement.verdict).max();
    let verdict = match (inputs.partiality, worst) {
        (Partiality::Whole, worst) if !unmatched.is_empty() => worst
            .unwrap_or(Verdict::Skipped)
            .max(Verdict::Missing(Absence::Scenario)),
        (Partiality::Whole | Partiality::Selected, worst) => worst.unwrap_or(Verdict::Skipped),
    };
    GateSummary {
        name: gate.name.clone(),
        reason: gate.reason.clone(),
        place: gate.place,
        judgements,
        unmatched,
        verdict,
    }
}

fn judge_rule(rule: &Rule, measured: &Measured, baseline: Option<&Baseline>) -> Judgement {
    let record = &measured.record;
    let value = rule.statistic.of(rule.metric, record);
    let accepted = if rule.requirement.needs_baseline() {
        Some(find_accepted(rule, measured, baseline))
    } else {
        None
    };
    let (verdict, decisive) = match (value, accepted) {
        (None, _) => (Verdict::Missing(Absence::Metric), None),
        (Some(_), Some(Err(absence))) => (Verdict::Missing(absence), None),
        (Some(value), Some(Ok(accepted))) => compare(rule, value, Some(accepted)),
        (Some(value), None) => compare(rule, value, None),
    };
    Judgement {
        scenario: record.name.clone(),
        bench: measured.bench.clone(),
        location: record.location.clone(),
        metric: rule.metric,
        statistic: rule.statistic,
        requirement: rule.requirement.clone(),
        place: rule.place,
        measured: value,
        baseline: accepted.and_then(Result::ok),
        decisive,
        verdict,
    }
}

fn find_accepted(
    rule: &Rule,
    measured: &Measured,
    baseline: Option<&Baseline>,
) -> Result<Ratio, Absence> {
    let accepted = environment(measured, baseline).ok_or(Absence::Environment)?;
    accepted
        .scenarios
        .get(&measured.record.name)
        .and_then(|scenario| scenario.figure(rule.metric, rule.statistic))
        .ok_or(Absence::Baseline)
}

fn environment<'b>(measured: &Measured, baseline: Option<&'b Baseline>) -> Option<&'b Accepted> {
    baseline?.accepted_in(&measured.environment)
}

/// The verdict, and the comparison that decided: the first that does not hold,
/// or else the first that holds by more than it should.
fn compare(rule: &Rule, value: Ratio, accepted: Option<Ratio>) -> (Verdict, Option<Comparison>) {
    let mut stale = None;
    for &comparison in rule.requirement.comparisons() {
        let limit = match comparison.limit {
            Limit::Number(number) => number,
            Limit::Baseline => match accepted {
                Some(accepted) => accepted,
                // `judge_rule` looks the baseline up for every requirement that
                // needs it.
                None => {
                    return (Verdict::Missing(Absence::Baseline), Some(comparison));
                }
            },
        };
        if !comparison.operator.holds(value, limit) {
            return (Verdict::Fail, Some(comparison));
        }
        if comparison.limit == Limit::Baseline && is_better(comparison.operator, value, limit) {
            stale.get_or_insert(comparison);
        }
    }
    match stale {
        Some(comparison) => (Verdict::Stale, Some(comparison)),
        None => (Verdict::Pass, None),
    }
}

/// Whether `value` is on the good side of the `limit` that it holds, and not on
/// it. With `<` the limit itself is not reached, and one step inside is as near
/// as a count gets.
fn is_better(operator: Operator, value: Ratio, limit: Ratio) -> bool {
    let step = |from: Ratio, by: i128| from.as_whole().map(|whole| Ratio::whole(whole + by));
    match operator {
        Operator::LessOrEqual => value < limit,
        Operator::GreaterOrEqual => value > limit,
        Operator::Less => step(limit, -1).is_some_and(|nearest| value < nearest),
        Operator::Greater => step(limit, 1).is_some_and(|nearest| value > nearest),
        Operator::Equal => false,
    }
}

fn findings(inputs: &Inputs<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let policy = &inputs.config.policy;
    let mut add = |reaction: Reaction, remark: Remark| match reaction {
        Reaction::Deny => findings.push(Finding {
            level: Level::Deny,
            remark,
        }),
        Reaction::Warn => findings.push(Finding {
            level: Level::Warn,
            remark,
        }),
        Reaction::Allow => {}
    };
    for measured in inputs.measurements.scenarios() {
        let record = &measured.record;
        let gated = inputs.config.gates.iter().any(|gate| {
            let mut patterns = gate.scenarios.iter();
            patterns.any(|pattern| pattern.matches(&record.name))
        });
        if !gated {
            add(
                policy.ungated,
                Remark::Ungated {
                    scenario: record.name.clone(),
                    location: record.location.clone(),
                },
            );
        }
        if !record.is_deterministic() {
            add(
                policy.nondeterministic,
                Remark::Nondeterministic {
                    scenario: record.name.clone(),
                    location: record.location.clone(),
                    ranges: ranges(measured),
                },
            );
        }
    }
    if let Some((accepted, here)) = other_toolchain(inputs) {
        add(Reaction::Warn, Remark::OtherToolchain { accepted, here });
    }
    let page = inputs.config.baseline.as_ref();
    if let (Some(state), Some(file)) = (inputs.document, page.and_then(|p| p.document.clone())) {
        match state {
            DocumentState::Current => {}
            DocumentState::Stale => add(Reaction::Warn, Remark::StaleDocument { file }),
            DocumentState::Absent => add(Reaction::Warn, Remark::NoDocument { file }),
        }
    }
    findings
}

fn ranges(measured: &Measured) -> Vec<(Metric, i128, i128)> {
    let range = |metric| {
        let values = measured.record.distribution(metric)?;
        (!values.is_constant()).then(|| (metric, values.min(), values.max()))
    };
    Metric::ALL.into_iter().filter_map(range).collect()
}

/// The compilers of baseline and run, where a rule compares the two and they
/// differ.
fn other_toolchain(inputs: &Inputs<'_>) -> Option<(String, String)> {
    let compares = inputs
        .config
        .gates
        .iter()
        .flat_map(|gate| &gate.rules)
        .any(|rule| rule.requirement.needs_baseline());
    if !compares {
        return None;
    }
    let mut measured = inputs.measurements.scenarios().iter();
    measured.find_map(|measured| {
        let accepted = &environment(measured, inputs.baseline)?.environment.rustc;
        let here = &measured.environment.rustc;
        (accepted != here).then(|| (accepted.clone(), here.clone()))
    })
}
