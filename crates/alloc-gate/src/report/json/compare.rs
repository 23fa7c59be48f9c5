//! The comparison as JSON: one object. Its keys are written only here.

use crate::compare::{Change, Dissimilarity};
use crate::report::compare::{Comparison, line};
use crate::report::json::object::Object;
use crate::report::json::{self, explain};

/// The version of the format. Adding a field does not change it.
const SCHEMA: u32 = 1;

pub(in crate::report) fn report(comparison: Comparison<'_>) -> Object {
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
    Object::default()
        .with("program", "alloc-gate")
        .with("schema", SCHEMA)
        .with("summary", line(delta))
        .with("base", base)
        .with("head", head)
        .with("scenarios-compared", delta.compared)
        .with("figures-unchanged", delta.unchanged)
        // Worst first.
        .with_list("changes", delta.changes.iter().map(change))
        .with_list("new", &delta.added)
        .with_list("removed", &delta.removed)
        .with_some_list(
            "removed-benches",
            sides.removed.iter().map(ToString::to_string),
        )
        .with_list("approved", approved)
        .with_list(
            "dissimilarities",
            delta.dissimilarities.iter().map(dissimilarity),
        )
        .with_some_list("sites", explained.iter().map(explain::explained))
        // The report of `check`, if gates were judged.
        .with("check", evaluation.map(json::report))
}

fn change(change: &Change) -> Object {
    Object::default()
        .with("scenario", &change.scenario)
        .with_bench(&change.bench)
        .with_figure(change.metric.name(), change.statistic)
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
        .with("what", difference.what)
        .with("base", &difference.base)
        .with("head", &difference.head)
}
