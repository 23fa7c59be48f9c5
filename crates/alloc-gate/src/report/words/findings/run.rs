//! Problems of the benches and the baseline in words.

use crate::evaluation::{Evaluation, RunProblem as Problem};
use crate::report::document::{Line, name, words};

pub(super) fn sentence(problem: &Problem, config_file: &str) -> Line {
    match problem {
        Problem::Filtered {} => {
            words!("a filter left out scenarios of a bench, so they were not checked")
        }
        Problem::UnlistedBench { bench } => words!(
            "{} does not name {}, a bench over alloc-scenario, so it did not run",
            config_file,
            name(bench)
        ),
        Problem::UnrecordedBench { bench } => words!(
            "the results have none of {}, so nothing of it was checked",
            name(bench)
        ),
        Problem::Unmeasured { scenario, bench } => words!(
            "{} of {} is in the baseline and was not measured",
            name(scenario),
            name(bench)
        ),
        Problem::OtherToolchain { accepted, here } => words!(
            "the baseline was measured with {}, and this run with {}",
            accepted,
            here
        ),
        Problem::UnusedBaseline { file } => words!(
            "no gate compares with the baseline in {}, so that worse figures pass",
            name(file)
        ),
        Problem::StaleDocument { file } => words!("{} is out of date", name(file)),
        Problem::NoDocument { file } => words!("{} does not exist", name(file)),
    }
}

pub(super) fn advice(problem: &Problem, evaluation: &Evaluation) -> Line {
    match problem {
        Problem::Filtered {} => words!("measure again without a filter"),
        Problem::UnlistedBench { bench } => words!(
            "add `[[bench]]` with {} and {} to {}; a third line, `run = false`, leaves it out",
            name(format!("package = \"{}\"", bench.package)),
            name(format!("target = \"{}\"", bench.target)),
            &evaluation.config_file
        ),
        Problem::UnrecordedBench { .. } => words!(
            "add the file that `cargo alloc-gate run` recorded for it, or select the other benches \
             with --package and --bench"
        ),
        Problem::Unmeasured { .. } => words!(
            "if it was removed on purpose, run `cargo alloc-gate accept` and commit what it \
             writes{}; otherwise restore it",
            if evaluation.is_acceptable {
                ""
            } else {
                ", which approves it, or wait until the base no longer has it"
            }
        ),
        Problem::OtherToolchain { .. } => words!(
            "counts of std's collections may differ between compilers; accept with the one that CI \
             uses"
        ),
        Problem::UnusedBaseline { .. } => words!("write `allocs = \"<= baseline\"` into a gate"),
        Problem::StaleDocument { .. } | Problem::NoDocument { .. } => {
            words!("run `cargo alloc-gate accept`, and commit what it writes")
        }
    }
}
