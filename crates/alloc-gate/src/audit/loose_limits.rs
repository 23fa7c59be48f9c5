//! Limits far from reality: at least twice the worst figure, and at least 2 counts
//! or 64 bytes beyond it. A gate may be there and still let all through.

use alloc_requirement::Operator;
use alloc_results::Ratio;

use crate::audit::LooseLimit;
use crate::evaluation::{GateSummary, Judgement, Verdict};
use crate::figure::Exact;
use crate::requirement::{Limit, tightened};
use crate::rules::{Config, Rule};

/// The least distance of a limit from the worst figure.
const COUNTS: i128 = 2;
const BYTES: i128 = 64;

pub(super) fn find(config: &Config, summaries: &[GateSummary]) -> Vec<LooseLimit> {
    let gates = config.gates.iter().zip(summaries);
    gates
        .flat_map(|(gate, summary)| {
            let rules = gate.rules.iter();
            rules.filter_map(|rule| of_rule(&gate.name, rule, summary))
        })
        .collect()
}

fn of_rule(gate: &str, rule: &Rule, summary: &GateSummary) -> Option<LooseLimit> {
    let [comparison] = rule.requirement.comparisons() else {
        // Of a range, one end is far away by nature.
        return None;
    };
    let Limit::Number(limit) = comparison.limit else {
        return None;
    };
    let own = || summary.judgements.iter().filter(|j| j.place == rule.place);
    // With a figure that fails or is not there, nothing is known of the rest.
    let holds = |j: &Judgement| matches!(j.verdict, Verdict::Pass | Verdict::Stale);
    if !own().all(holds) {
        return None;
    }
    let worst = match comparison.operator {
        Operator::Less | Operator::LessOrEqual => own().max_by_key(|j| j.measured),
        Operator::Greater | Operator::GreaterOrEqual => own().min_by_key(|j| j.measured),
        Operator::Equal => None,
    }?;
    let value = worst.measured?;
    let least = Ratio::whole(if rule.metric.is_bytes() {
        BYTES
    } else {
        COUNTS
    });
    let tightened = tightened(comparison.operator, value, limit);
    let (figure, limit) = (Exact::from(value), Exact::from(limit.value()));
    let (near, far) = match comparison.operator {
        Operator::Less | Operator::LessOrEqual => (figure, limit),
        Operator::Greater | Operator::GreaterOrEqual | Operator::Equal => (limit, figure),
    };
    // Of what is below zero, twice is nearer to nothing.
    let is_far = Exact::from(Ratio::whole(0)) <= near
        && &near + &near <= far
        && &near + &least.into() <= far;
    is_far.then(|| LooseLimit {
        gate: gate.to_owned(),
        metric: rule.metric.clone(),
        statistic: rule.statistic,
        requirement: rule.requirement.as_ref().clone(),
        place: rule.place,
        scenario: worst.scenario.clone(),
        worst: value,
        tightened,
    })
}
