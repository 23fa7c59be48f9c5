//! Findings in words, each with advice.

use alloc_results::{Metric, mean};

use crate::evaluation::{ConditionOwner, Evaluation, FindingKind};
use crate::figure::Measure;
use crate::report::change::plain_figure;
use crate::report::words::figures::{
    as_others, difference, idle_figures, left_out, still_running, unlisted_advice, unused_baseline,
};
use crate::report::words::{Dialect, benches_of, pattern_advice, tables};
use crate::requirement::{Requirement, rule_words};

/// A sentence about a finding, and advice.
pub(in crate::report) fn finding_words(
    kind: &FindingKind,
    evaluation: &Evaluation,
    dialect: Dialect,
) -> (String, String) {
    const ACCEPT: &str = "run `cargo alloc-gate accept`, and commit what it writes";
    let name = dialect.name;
    let at = |place| dialect.at(&evaluation.config_file, place);
    match kind {
        FindingKind::Ungated { scenario, location } => (
            format!(
                "no gate applies to {} ({})",
                name(scenario),
                dialect.location(location)
            ),
            String::from(
                "add it to the `scenarios` of a gate, or set `ungated = \"allow\"` in `[policy]`",
            ),
        ),
        FindingKind::Nondeterministic {
            scenario,
            location,
            ranges,
        } => (
            format!(
                "the iterations of {} ({}) differ: {}",
                name(scenario),
                dialect.location(location),
                difference(ranges)
            ),
            String::from(
                "make the input the same each time; or gate `max` as well as the mean, and set \
                 `nondeterministic = \"allow\"` in the gate",
            ),
        ),
        FindingKind::Foreign {
            scenario,
            location,
            operations,
        } => (
            format!(
                "while {} ({}) was counted, other threads made {}; its figures don't include that",
                name(scenario),
                dialect.location(location),
                left_out(operations)
            ),
            String::from(
                "count them with `scope(Scope::Process)` if they work for the scenario, or set \
                 `foreign = \"allow\"` in its gate or in `[policy]`",
            ),
        ),
        FindingKind::Uncounted {
            scenario,
            location,
            operations,
        } => (
            format!(
                "in {} ({}), `uncounted` excluded {}; its figures don't include that",
                name(scenario),
                dialect.location(location),
                left_out(operations)
            ),
            String::from(
                "move the work into `setup` or `input`, or set `uncounted = \"allow\"` in \
                 `[policy]` and limit `uncounted-allocs`",
            ),
        ),
        FindingKind::StillRunning {
            scenario,
            location,
            threads,
            first,
        } => (
            format!(
                "in {} ({}), threads outlived the iteration in which they began by a tenth of a \
                 second: {}; its figures can be too low",
                name(scenario),
                dialect.location(location),
                still_running(*threads, *first)
            ),
            String::from(
                "call `join()` in the iteration, or start the threads in `setup`; to accept it, set \
                 `still-running = \"allow\"` in `[policy]`",
            ),
        ),
        FindingKind::HiddenReallocs {
            gate,
            statistic,
            requirement,
            scenario,
            location,
            reallocs,
            others,
            place,
        } => {
            let rule = rule_words(&Measure::Counted(Metric::Allocs), *statistic, requirement);
            let reallocs = plain_figure(Metric::Reallocs.unit(), *reallocs);
            let (words, others) = (statistic.words(), as_others(*others));
            (
                format!(
                    "the gate {} requires {}, but {} ({}) reallocates: reallocs {reallocs} {words}{others}",
                    name(gate),
                    name(&rule),
                    name(scenario),
                    dialect.location(location),
                ),
                format!("write `alloc-calls` at {}, or limit `reallocs`", at(*place)),
            )
        }
        FindingKind::Panicked {
            scenario,
            location,
            message,
            ..
        } => (
            format!(
                "{} ({}) was not measured: {}",
                name(scenario),
                dialect.location(location),
                (dialect.text)(message)
            ),
            String::from("fix the scenario, and measure again"),
        ),
        FindingKind::TimedOut {
            scenario,
            location,
            message,
            ..
        } => (
            format!(
                "{} ({}) timed out: {}",
                name(scenario),
                dialect.location(location),
                (dialect.text)(message)
            ),
            String::from("give the scenario fewer iterations or more time, and measure again"),
        ),
        FindingKind::Filtered => (
            String::from("a filter left out scenarios of a bench, so they were not checked"),
            String::from("measure again without a filter"),
        ),
        FindingKind::UnlistedBench { bench } => {
            let file = (dialect.place)(&evaluation.config_file);
            let what = format!(
                "{file} does not name {}, a bench over alloc-scenario, so it did not run",
                name(&bench.to_string())
            );
            (what, unlisted_advice(bench, &file, dialect))
        }
        FindingKind::UnrecordedBench { bench } => (
            format!(
                "the results have none of {}, so nothing of it was checked",
                name(&bench.to_string())
            ),
            String::from(
                "add the file that `cargo alloc-gate run` recorded for it, or select the other \
                 benches with --package and --bench",
            ),
        ),
        FindingKind::Unmeasured { scenario, bench } => (
            format!(
                "{} of {} is in the baseline and was not measured",
                name(scenario),
                name(&bench.to_string())
            ),
            String::from(if evaluation.is_acceptable {
                "if it was removed on purpose, run `cargo alloc-gate accept` and commit what it \
                 writes; otherwise restore it"
            } else {
                "if it was removed on purpose, run `cargo alloc-gate accept` and commit what it \
                 writes, which approves it, or wait until the base no longer has it; otherwise \
                 restore it"
            }),
        ),
        FindingKind::FellToZero {
            scenario,
            location,
            accepted,
        } => (
            format!(
                "{} ({}) does not allocate any more; in the baseline, it has alloc-calls {} per \
                 iteration",
                name(scenario),
                dialect.location(location),
                mean(*accepted, 0)
            ),
            String::from(if evaluation.is_acceptable {
                "check that the scenario still does its work; if it does, run `cargo alloc-gate \
                 accept` and commit what it writes"
            } else {
                "check that the scenario still does its work; if it does, run `cargo alloc-gate \
                 accept` and commit what it writes, which approves it"
            }),
        ),
        FindingKind::OtherToolchain { accepted, here } => (
            format!(
                "the baseline was measured with {}, and this run with {}",
                (dialect.text)(accepted),
                (dialect.text)(here)
            ),
            String::from(
                "counts of std's collections may differ between compilers; accept with the one \
                 that CI uses",
            ),
        ),
        FindingKind::UnusedBaseline { file } => unused_baseline(&name(file)),
        FindingKind::StaleDocument { file } => (
            format!("{} is out of date", name(file)),
            String::from(ACCEPT),
        ),
        FindingKind::NoDocument { file } => (
            format!("{} does not exist", name(file)),
            String::from(ACCEPT),
        ),
        FindingKind::UnmatchedExclude {
            gate,
            pattern,
            place,
        } => (
            format!(
                "the gate {} excludes {}, which matches none of its scenarios",
                name(gate),
                name(pattern)
            ),
            pattern_advice(&at(*place)),
        ),
        FindingKind::UnansweredCondition {
            owner,
            gate,
            condition,
            about,
            place,
        } => (
            format!(
                "it is not known whether {} applies: {} asks for more than is known of {}",
                (dialect.text)(&owner_words(*owner, gate)),
                name(condition),
                (dialect.text)(about)
            ),
            format!(
                "provide what `rustc --print cfg` prints for the target, or change the condition at {}",
                at(*place)
            ),
        ),
        FindingKind::UnreachableLimit {
            gate,
            metric,
            statistic,
            comparison,
            most,
            place,
        } => {
            let requirement = Requirement::from(comparison.clone());
            let limit = rule_words(metric, *statistic, &requirement);
            let why = match most {
                None => String::from("it is the scenario's own figure"),
                Some(most) => format!("a figure is at most {}", (dialect.text)(&most.to_string())),
            };
            (
                format!(
                    "no figure can exceed the limit {} of the gate {}: {why}",
                    name(&limit),
                    name(gate)
                ),
                format!(
                    "write a limit at {} that a figure can break, or remove it",
                    at(*place)
                ),
            )
        }
        FindingKind::ExpiredWaiver {
            gate,
            until,
            reason,
            issue,
            place,
        } => {
            let issue = issue
                .as_ref()
                .map(|issue| format!(", {}", (dialect.text)(issue)));
            (
                format!(
                    "a waiver of the gate {} ended on {until}: {}{}",
                    name(gate),
                    (dialect.text)(reason),
                    issue.unwrap_or_default()
                ),
                format!(
                    "fix the cause and remove the waiver at {}, or agree on a later `until`",
                    at(*place)
                ),
            )
        }
        FindingKind::IdleWaiver(waiver) if waiver.is_whole => (
            format!(
                "a waiver of the gate {} is not needed: the gate holds without it",
                name(&waiver.gate)
            ),
            format!(
                "remove it at {}, so that it can't hide the next failure",
                at(waiver.place)
            ),
        ),
        FindingKind::IdleWaiver(waiver) => (
            format!(
                "a waiver of the gate {} is not needed for {}",
                name(&waiver.gate),
                idle_figures(&waiver.figures, dialect)
            ),
            format!(
                "name only the scenarios and metrics that need it at {}, so that it can't hide the \
                 next failure",
                at(waiver.place)
            ),
        ),
        FindingKind::UnmatchedWaiver {
            gate,
            pattern,
            benches,
            place,
        } => (
            format!(
                "a waiver is for {}, which matches no scenario of the gate {}",
                name(pattern) + &benches_of(benches, dialect),
                name(gate)
            ),
            pattern_advice(&at(*place)),
        ),
        FindingKind::TableUnmatchedPattern {
            table,
            pattern,
            excludes,
            place,
        } => (
            format!(
                "the table {} {} {}, which matches no scenario",
                name(table),
                if *excludes { "excludes" } else { "selects" },
                name(pattern)
            ),
            pattern_advice(&at(*place)),
        ),
        FindingKind::TableMissingAxis {
            table,
            axis,
            scenarios,
            known,
            is_unknown,
            place,
        } => (
            tables::missing_axis(table, axis, scenarios, *is_unknown, dialect),
            tables::axis_advice(scenarios.len(), known, *is_unknown, &at(*place), dialect),
        ),
        FindingKind::TableAmbiguousCells {
            table,
            cells,
            axes,
            example,
            place,
        } => (
            tables::ambiguous_cells(table, *cells, axes, example, dialect),
            tables::cells_advice(axes, &at(*place)),
        ),
    }
}

fn owner_words(owner: ConditionOwner, gate: &str) -> String {
    match owner {
        ConditionOwner::Gate => format!("the gate `{gate}`"),
        ConditionOwner::Waiver => format!("a waiver of the gate `{gate}`"),
    }
}
