//! Problems of gates in words.

use crate::evaluation::GateProblem as Problem;
use crate::report::document::{Inline, Line, name, words};
use crate::report::words::pattern_advice;

pub(super) fn sentence(problem: &Problem, gate: Inline) -> Line {
    match problem {
        Problem::UnmatchedExclude { pattern } => words!(
            "the gate {} excludes {}, which matches none of its scenarios",
            gate,
            name(pattern)
        ),
        Problem::UnansweredCondition { condition, about } => words!(
            "it is not known whether the gate {} applies: {} asks for more than is known of {}",
            gate,
            name(condition),
            about
        ),
    }
}

pub(super) fn advice(problem: &Problem, place: Inline) -> Line {
    match problem {
        Problem::UnmatchedExclude { .. } => pattern_advice(place),
        Problem::UnansweredCondition { .. } => words!(
            "provide what `rustc --print cfg` prints for the target, or change the condition at {}",
            place
        ),
    }
}
