//! Problems of scenarios in words.

use alloc_results::mean;

use crate::evaluation::{Evaluation, ScenarioProblem as Problem};
use crate::report::document::{Line, words};
use crate::report::words::figures::{left_out, ranges_words, still_running};

/// `subject` is the scenario with its place.
pub(super) fn sentence(problem: &Problem, subject: Line) -> Line {
    match problem {
        Problem::Ungated {} => words!("no gate applies to {}", subject),
        Problem::Nondeterministic { ranges } => {
            let ranges = ranges_words(ranges);
            words!("the iterations of {} differ: {}", subject, ranges)
        }
        Problem::Foreign { operations } => words!(
            "while {} was counted, other threads made {}; its figures don't include that",
            subject,
            left_out(operations)
        ),
        Problem::Uncounted { operations } => words!(
            "in {}, `uncounted` excluded {}; its figures don't include that",
            subject,
            left_out(operations)
        ),
        Problem::StillRunning { threads, first } => words!(
            "in {}, threads outlived the iteration in which they began by a tenth of a second: {}; \
             its figures can be too low",
            subject,
            still_running(*threads, *first)
        ),
        Problem::Panicked { message, .. } => words!("{} was not measured: {}", subject, message),
        Problem::TimedOut { message, .. } => words!("{} timed out: {}", subject, message),
        Problem::FellToZero { accepted } => words!(
            "{} does not allocate any more; in the baseline, it has allocs {} per iteration",
            subject,
            mean(*accepted, 0)
        ),
    }
}

pub(super) fn advice(problem: &Problem, evaluation: &Evaluation) -> Line {
    match problem {
        Problem::Ungated {} => words!(
            "add it to the `scenarios` of a gate, or set `ungated = \"allow\"` in `[policy]`"
        ),
        Problem::Nondeterministic { .. } => words!(
            "make the input the same each time; or gate `max` as well as the mean, and set \
             `nondeterministic = \"allow\"` in the gate"
        ),
        Problem::Foreign { .. } => words!(
            "count them with `scope(Scope::Process)` if they work for the scenario, or set \
             `foreign = \"allow\"` in its gate or in `[policy]`"
        ),
        Problem::Uncounted { .. } => words!(
            "move the work into `setup` or `input`, or set `foreign = \"allow\"` in its gate or in \
             `[policy]`"
        ),
        Problem::StillRunning { .. } => {
            words!("call `join()` in the iteration, or start the threads in `setup`")
        }
        Problem::Panicked { .. } => words!("fix the scenario, and measure again"),
        Problem::TimedOut { .. } => {
            words!("give the scenario fewer iterations or more time, and measure again")
        }
        Problem::FellToZero { .. } => words!(
            "check that the scenario still does its work; if it does, run `cargo alloc-gate \
             accept` and commit what it writes{}",
            if evaluation.is_acceptable {
                ""
            } else {
                ", which approves it"
            }
        ),
    }
}
