//! Findings about operations and threads that the figures of a scenario leave out.

use alloc_results::Scope;

use crate::evaluation::{FindingKind, LeftOut};
use crate::results::MeasuredScenario;
use crate::rules::{Policy, Reaction};

/// A finding, and the reaction of the policy to it.
pub(super) type Reacted = (Reaction, FindingKind);

/// The findings about one scenario, each with its reaction. `foreign` is the reaction of its
/// gates to other threads that allocate, if they have one.
pub(super) fn findings(
    measured: &MeasuredScenario,
    foreign: Option<Reaction>,
    policy: &Policy,
) -> Vec<Reacted> {
    let record = &measured.record;
    let outside = &record.outside;
    let operations = |counted, first| {
        let operations = LeftOut {
            counted,
            iterations: record.iterations,
            first,
        };
        Some(operations).filter(|operations| !operations.is_empty())
    };
    let mut found = Vec::new();
    if let Some(operations) = operations(record.foreign, outside.foreign_first)
        && record.scope == Scope::Thread
    {
        let kind = FindingKind::Foreign {
            scenario: measured.label(),
            location: record.location.clone(),
            operations,
        };
        found.push((foreign.unwrap_or(policy.foreign), kind));
    }
    if let Some(operations) = operations(outside.uncounted, outside.uncounted_first) {
        let kind = FindingKind::Uncounted {
            scenario: measured.label(),
            location: record.location.clone(),
            operations,
        };
        found.push((policy.uncounted, kind));
    }
    let (threads, first) = (outside.still_running, outside.still_running_first);
    if threads > 0 || first > 0 {
        // A pool that begins in the first call stays, which is usual.
        let reaction = if threads == 0 && policy.still_running == Reaction::Deny {
            Reaction::Warn
        } else {
            policy.still_running
        };
        let kind = FindingKind::StillRunning {
            scenario: measured.label(),
            location: record.location.clone(),
            threads,
            first,
        };
        found.push((reaction, kind));
    }
    found
}
