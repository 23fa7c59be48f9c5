//! How well two measurements of one allocator agree: what a reader needs before comparing two.

use crate::results::{Cell, Results};
use crate::summary::{self, MOST_OF_AN_ARENA, headline};

/// The factor that two measurements of the same thing may differ by to agree.
const CLOSE: f64 = 1.1;

/// In how many figures the two measurements of each baseline agree, as a sentence, which differ
/// the most, and whether threads had cores of their own. Empty if nothing was measured twice.
pub fn agreement(results: &Results) -> String {
    let net = |cell: &Cell| results.net_of(cell, headline).or_else(|| headline(cell));
    // The cell, and by which factor its headline and its net time differ from the other ones.
    let pair = |cell| {
        let (comparison, value) = Cell::comparison(cell)?;
        let factor = results.noise_factor_of(cell, headline)?;
        let is_meant = value == comparison.baseline && summary::is_timed(cell);
        // Net times are not above zero in each cell.
        let net_factor = results.noise_factor_of(cell, net).unwrap_or(f64::INFINITY);
        is_meant.then_some((cell, factor, net_factor))
    };
    let mut pairs: Vec<(&Cell, f64, f64)> = results.cells.iter().filter_map(pair).collect();
    if pairs.is_empty() {
        return String::new();
    }
    pairs.sort_by(|one, other| other.1.total_cmp(&one.1));
    let share = |has_threads: bool, factor: fn(&(&Cell, f64, f64)) -> f64| {
        let pairs = pairs.iter();
        let alike = pairs.filter(|pair| (pair.0.threads_at_work() > 1) == has_threads);
        let factors: Vec<f64> = alike.map(factor).collect();
        let close = factors.iter().filter(|factor| **factor <= CLOSE).count();
        match factors.len() {
            0 => "none".to_owned(),
            count => format!("{close} of {count} ({} %)", 100 * close / count),
        }
    };
    let mut text = format!(
        "The headlines of the two measurements of the system (with the loop of the workload) \
         agree within 10 % in {} figures of one thread, and the net times in {}; of several \
         threads the headlines agree in {}.",
        share(false, |pair| pair.1),
        share(false, |pair| pair.2),
        share(true, |pair| pair.1)
    );
    let far = pairs.iter().filter(|(_, factor, _)| *factor > CLOSE);
    let far = far.map(|(cell, factor, _)| format!("`{}` {factor:.2}x", cell.scenario));
    let far: Vec<_> = far.collect();
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
