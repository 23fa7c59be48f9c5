//! The comparison as JSON: one object. Its keys are written only here.

use std::io;
use std::io::Write;

use crate::delta::{Change, Dissimilarity};
use crate::report::compare::{Comparison, line};
use crate::report::export::json::explain;
use crate::report::export::json::object::{Json, Object};
use crate::report::export::json::report;

/// The version of the format. Adding a field does not change it.
const SCHEMA: u32 = 1;

pub(in crate::report) fn write(comparison: Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Comparison {
        sides,
        delta,
        evaluation,
        approved,
        explained,
        ..
    } = comparison;
    let base = Object::default()
        .with("reference", &sides.reference)
        .with("commit", &sides.base)
        .with("lock", sides.lock.name());
    // The commit of the working tree, and the number of files that differ from it.
    let head = Object::default()
        .with("commit", &sides.head)
        .with("uncommitted", sides.uncommitted);
    let object = Object::default()
        .with("schema", SCHEMA)
        .with("summary", line(delta))
        .with("base", base)
        .with("head", head)
        .with("scenarios-compared", delta.compared)
        .with("figures-unchanged", delta.unchanged)
        // Worst first.
        .with("changes", Json::list(delta.changes.iter().map(change)))
        .with("new", Json::list(&delta.added))
        .with("removed", Json::list(&delta.removed))
        .with("approved", Json::list(approved))
        .with(
            "dissimilarities",
            Json::list(delta.dissimilarities.iter().map(dissimilarity)),
        )
        .with_some("sites", explain::list(explained))
        // The report of `check`, if gates were judged.
        .with("check", evaluation.map(report));
    object.write(out)
}

fn change(change: &Change) -> Object {
    Object::default()
        .with("scenario", &change.scenario)
        .with("package", &change.bench.package)
        .with("bench", &change.bench.target)
        .with("metric", change.metric.name())
        .with("statistic", change.statistic.name())
        .with("base", change.base)
        .with("head", change.head)
        // Head minus base.
        .with("difference", change.difference())
        // In percent of the base; `null` if that is 0.
        .with("percent", change.percent())
        .with("deterministic", change.deterministic)
}

fn dissimilarity(difference: &Dissimilarity) -> Object {
    Object::default()
        .with("of", &difference.whose)
        .with("what", difference.what.name())
        .with("base", &difference.base)
        .with("head", &difference.head)
}
