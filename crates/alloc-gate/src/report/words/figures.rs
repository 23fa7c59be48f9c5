//! Figures inside sentences and blocks: operations, threads, ranges and lists.

use alloc_results::{Counts, integer};

use crate::evaluation::{LeftOut, VaryingMetric};
use crate::report::document::{Line, words};

/// `1,200 allocations and 100 deallocations in 100 iterations, and 3 allocations in the
/// first call`.
pub(super) fn left_out(operations: &LeftOut) -> Line {
    let all = |counts: &Counts| {
        let numbers = [
            (counts.allocs.into(), "allocation"),
            (counts.deallocs.into(), "deallocation"),
        ];
        let numbers = numbers.into_iter().filter(|&(number, _)| number > 0);
        let numbers = numbers.map(|(number, noun)| counted_exactly(number, noun));
        let numbers: Vec<String> = numbers.collect();
        (!numbers.is_empty()).then(|| joined(numbers))
    };
    let iterations = counted_exactly(operations.iterations.into(), "iteration");
    by_pass(
        all(&operations.counted).map(|all| words!("{} in {}", all, iterations)),
        all(&operations.first),
    )
}

/// What happened in the iterations, and what in the first call.
fn by_pass(iterations: Option<Line>, first: Option<Line>) -> Line {
    let first = first.map(|first| words!("{} in the first call", first));
    Line::joined(iterations.into_iter().chain(first), ", and ")
}

/// `4 in the counted iterations, and 1 in the first call`.
pub(super) fn still_running(threads: u64, first: u64) -> Line {
    let number = |threads: u64| (threads > 0).then(|| integer(threads.into()));
    let iterations = number(threads).map(|it| words!("{} in the counted iterations", it));
    by_pass(iterations, number(first).map(Line::from))
}

/// `1 iteration` or `2 iterations`.
fn counted_exactly(number: i128, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", integer(number))
}

/// `1 to 4`, or a single figure.
pub(in crate::report) fn low_to_high(low: String, high: String) -> String {
    if low == high {
        low
    } else {
        format!("{low} to {high}")
    }
}

/// `a`, `a and b`, or `a, b, c, d and 12 more`.
pub(in crate::report) fn joined<L: Into<Line>>(items: impl IntoIterator<Item = L>) -> Line {
    const SHOWN: usize = 5;
    let mut items: Vec<Line> = items.into_iter().map(Into::into).collect();
    if items.len() > SHOWN {
        let more = items.split_off(SHOWN - 1).len();
        items.push(format!("{more} more").into());
    }
    match (items.pop(), items.is_empty()) {
        (None, _) => Line::default(),
        (Some(only), true) => only,
        (Some(last), false) => words!("{} and {}", Line::joined(items, ", "), last),
    }
}

/// `allocs 1 to 2, bytes 8 to 16`.
pub(super) fn ranges_words(ranges: &[VaryingMetric]) -> String {
    let words = |one: &VaryingMetric| {
        let (least, most) = (integer(one.least), integer(one.most));
        format!("{} {least} to {most}", one.metric)
    };
    let ranges: Vec<String> = ranges.iter().map(words).collect();
    ranges.join(", ")
}
