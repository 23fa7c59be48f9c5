//! Findings in sentences, each with what to do about it.

use alloc_results::integer;

use crate::evaluation::{Evaluation, FindingKind};
use crate::report::words::{Dialect, scope, tables};

/// What the advice about a finding depends on.
#[derive(Clone, Copy)]
pub(in crate::report) struct FindingContext<'f> {
    /// The rules' file, as it was given.
    pub(in crate::report) config_file: &'f str,
    /// Whether `accept` could make the figures the baseline.
    pub(in crate::report) is_acceptable: bool,
}

impl<'f> From<&'f Evaluation> for FindingContext<'f> {
    fn from(evaluation: &'f Evaluation) -> Self {
        Self {
            config_file: &evaluation.config_file,
            is_acceptable: evaluation.is_acceptable,
        }
    }
}

/// A finding in a sentence, and what to do about it.
pub(in crate::report) fn remark_words(
    remark: &FindingKind,
    context: FindingContext<'_>,
    dialect: Dialect,
) -> (String, String) {
    const ACCEPT: &str = "run `cargo alloc-gate accept`, and commit what it writes";
    let name = dialect.name;
    match remark {
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
                "gate `max` as well as the mean, make the input the same each time, or set \
                 `nondeterministic = \"allow\"` in `[policy]`",
            ),
        ),
        FindingKind::Foreign {
            scenario,
            location,
            allocs,
            deallocs,
            iterations,
        } => (
            format!(
                "while {} ({}) was counted, other threads allocated {} times and deallocated {} \
                 times in {} iterations; its figures don't include that",
                name(scenario),
                dialect.location(location),
                integer((*allocs).into()),
                integer((*deallocs).into()),
                integer((*iterations).into())
            ),
            String::from(
                "count them with `scope(Scope::Process)` if they work for the scenario, or set \
                 `foreign = \"allow\"` in `[policy]`",
            ),
        ),
        FindingKind::Panicked {
            scenario,
            location,
            message,
        } => (
            format!(
                "{} ({}) was not measured: {}",
                name(scenario),
                dialect.location(location),
                (dialect.text)(message)
            ),
            String::from("fix the scenario, and measure again"),
        ),
        FindingKind::Filtered => (
            String::from("a filter left out scenarios of a bench, so they were not checked"),
            String::from("measure again without a filter"),
        ),
        FindingKind::Unmeasured { scenario, bench } => (
            format!(
                "{} of {} is in the baseline and was not measured",
                name(scenario),
                name(&format!("{}/{}", bench.package, bench.target))
            ),
            String::from(if context.is_acceptable {
                "if it was removed on purpose, run `cargo alloc-gate accept` and commit what it \
                 writes; otherwise restore it"
            } else {
                "restore it; if it was removed on purpose, this fails until the base no longer has \
                 it"
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
        FindingKind::StaleDocument { file } => (
            format!("{} is out of date", name(file)),
            String::from(ACCEPT),
        ),
        FindingKind::NoDocument { file } => (
            format!("{} does not exist", name(file)),
            String::from(ACCEPT),
        ),
        FindingKind::Scope(remark) => scope::remark_words(remark, context.config_file, dialect),
        FindingKind::Table(remark) => tables::remark_words(remark, context.config_file, dialect),
    }
}

fn difference(ranges: &[(String, i128, i128)]) -> String {
    if ranges.is_empty() {
        // Two kinds of calls can make up for each other in every metric.
        return String::from("the same figures come from different calls");
    }
    let ranges: Vec<String> = ranges
        .iter()
        .map(|(metric, min, max)| format!("{metric} {} to {}", integer(*min), integer(*max)))
        .collect();
    ranges.join(", ")
}
