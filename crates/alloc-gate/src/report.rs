//! Reports: an [`Evaluation`] written down. Each format is a function
//! that takes a `Write`; none of them decides anything, and none prints.

pub mod json;
pub mod markdown;
mod table;
pub mod terminal;

use crate::evaluation::{Evaluation, Judgement, Outcome, Remark};
use crate::{Absence, Place, Statistic, Verdict};
use alloc_results::{Ratio, Unit, integer, mean};

/// The verdict in words, for the last line of a run.
#[must_use]
pub fn verdict_line(evaluation: &Evaluation) -> String {
    let tally = evaluation.tally();
    let mut parts = Vec::new();
    let mut part = |count: usize, words: &str| {
        if count > 0 {
            parts.push(format!("{count} {words}"));
        }
    };
    part(tally.failed, "failed");
    part(tally.missing, "missing");
    part(tally.stale, "stale");
    part(tally.denied, "denied findings");
    part(tally.skipped, "not selected");
    let details = if parts.is_empty() {
        String::new()
    } else {
        format!(" ({})", parts.join(", "))
    };
    let word = match evaluation.outcome() {
        Outcome::Held => "passed",
        Outcome::Failed => "FAILED",
        Outcome::NothingJudged => "NOTHING JUDGED",
    };
    format!(
        "alloc-gate: {word}: {} judged{details}, {} measured",
        counted(tally.judged, "gate"),
        counted(tally.scenarios, "scenario"),
    )
}

/// `1 gate`, `2 gates`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// A figure as tables and messages show it: `2.00`, `44 bytes`.
fn figure(judgement: &Judgement, value: Ratio) -> String {
    match (judgement.statistic, judgement.metric.unit()) {
        (Statistic::Mean, Unit::Count) => mean(value, 2),
        (Statistic::Mean, Unit::Bytes) => mean(value, 0),
        (
            Statistic::Min
            | Statistic::Max
            | Statistic::P50
            | Statistic::P99
            | Statistic::First
            | Statistic::Total,
            Unit::Count | Unit::Bytes,
        ) => value.as_whole().map_or_else(|| mean(value, 0), integer),
    }
}

/// `allocs 6.00 per iteration`.
fn measured_words(judgement: &Judgement) -> String {
    let metric = judgement.metric;
    match judgement.measured {
        Some(value) => format!(
            "{metric} {} {}",
            figure(judgement, value),
            judgement.statistic.words()
        ),
        None => format!("{metric} was not measured"),
    }
}

/// `gates.toml:12:10`.
fn at(file: &str, place: Place) -> String {
    format!("{file}:{place}")
}

/// What to do about a verdict that is not a pass.
fn advice(judgement: &Judgement, config_file: &str) -> Option<String> {
    let place = at(config_file, judgement.place);
    Some(match judgement.verdict {
        Verdict::Pass | Verdict::Skipped => return None,
        Verdict::Fail if judgement.baseline.is_some() => format!(
            "find what changed since the baseline; if it has to be, `cargo alloc-gate accept` \
             makes it the new one, or change the rule at {place}"
        ),
        Verdict::Fail => format!(
            "look at what {}:{} runs; if it has to be, change the limit at {place}",
            judgement.location.file, judgement.location.line
        ),
        Verdict::Stale => String::from(
            "`cargo alloc-gate accept` makes the better figure the baseline, so that it can't be \
             lost unnoticed",
        ),
        Verdict::Missing(Absence::Metric) => format!(
            "`{}` is not measured in process scope or on several threads: judge it in a scenario \
             of thread scope, or take it out at {place}",
            judgement.metric
        ),
        Verdict::Missing(Absence::Environment | Absence::Baseline) => {
            String::from("run `cargo alloc-gate accept`, and commit what it writes")
        }
        Verdict::Missing(Absence::Scenario) => {
            format!("see `cargo alloc-gate list` for the scenarios, and correct {place}")
        }
    })
}

/// What is absent, in words.
fn absence_words(absence: Absence) -> &'static str {
    match absence {
        Absence::Metric => "the metric was not measured",
        Absence::Environment => {
            "the baseline has nothing of this target, profile, features and allocator"
        }
        Absence::Baseline => "the baseline does not have this figure of the scenario",
        Absence::Scenario => "no scenario matches",
    }
}

/// A finding in a sentence, and what to do about it.
fn remark_words(remark: &Remark) -> (String, String) {
    match remark {
        Remark::Ungated { scenario, location } => (
            format!(
                "no gate applies to `{scenario}` ({}:{})",
                location.file, location.line
            ),
            String::from("add it to the `scenarios` of a gate, or set `ungated` in `[policy]`"),
        ),
        Remark::Nondeterministic {
            scenario,
            location,
            ranges,
        } => {
            let ranges: Vec<String> = ranges
                .iter()
                .map(|(metric, min, max)| {
                    format!("{metric} {} to {}", integer(*min), integer(*max))
                })
                .collect();
            (
                format!(
                    "the iterations of `{scenario}` ({}:{}) differ: {}",
                    location.file,
                    location.line,
                    ranges.join(", ")
                ),
                String::from(
                    "gate `max` as well as the mean, make the input the same each time, or set \
                     `nondeterministic` in `[policy]`",
                ),
            )
        }
        Remark::OtherToolchain { accepted, here } => (
            format!("the baseline was measured with {accepted}, and this run with {here}"),
            String::from(
                "counts of std's collections may differ between compilers; accept with the one \
                 that CI uses",
            ),
        ),
        Remark::StaleDocument { file } => (
            format!("{file} does not show the baseline's data and the gates in force"),
            String::from("run `cargo alloc-gate accept`, and commit what it writes"),
        ),
        Remark::NoDocument { file } => (
            format!("{file} does not exist"),
            String::from("run `cargo alloc-gate accept`, and commit what it writes"),
        ),
    }
}
