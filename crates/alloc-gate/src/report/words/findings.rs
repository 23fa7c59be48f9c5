//! Findings in words, each with advice.

use alloc_results::{Metric, mean};

use crate::evaluation::{ConditionOwner, Evaluation, FindingKind};
use crate::figure::Measure;
use crate::report::change::plain_figure;
use crate::report::document::{Line, at, location, name, words};
use crate::report::words::figures::{
    as_others, idle_figures, left_out, ranges_words, still_running,
};
use crate::report::words::{benches_of, pattern_advice, tables};
use crate::requirement::{Requirement, rule_words};

/// A sentence about a finding, and advice.
pub(in crate::report) fn finding_words(
    kind: &FindingKind,
    evaluation: &Evaluation,
) -> (Line, Line) {
    let subject = kind.subject();
    let subject = subject.map(|(scenario, at)| words!("{} ({})", name(scenario), location(at)));
    (
        sentence(kind, subject.into(), &evaluation.config_file),
        advice(kind, evaluation),
    )
}

/// `subject` is the scenario that the finding is about, with its place.
fn sentence(kind: &FindingKind, subject: Line, config_file: &str) -> Line {
    use FindingKind as Kind;
    match kind {
        Kind::Ungated { .. } => words!("no gate applies to {}", subject),
        Kind::Nondeterministic { ranges, .. } => {
            words!(
                "the iterations of {} differ: {}",
                subject,
                ranges_words(ranges)
            )
        }
        Kind::Foreign { operations, .. } => words!(
            "while {} was counted, other threads made {}; its figures don't include that",
            subject,
            left_out(operations)
        ),
        Kind::Uncounted { operations, .. } => words!(
            "in {}, `uncounted` excluded {}; its figures don't include that",
            subject,
            left_out(operations)
        ),
        Kind::StillRunning { threads, first, .. } => words!(
            "in {}, threads outlived the iteration in which they began by a tenth of a second: {}; \
             its figures can be too low",
            subject,
            still_running(*threads, *first)
        ),
        Kind::HiddenReallocs {
            gate,
            statistic,
            requirement,
            reallocs,
            others,
            ..
        } => words!(
            "the gate {} requires {}, but {} reallocates: reallocs {} {}{}",
            name(gate),
            name(rule_words(
                &Measure::Counted(Metric::Allocs),
                *statistic,
                requirement
            )),
            subject,
            plain_figure(Metric::Reallocs.unit(), *reallocs),
            statistic.words(),
            as_others(*others)
        ),
        Kind::Panicked { message, .. } => words!("{} was not measured: {}", subject, message),
        Kind::TimedOut { message, .. } => words!("{} timed out: {}", subject, message),
        Kind::Filtered {} => {
            words!("a filter left out scenarios of a bench, so they were not checked")
        }
        Kind::UnlistedBench { bench } => words!(
            "{} does not name {}, a bench over alloc-scenario, so it did not run",
            config_file,
            name(bench)
        ),
        Kind::UnrecordedBench { bench } => words!(
            "the results have none of {}, so nothing of it was checked",
            name(bench)
        ),
        Kind::Unmeasured { scenario, bench } => words!(
            "{} of {} is in the baseline and was not measured",
            name(scenario),
            name(bench)
        ),
        Kind::FellToZero { accepted, .. } => words!(
            "{} does not allocate any more; in the baseline, it has alloc-calls {} per iteration",
            subject,
            mean(*accepted, 0)
        ),
        Kind::OtherToolchain { accepted, here } => words!(
            "the baseline was measured with {}, and this run with {}",
            accepted,
            here
        ),
        Kind::UnusedBaseline { file } => words!(
            "no gate compares with the baseline in {}, so that worse figures pass",
            name(file)
        ),
        Kind::StaleDocument { file } => words!("{} is out of date", name(file)),
        Kind::NoDocument { file } => words!("{} does not exist", name(file)),
        Kind::UnmatchedExclude { gate, pattern, .. } => words!(
            "the gate {} excludes {}, which matches none of its scenarios",
            name(gate),
            name(pattern)
        ),
        Kind::UnansweredCondition {
            owner,
            gate,
            condition,
            about,
            ..
        } => words!(
            "it is not known whether {} {} applies: {} asks for more than is known of {}",
            match owner {
                ConditionOwner::Gate => "the gate",
                ConditionOwner::Waiver => "a waiver of the gate",
            },
            name(gate),
            name(condition),
            about
        ),
        Kind::UnreachableLimit {
            gate,
            metric,
            statistic,
            comparison,
            most,
            ..
        } => words!(
            "no figure can exceed the limit {} of the gate {}: {}",
            name(rule_words(
                metric,
                *statistic,
                &Requirement::from(comparison.clone())
            )),
            name(gate),
            match most {
                None => String::from("it is the scenario's own figure"),
                Some(most) => format!("a figure is at most {most}"),
            }
        ),
        Kind::ExpiredWaiver {
            gate,
            until,
            reason,
            issue,
            ..
        } => words!(
            "a waiver of the gate {} ended on {}: {}{}",
            name(gate),
            until,
            reason,
            issue.as_ref().map(|issue| words!(", {}", issue))
        ),
        Kind::IdleWaiver { waiver } if waiver.is_whole => words!(
            "a waiver of the gate {} is not needed: the gate holds without it",
            name(&waiver.gate)
        ),
        Kind::IdleWaiver { waiver } => words!(
            "a waiver of the gate {} is not needed for {}",
            name(&waiver.gate),
            idle_figures(&waiver.figures)
        ),
        Kind::UnmatchedWaiver {
            gate,
            pattern,
            benches,
            ..
        } => words!(
            "a waiver is for {}{}, which matches no scenario of the gate {}",
            name(pattern),
            benches_of(benches),
            name(gate)
        ),
        Kind::TableUnmatchedPattern {
            table,
            pattern,
            excludes,
            ..
        } => words!(
            "the table {} {} {}, which matches no scenario",
            name(table),
            if *excludes { "excludes" } else { "selects" },
            name(pattern)
        ),
        Kind::TableMissingAxis {
            table,
            axis,
            scenarios,
            is_unknown,
            ..
        } => tables::missing_axis(table, axis, scenarios, *is_unknown),
        Kind::TableAmbiguousCells {
            table,
            cells,
            axes,
            example,
            ..
        } => tables::ambiguous_cells(table, *cells, axes, example),
    }
}

fn advice(kind: &FindingKind, evaluation: &Evaluation) -> Line {
    use FindingKind as Kind;
    let at = |place| at(&evaluation.config_file, place);
    match kind {
        Kind::Ungated { .. } => {
            words!(
                "add it to the `scenarios` of a gate, or set `ungated = \"allow\"` in `[policy]`"
            )
        }
        Kind::Nondeterministic { .. } => words!(
            "make the input the same each time; or gate `max` as well as the mean, and set \
             `nondeterministic = \"allow\"` in the gate"
        ),
        Kind::Foreign { .. } => words!(
            "count them with `scope(Scope::Process)` if they work for the scenario, or set \
             `foreign = \"allow\"` in its gate or in `[policy]`"
        ),
        Kind::Uncounted { .. } => words!(
            "move the work into `setup` or `input`, or set `uncounted = \"allow\"` in `[policy]` \
             and limit `uncounted-allocs`"
        ),
        Kind::StillRunning { .. } => words!(
            "call `join()` in the iteration, or start the threads in `setup`; to accept it, set \
             `still-running = \"allow\"` in `[policy]`"
        ),
        Kind::HiddenReallocs { place, .. } => {
            words!("write `alloc-calls` at {}, or limit `reallocs`", at(*place))
        }
        Kind::Panicked { .. } => words!("fix the scenario, and measure again"),
        Kind::TimedOut { .. } => {
            words!("give the scenario fewer iterations or more time, and measure again")
        }
        Kind::Filtered {} => words!("measure again without a filter"),
        Kind::UnlistedBench { bench } => words!(
            "add `[[bench]]` with {} and {} to {}; a third line, `run = false`, leaves it out",
            name(format!("package = \"{}\"", bench.package)),
            name(format!("target = \"{}\"", bench.target)),
            &evaluation.config_file
        ),
        Kind::UnrecordedBench { .. } => words!(
            "add the file that `cargo alloc-gate run` recorded for it, or select the other benches \
             with --package and --bench"
        ),
        Kind::Unmeasured { .. } => words!(
            "if it was removed on purpose, run `cargo alloc-gate accept` and commit what it \
             writes{}; otherwise restore it",
            if evaluation.is_acceptable {
                ""
            } else {
                ", which approves it, or wait until the base no longer has it"
            }
        ),
        Kind::FellToZero { .. } => words!(
            "check that the scenario still does its work; if it does, run `cargo alloc-gate \
             accept` and commit what it writes{}",
            if evaluation.is_acceptable {
                ""
            } else {
                ", which approves it"
            }
        ),
        Kind::OtherToolchain { .. } => words!(
            "counts of std's collections may differ between compilers; accept with the one that CI \
             uses"
        ),
        Kind::UnusedBaseline { .. } => words!(
            "write `alloc-calls = \"<= baseline\"` into a gate, or set `unused-baseline = \
             \"allow\"` in `[policy]`"
        ),
        Kind::StaleDocument { .. } | Kind::NoDocument { .. } => {
            words!("run `cargo alloc-gate accept`, and commit what it writes")
        }
        Kind::UnmatchedExclude { place, .. }
        | Kind::UnmatchedWaiver { place, .. }
        | Kind::TableUnmatchedPattern { place, .. } => pattern_advice(at(*place)),
        Kind::UnansweredCondition { place, .. } => words!(
            "provide what `rustc --print cfg` prints for the target, or change the condition at {}",
            at(*place)
        ),
        Kind::UnreachableLimit { place, .. } => words!(
            "write a limit at {} that a figure can break, or remove it",
            at(*place)
        ),
        Kind::ExpiredWaiver { place, .. } => words!(
            "fix the cause and remove the waiver at {}, or agree on a later `until`",
            at(*place)
        ),
        Kind::IdleWaiver { waiver } if waiver.is_whole => words!(
            "remove it at {}, so that it can't hide the next failure",
            at(waiver.place)
        ),
        Kind::IdleWaiver { waiver } => words!(
            "name only the scenarios and metrics that need it at {}, so that it can't hide the \
             next failure",
            at(waiver.place)
        ),
        Kind::TableMissingAxis {
            scenarios,
            known,
            is_unknown,
            place,
            ..
        } => tables::axis_advice(scenarios.len(), known, *is_unknown, at(*place)),
        Kind::TableAmbiguousCells { axes, place, .. } => tables::cells_advice(axes, at(*place)),
    }
}
