//! The sentences of all reports.

use alloc_results::{Ratio, integer, mean};

use crate::evaluation::{GateSummary, Judgement};
use crate::figure::{Exact, Measure, Statistic};
use crate::report::change::plain_figure;
use crate::report::document::{Line, name, words};
use crate::rules::BenchFilter;

mod absence;
mod advice;
mod applies;
mod environment;
mod figures;
mod findings;
mod limits;

pub(super) use absence::{absence_sentence, unavailable_advice};
pub(super) use advice::{accept_fixes, advice, pattern_advice};
pub(super) use applies::skip_words;
pub(super) use environment::{environment, short};
pub(super) use figures::{joined, low_to_high};
pub(super) use findings::finding_words;
pub(super) use limits::limits_words;

/// A figure as tables show it: `2.00` allocations, `44` bytes.
pub(super) fn figure_of(metric: &Measure, statistic: Statistic, value: Ratio) -> String {
    if metric.is_time() {
        // Times differ in each run, so a tenth of a nanosecond is precise enough.
        return format!("{} ns", Exact::from(value).decimal(1));
    }
    match statistic {
        Statistic::PerElement => mean(value, 2),
        Statistic::Mean | Statistic::Growth if !metric.is_bytes() => mean(value, 2),
        Statistic::Mean | Statistic::Max | Statistic::First | Statistic::Growth => mean(value, 0),
    }
}

/// The benches of a filter, behind what they have: ` of the package `codec``. Empty for all.
pub(super) fn benches_of(filter: &BenchFilter) -> Line {
    let keys = filter.keys();
    let keys = keys.map(|(key, glob)| words!("the {} {}", key, name(glob.text())));
    let mut keys = keys.peekable();
    let has_some = keys.peek().is_some();
    has_some
        .then(|| words!(" of {}", Line::joined(keys, " and ")))
        .into()
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

/// Says that a pattern of the gate matches no scenario.
pub(super) fn unmatched_words(gate: &GateSummary, pattern: &str) -> Line {
    let not_excluded = if gate.excludes {
        " that is not excluded"
    } else {
        ""
    };
    words!(
        "no measured scenario{}{} matches {}",
        benches_of(&gate.benches),
        not_excluded,
        name(pattern)
    )
}
