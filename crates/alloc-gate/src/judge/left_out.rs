//! Findings about operations and threads that the figures of a scenario leave out.

use alloc_results::Scope;

use crate::evaluation::{FindingKind, LeftOut};
use crate::judge::findings::Reacted;
use crate::results::MeasuredScenario;
use crate::rules::{Policy, Reaction};

/// The findings about one scenario, each with its reaction. `foreign` is the reaction of its
/// gates to other threads that allocate, if they have one.
pub(super) fn findings(
    measured: &MeasuredScenario,
    foreign: Option<Reaction>,
    policy: &Policy,
) -> Vec<Reacted> {
    let record = &measured.record;
    let outside = &record.outside;
    let place = || (measured.label(), record.location.clone());
    let operations = |counted, first| LeftOut {
        counted,
        iterations: record.iterations,
        first,
    };
    let by_others = operations(record.foreign, outside.foreign_first);
    let uncounted = operations(outside.uncounted, outside.uncounted_first);
    let mut found = Vec::new();
    if record.scope == Scope::Thread && !by_others.is_empty() {
        let (scenario, location) = place();
        found.push((
            foreign.unwrap_or(policy.foreign),
            FindingKind::Foreign {
                scenario,
                location,
                operations: by_others,
            },
        ));
    }
    if !uncounted.is_empty() {
        let (scenario, location) = place();
        found.push((
            policy.uncounted,
            FindingKind::Uncounted {
                scenario,
                location,
                operations: uncounted,
            },
        ));
    }
    let (threads, first) = (outside.still_running, outside.still_running_first);
    if threads > 0 || first > 0 {
        // A pool that begins in the first call stays, which is usual.
        let is_denied = policy.still_running == Reaction::Deny;
        let reaction = if is_denied && threads == 0 {
            Reaction::Warn
        } else {
            policy.still_running
        };
        let (scenario, location) = place();
        found.push((
            reaction,
            FindingKind::StillRunning {
                scenario,
                location,
                threads,
                first,
            },
        ));
    }
    found
}
