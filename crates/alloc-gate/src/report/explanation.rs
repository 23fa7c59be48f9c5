//! [`Explanation`]: a problem with facts and advice, as audits show it; and words that
//! several reports share.

use alloc_results::integer;

use crate::evaluation::{GateSummary, Judgement, Level};
use crate::figure::{GrowthClass, Line};
use crate::report::change::plain_figure;
use crate::report::words::{Dialect, benches_of};

/// A problem that an audit finds.
pub(super) struct Explanation {
    /// Whether it fails the check.
    pub(super) level: Level,
    /// The kind of problem in a word.
    pub(super) word: &'static str,
    /// What it is about, or the finding in a sentence.
    pub(super) about: String,
    /// Labelled facts, and the advice at the end.
    pub(super) details: Vec<(&'static str, String)>,
}

/// The points of a requirement on a series: `3 at 10, 3 at 100`; `None` without any.
pub(super) fn points_words(judgement: &Judgement) -> Option<String> {
    let found = judgement.details.as_ref()?;
    let points = found
        .growth
        .as_ref()
        .map_or(&found.points, |growth| &growth.points);
    let points: Vec<String> = points
        .iter()
        .map(|&(n, value)| {
            let figure = plain_figure(judgement.metric.unit(), value);
            format!("{figure} at {}", integer(n.into()))
        })
        .collect();
    (!points.is_empty()).then(|| points.join(", "))
}

/// The line through the points, if it is about the verdict or fits the growth.
pub(super) fn shown_line(judgement: &Judgement) -> Option<&Line> {
    let is_line = judgement
        .growth()
        .is_none_or(|growth| growth.class == GrowthClass::Linear);
    judgement.line().filter(|_| is_line)
}

/// Says that a pattern of the gate matches no scenario.
pub(super) fn unmatched_words(gate: &GateSummary, pattern: &str, dialect: Dialect) -> String {
    let not_excluded = match gate.excludes {
        true => " that is not excluded",
        false => "",
    };
    format!(
        "no measured scenario{}{not_excluded} matches {}",
        benches_of(&gate.benches, dialect),
        (dialect.name)(pattern)
    )
}

/// Advice on scenarios that could not be measured.
pub(super) const UNAVAILABLE_ADVICE: &str = "measure where it is available, limit the gate with \
     `when`, or leave the scenario out with `exclude`";
