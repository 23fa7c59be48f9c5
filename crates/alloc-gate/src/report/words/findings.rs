//! Findings in words, each with advice.

use alloc_results::mean;

use crate::evaluation::{Evaluation, FindingKind, GateProblem, RunProblem, ScenarioProblem};
use crate::report::document::{Inline, Line, at, location, name, words};
use crate::report::words::{left_out, pattern_advice, ranges_words, still_running};

/// A sentence about a finding, and advice.
pub(in crate::report) fn finding_words(
    kind: &FindingKind,
    evaluation: &Evaluation,
) -> (Line, Line) {
    let at = |place| at(&evaluation.config_file, place);
    match kind {
        FindingKind::Scenario {
            scenario,
            location: place,
            problem,
        } => {
            let subject = words!("{} ({})", name(scenario), location(place));
            (
                scenario_sentence(problem, subject),
                scenario_advice(problem, evaluation),
            )
        }
        FindingKind::Run(problem) => (
            run_sentence(problem, &evaluation.config_file),
            run_advice(problem, evaluation),
        ),
        FindingKind::Gate {
            gate,
            place,
            problem,
        } => (
            gate_sentence(problem, name(gate)),
            gate_advice(problem, at(*place)),
        ),
    }
}

fn gate_sentence(problem: &GateProblem, gate: Inline) -> Line {
    match problem {
        GateProblem::UnmatchedExclude { pattern } => words!(
            "the gate {} excludes {}, which matches none of its scenarios",
            gate,
            name(pattern)
        ),
        GateProblem::UnansweredCondition { condition, about } => words!(
            "it is not known whether the gate {} applies: {} asks for more than is known of {}",
            gate,
            name(condition),
            about
        ),
    }
}

fn gate_advice(problem: &GateProblem, place: Inline) -> Line {
    match problem {
        GateProblem::UnmatchedExclude { .. } => pattern_advice(place),
        GateProblem::UnansweredCondition { .. } => words!(
            "provide what `rustc --print cfg` prints for the target, or change the condition at {}",
            place
        ),
    }
}

fn run_sentence(problem: &RunProblem, config_file: &str) -> Line {
    match problem {
        RunProblem::Filtered {} => {
            words!("a filter left out scenarios of a bench, so they were not checked")
        }
        RunProblem::UnlistedBench { bench } => words!(
            "{} does not name {}, a bench over alloc-scenario, so it did not run",
            config_file,
            name(bench)
        ),
        RunProblem::UnrecordedBench { bench } => words!(
            "the results have none of {}, so nothing of it was checked",
            name(bench)
        ),
        RunProblem::Unmeasured { scenario, bench } => words!(
            "{} of {} is in the baseline and was not measured",
            name(scenario),
            name(bench)
        ),
        RunProblem::OtherToolchain { accepted, here } => words!(
            "the baseline was measured with {}, and this run with {}",
            accepted,
            here
        ),
        RunProblem::UnusedBaseline { file } => words!(
            "no gate compares with the baseline in {}, so it limits nothing",
            name(file)
        ),
        RunProblem::StaleDocument { file } => words!("{} is out of date", name(file)),
        RunProblem::NoDocument { file } => words!("{} does not exist", name(file)),
    }
}

fn run_advice(problem: &RunProblem, evaluation: &Evaluation) -> Line {
    match problem {
        RunProblem::Filtered {} => words!("measure again without a filter"),
        RunProblem::UnlistedBench { bench } => words!(
            "add `[[bench]]` with {} and {} to {}; a third line, `run = false`, leaves it out",
            name(format!("package = \"{}\"", bench.package)),
            name(format!("target = \"{}\"", bench.target)),
            &evaluation.config_file
        ),
        RunProblem::UnrecordedBench { .. } => words!(
            "add the file that `cargo alloc-gate run` recorded for it, or select the other benches \
             with --package and --bench"
        ),
        RunProblem::Unmeasured { .. } => words!(
            "if it was removed on purpose, run `cargo alloc-gate accept` and commit what it \
             writes{}; otherwise restore it",
            if evaluation.is_acceptable {
                ""
            } else {
                ", which approves it, or wait until the base no longer has it"
            }
        ),
        RunProblem::OtherToolchain { .. } => words!(
            "counts of std's collections may differ between compilers; accept with the one that CI \
             uses"
        ),
        RunProblem::UnusedBaseline { .. } => words!("write `allocs = \"<= baseline\"` into a gate"),
        RunProblem::StaleDocument { .. } | RunProblem::NoDocument { .. } => {
            words!("run `cargo alloc-gate accept`, and commit what it writes")
        }
    }
}

/// `subject` is the scenario with its place.
fn scenario_sentence(problem: &ScenarioProblem, subject: Line) -> Line {
    match problem {
        ScenarioProblem::Ungated {} => words!("no gate applies to {}", subject),
        ScenarioProblem::Nondeterministic { ranges } => {
            let ranges = ranges_words(ranges);
            words!("the iterations of {} differ: {}", subject, ranges)
        }
        ScenarioProblem::Foreign { operations } => words!(
            "while {} was counted, other threads made {}; its figures don't include that",
            subject,
            left_out(operations)
        ),
        ScenarioProblem::Uncounted { operations } => words!(
            "in {}, `uncounted` excluded {}; its figures don't include that",
            subject,
            left_out(operations)
        ),
        ScenarioProblem::StillRunning { threads, first } => words!(
            "in {}, threads outlived the iteration in which they began by a tenth of a second: {}; \
             its figures can be too low",
            subject,
            still_running(*threads, *first)
        ),
        ScenarioProblem::Panicked { message, .. } => {
            words!("{} was not measured: {}", subject, message)
        }
        ScenarioProblem::TimedOut { message, .. } => words!("{} timed out: {}", subject, message),
        ScenarioProblem::FellToZero { accepted } => words!(
            "{} does not allocate any more; in the baseline, it has allocs {} per iteration",
            subject,
            mean(*accepted, 0)
        ),
    }
}

fn scenario_advice(problem: &ScenarioProblem, evaluation: &Evaluation) -> Line {
    match problem {
        ScenarioProblem::Ungated {} => words!(
            "add it to the `scenarios` of a gate, or set `ungated = \"allow\"` in `[policy]`"
        ),
        ScenarioProblem::Nondeterministic { .. } => words!(
            "make the input the same each time; or gate `max` as well as the mean, and set \
             `nondeterministic = \"allow\"` in the gate"
        ),
        ScenarioProblem::Foreign { .. } => words!(
            "count them with `scope(Scope::Process)` if they work for the scenario, or set \
             `foreign = \"allow\"` in its gate or in `[policy]`"
        ),
        ScenarioProblem::Uncounted { .. } => words!(
            "move the work into `setup` or `input`, or set `foreign = \"allow\"` in its gate or in \
             `[policy]`"
        ),
        ScenarioProblem::StillRunning { .. } => {
            words!("call `join()` in the iteration, or start the threads in `setup`")
        }
        ScenarioProblem::Panicked { .. } => words!("fix the scenario, and measure again"),
        ScenarioProblem::TimedOut { .. } => {
            words!("give the scenario fewer iterations or more time, and measure again")
        }
        ScenarioProblem::FellToZero { .. } => words!(
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
