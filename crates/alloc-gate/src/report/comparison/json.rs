//! The comparison as JSON: one object, with types of its own.

use std::io;
use std::io::Write;

use alloc_results::Ratio;
use serde::Serialize;

use crate::delta::{Change, Dissimilarity};
use crate::report::comparison::{Comparison, line};
use crate::report::json::Report;
use crate::report::json::fraction::Fraction;

/// The version of the format. Adding a field does not change it.
const SCHEMA: u32 = 1;

pub(super) fn write(comparison: Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Comparison {
        sides,
        delta,
        evaluation,
    } = comparison;
    let report = Document {
        schema: SCHEMA,
        summary: line(delta),
        base: Base {
            reference: &sides.reference,
            commit: &sides.base,
        },
        head: Head {
            commit: &sides.head,
            uncommitted: sides.uncommitted,
        },
        scenarios_compared: delta.compared,
        figures_unchanged: delta.unchanged,
        changes: delta.changes.iter().map(Row::from_change).collect(),
        new: &delta.added,
        removed: &delta.removed,
        dissimilarities: delta
            .dissimilarities
            .iter()
            .map(Difference::from_dissimilarity)
            .collect(),
        check: evaluation.map(Report::from_evaluation),
    };
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Document<'r> {
    schema: u32,
    summary: String,
    base: Base<'r>,
    head: Head<'r>,
    scenarios_compared: usize,
    figures_unchanged: usize,
    /// Worst first.
    changes: Vec<Row<'r>>,
    new: &'r [String],
    removed: &'r [String],
    dissimilarities: Vec<Difference<'r>>,
    /// The report of `check`, if gates were judged.
    check: Option<Report<'r>>,
}

#[derive(Serialize)]
struct Base<'r> {
    reference: &'r str,
    commit: &'r str,
}

#[derive(Serialize)]
struct Head<'r> {
    /// The commit of the working tree.
    commit: &'r str,
    /// The number of files that differ from it.
    uncommitted: usize,
}

#[derive(Serialize)]
struct Row<'r> {
    scenario: &'r str,
    metric: &'r str,
    statistic: &'static str,
    base: Option<Fraction>,
    head: Option<Fraction>,
    /// Head minus base.
    difference: Option<Fraction>,
    /// In percent of the base; `null` if that is 0.
    percent: Option<f64>,
    deterministic: bool,
}

#[derive(Serialize)]
struct Difference<'r> {
    of: &'r str,
    what: &'static str,
    base: &'r str,
    head: &'r str,
}

impl<'r> Row<'r> {
    fn from_change(change: &'r Change) -> Self {
        let exact = |value: Option<Ratio>| value.map(Fraction::from_ratio);
        Self {
            scenario: &change.scenario,
            metric: change.metric.name(),
            statistic: change.statistic.name(),
            base: exact(change.base),
            head: exact(change.head),
            difference: exact(change.difference()),
            percent: change.percent(),
            deterministic: change.deterministic,
        }
    }
}

impl<'r> Difference<'r> {
    fn from_dissimilarity(difference: &'r Dissimilarity) -> Self {
        Self {
            of: &difference.whose,
            what: difference.what,
            base: &difference.base,
            head: &difference.head,
        }
    }
}
