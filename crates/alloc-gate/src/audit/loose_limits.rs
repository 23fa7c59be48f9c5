//! Loose limits: at least twice the worst figure, and at least 2 counts or 64 bytes
//! beyond it. A gate with such a limit lets regressions pass.

use alloc_results::Ratio;

use crate::audit::LooseLimit;
use crate::evaluation::GateSummary;
use crate::figure::Exact;
use crate::judge::Slack;
use crate::rules::{Config, Rule};

/// The least distance of a loose limit from the worst figure.
const COUNTS: i128 = 2;
const BYTES: i128 = 64;

/// The loose limits of all gates; `summaries` are those of the gates of `config`.
pub(super) fn find(config: &Config, summaries: &[GateSummary]) -> Vec<LooseLimit> {
    let gates = config.gates.iter().zip(summaries);
    gates
        .flat_map(|(gate, summary)| {
            let rules = gate.rules.iter();
            rules.filter_map(|rule| loose_limit(rule, summary))
        })
        .collect()
}

fn loose_limit(rule: &Rule, summary: &GateSummary) -> Option<LooseLimit> {
    let slack = Slack::in_rule(rule, &summary.judgements)?;
    let least = Ratio::whole(if rule.metric.is_bytes() {
        BYTES
    } else {
        COUNTS
    });
    let (near, far) = slack.ends();
    // Doubling a negative number makes it smaller, so the factor says nothing of it.
    let is_loose = Exact::from(Ratio::whole(0)) <= near
        && &near + &near <= far
        && &near + &least.into() <= far;
    is_loose.then(|| LooseLimit {
        gate: summary.name.clone(),
        rule: rule.clone(),
        scenario: summary.judgements[slack.worst].label(),
        worst: slack.figure,
        tightened: slack.tightened(),
    })
}
