//! Problems with operations and threads that the figures of a scenario leave out.

use alloc_results::Scope;

use crate::evaluation::{LeftOut, ScenarioProblem};
use crate::results::MeasuredScenario;
use crate::rules::{Policy, Reaction};

/// A problem of a scenario, and the reaction to it.
pub(super) type Reacted = (Reaction, ScenarioProblem);

/// The problems of one scenario. `foreign` is the reaction of its gates to operations that are
/// left out, if they have one.
pub(super) fn problems(
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
    let foreign = foreign.unwrap_or(policy.foreign);
    let mut found = Vec::new();
    if let Some(operations) = operations(record.foreign, outside.foreign_first)
        && record.scope == Scope::Thread
    {
        let problem = ScenarioProblem::Foreign { operations };
        found.push((foreign, problem));
    }
    if let Some(operations) = operations(outside.uncounted, outside.uncounted_first) {
        let problem = ScenarioProblem::Uncounted { operations };
        found.push((foreign, problem));
    }
    let (threads, first) = (outside.still_running, outside.still_running_first);
    if threads > 0 || first > 0 {
        // A pool that begins in the first call stays, which is usual.
        let reaction = if threads == 0 {
            Reaction::Warn
        } else {
            Reaction::Deny
        };
        found.push((reaction, ScenarioProblem::StillRunning { threads, first }));
    }
    found
}
