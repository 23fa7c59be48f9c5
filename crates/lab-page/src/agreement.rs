//! How well two measurements of one allocator agree: what a reader needs before comparing two.

use crate::query::Comparison;
use crate::results::{Cell, Results};
use crate::summary;

/// The factor that two measurements of the same thing may differ by to agree.
const CLOSE: f64 = 1.1;

/// A figure of the baseline that was measured twice.
#[derive(Clone, Debug, PartialEq)]
struct Pair<'r> {
    scenario: &'r str,
    /// The larger of both over the smaller one.
    factor: f64,
}

/// In how many figures of one thread the two measurements of each baseline agree, as a
/// sentence, and which differ the most. Empty if nothing was measured twice.
#[must_use]
pub fn agreement(results: &Results) -> String {
    let mut pairs = pairs(results);
    if pairs.is_empty() {
        return String::new();
    }
    pairs.sort_by(|one, other| other.factor.total_cmp(&one.factor));
    let far = pairs.iter().filter(|pair| pair.factor > CLOSE);
    let far: Vec<_> = far
        .map(|pair| format!("`{}` {:.2}x", pair.scenario, pair.factor))
        .collect();
    let close = pairs.len() - far.len();
    let mut text = format!(
        "The headlines of the two measurements of the system agree within 10 % in {close} of {} \
         figures of one thread ({} %).",
        pairs.len(),
        100 * close / pairs.len()
    );
    if !far.is_empty() {
        text += &format!(" The others: {}.", far.join(", "));
    }
    text
}

fn pairs(results: &Results) -> Vec<Pair<'_>> {
    let mut pairs = Vec::new();
    for cell in &results.cells {
        let Some((comparison, value)) = cell.comparison() else {
            continue;
        };
        if value == comparison.baseline && summary::is_timed(cell) && summary::threads(cell) == 1 {
            pairs.extend(of_cell(results, cell, comparison));
        }
    }
    pairs
}

/// Of the headline, which ratios and the heat map are of.
fn of_cell<'r>(results: &Results, cell: &'r Cell, comparison: &Comparison) -> Option<Pair<'r>> {
    let again = results.peer(cell, comparison.again)?;
    let (own, again) = (summary::headline(cell)?, summary::headline(again)?);
    let (less, more) = (own.min(again), own.max(again));
    (less > 0.0).then(|| Pair {
        scenario: &cell.scenario,
        factor: more / less,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    /// 10 and 10.8 ns, 34 and 34, 100 and 102, and on one thread 20 and 25; the four threads
    /// do not count.
    #[test]
    fn figures_of_one_thread_are_counted_and_the_others_named() {
        assert_eq!(
            agreement(&example::results()),
            "The headlines of the two measurements of the system agree within 10 % in 3 of 4 \
             figures of one thread (75 %). The others: \
             `concurrent/subject=system,threads=1,sizes=mixed` 1.25x."
        );
        assert_eq!(agreement(&Results::default()), "");
    }
}
