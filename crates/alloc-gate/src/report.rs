//! Reports: an [`Evaluation`] written down. Each format is a function
//! that takes a `Write`; none of them decides anything, and none prints.

mod explanation;
pub mod json;
pub mod markdown;
mod summary;
mod table;
pub mod terminal;
mod wording;

use crate::evaluation::{Evaluation, Outcome};

pub(crate) use wording::rule_words;

/// The verdict in words, for the last line of a run.
#[must_use]
pub fn verdict_line(evaluation: &Evaluation) -> String {
    let tally = evaluation.tally();
    let parts: Vec<String> = [
        (tally.failed, format!("{} failed", tally.failed)),
        (tally.missing, format!("{} missing", tally.missing)),
        (tally.stale, format!("{} stale", tally.stale)),
        (tally.denied, counted(tally.denied, "denied finding")),
        (tally.skipped, format!("{} not selected", tally.skipped)),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(_, words)| words)
    .collect();
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
