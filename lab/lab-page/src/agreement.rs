//! How well two measurements of one allocator agree: what a reader needs before comparing two.

use crate::results::{Cell, Results};
use crate::summary::{self, MOST_OF_AN_ARENA};

/// The factor that two measurements of the same thing may differ by to agree.
const CLOSE: f64 = 1.1;

/// A figure of the baseline that was measured twice.
#[derive(Clone, Debug, PartialEq)]
struct Pair<'r> {
    scenario: &'r str,
    has_threads: bool,
    /// The larger of both headlines over the smaller one.
    factor: f64,
    /// Whether the net times agree, which are not above zero in each cell.
    is_close_net: bool,
}

/// In how many figures the two measurements of each baseline agree, as a sentence, which differ
/// the most, and whether threads had cores of their own. Empty if nothing was measured twice.
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
    let is_close = |pair: &&Pair| pair.factor <= CLOSE;
    let (threads, one): (Vec<&Pair>, Vec<&Pair>) = pairs.iter().partition(|pair| pair.has_threads);
    let share = |all: &[&Pair], close: usize| match all.len() {
        0 => "none".to_owned(),
        count => format!("{close} of {count} ({} %)", 100 * close / count),
    };
    let of = |all: &[&Pair]| share(all, all.iter().copied().filter(|one| is_close(one)).count());
    let close_net = one.iter().filter(|pair| pair.is_close_net).count();
    let mut text = format!(
        "The headlines of the two measurements of the system (with the loop of the workload) \
         agree within 10 % in {} figures of one thread, and the net times in {}; of several \
         threads the headlines agree in {}.",
        of(&one),
        share(&one, close_net),
        of(&threads)
    );
    if !far.is_empty() {
        text += &format!(" The other headlines: {}.", far.join(", "));
    }
    if let Some(factor) = summary::arena_factor(results) {
        text += &format!(
            " An arena of each thread takes {factor:.2} times as long on several threads, no more \
             than cores, as on one."
        );
        if factor > MOST_OF_AN_ARENA {
            text += " Other work had the cores, too: smaller differences of threads are noise.";
        }
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
        if is_baseline && summary::is_timed(cell) {
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
        has_threads: cell.threads_at_work() > 1,
        factor: results.noise_factor_of(cell, summary::headline)?,
        is_close_net: net_factor.is_some_and(|factor| factor <= CLOSE),
    })
}
