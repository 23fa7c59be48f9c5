//! Problems of gates and their waivers in words.

use crate::evaluation::{ConditionOwner, GateProblem as Problem};
use crate::report::document::{Inline, Line, name, words};
use crate::report::words::figures::idle_figures;
use crate::report::words::{benches_of, pattern_advice};

pub(super) fn sentence(problem: &Problem, gate: Inline) -> Line {
    match problem {
        Problem::UnmatchedExclude { pattern } => words!(
            "the gate {} excludes {}, which matches none of its scenarios",
            gate,
            name(pattern)
        ),
        Problem::UnansweredCondition {
            owner,
            condition,
            about,
        } => words!(
            "it is not known whether {} {} applies: {} asks for more than is known of {}",
            match owner {
                ConditionOwner::Gate => "the gate",
                ConditionOwner::Waiver => "a waiver of the gate",
            },
            gate,
            name(condition),
            about
        ),
        Problem::ExpiredWaiver {
            until,
            reason,
            issue,
        } => words!(
            "a waiver of the gate {} ended on {}: {}{}",
            gate,
            until,
            reason,
            issue.as_ref().map(|issue| words!(", {}", issue))
        ),
        Problem::IdleWaiver { figures, is_whole } => {
            let about = words!("a waiver of the gate {} is not needed", gate);
            if *is_whole {
                words!("{}: the gate holds without it", about)
            } else {
                words!("{} for {}", about, idle_figures(figures))
            }
        }
        Problem::UnmatchedWaiver { pattern, benches } => words!(
            "a waiver is for {}{}, which matches no scenario of the gate {}",
            name(pattern),
            benches_of(benches),
            gate
        ),
    }
}

pub(super) fn advice(problem: &Problem, place: Inline) -> Line {
    match problem {
        Problem::UnmatchedExclude { .. } | Problem::UnmatchedWaiver { .. } => pattern_advice(place),
        Problem::UnansweredCondition { .. } => words!(
            "provide what `rustc --print cfg` prints for the target, or change the condition at {}",
            place
        ),
        Problem::ExpiredWaiver { .. } => words!(
            "fix the cause and remove the waiver at {}, or agree on a later `until`",
            place
        ),
        Problem::IdleWaiver { is_whole: true, .. } => words!(
            "remove it at {}, so that it can't hide the next failure",
            place
        ),
        Problem::IdleWaiver { .. } => words!(
            "name only the scenarios and metrics that need it at {}, so that it can't hide the \
             next failure",
            place
        ),
    }
}
