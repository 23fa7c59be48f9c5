//! How well two measurements of one allocator agree: what a reader needs before comparing two.

use crate::results::{Cell, Results};
use crate::summary;

/// The factor that two measurements of the same thing may differ by to agree.
const CLOSE: f64 = 1.1;

/// A figure of the baseline that was measured twice.
#[derive(Clone, Debug, PartialEq)]
struct Pair<'r> {
    scenario: &'r str,
    /// The larger of both headlines over the smaller one.
    factor: f64,
    /// Whether the net times agree, which are not above zero in each cell.
    is_close_net: bool,
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
    let close_net = pairs.iter().filter(|pair| pair.is_close_net).count();
    let percent = |count: usize| 100 * count / pairs.len();
    let mut text = format!(
        "The headlines of the two measurements of the system (the fastest window, with the loop \
         of the workload) agree within 10 % in {close} of {} figures of one thread ({} %), and \
         the net times in {close_net} ({} %).",
        pairs.len(),
        percent(close),
        percent(close_net)
    );
    if !far.is_empty() {
        text += &format!(" The other headlines: {}.", far.join(", "));
    }
    text
}

fn pairs(results: &Results) -> Vec<Pair<'_>> {
    let mut pairs = Vec::new();
    for cell in &results.cells {
        let Some((comparison, value)) = cell.comparison() else {
            continue;
        };
        let is_baseline = value == comparison.baseline;
        if is_baseline && summary::is_timed(cell) && cell.threads_at_work() == 1 {
            pairs.extend(pair_for(results, cell));
        }
    }
    pairs
}

fn pair_for<'r>(results: &Results, cell: &'r Cell) -> Option<Pair<'r>> {
    let net = |cell: &Cell| results.net_or_gross_of(cell, summary::headline);
    let net_factor = results.noise_factor_of(cell, net);
    Some(Pair {
        scenario: &cell.scenario,
        factor: results.noise_factor_of(cell, summary::headline)?,
        is_close_net: net_factor.is_some_and(|factor| factor <= CLOSE),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    /// 10 and 10.8 ns, 34 and 34, 100 and 102, and on one thread 20 and 25; the four threads
    /// do not count. The last two figures of 15 and 16 ns are 5 and 6 ns above their floor, and
    /// those of 9 and 9 ns are below it.
    #[test]
    fn figures_of_one_thread_are_counted_and_the_others_named() {
        let mut results = example::results();
        for (size, times) in [(1, [10.0, 15.0, 16.0]), (2, [10.0, 9.0, 9.0])] {
            for (subject, time) in ["floor", "system", "system-again"].iter().zip(times) {
                let name = format!("x/subject={subject},size={size}");
                results.cells.push(example::timed(&name, time));
            }
        }
        assert_eq!(
            agreement(&results),
            "The headlines of the two measurements of the system (the fastest window, with the \
             loop of the workload) agree within 10 % in 5 of 6 figures of one thread (83 %), and \
             the net times in 3 (50 %). The other headlines: \
             `concurrent/subject=system,threads=1,sizes=mixed` 1.25x."
        );
        assert_eq!(agreement(&Results::default()), "");
    }
}
