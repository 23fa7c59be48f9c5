//! Figures inside sentences and blocks: operations, threads, ranges and lists.

use alloc_results::{BenchId, Counts, integer};

use crate::evaluation::{IdleFigure, LeftOut, VaryingMetric};
use crate::figure::counted;
use crate::report::words::Dialect;
use crate::requirement::figure_words;

/// `1,200 allocations and 100 deallocations in 100 iterations, and 3 allocations in the
/// first call`.
pub(super) fn left_out(operations: &LeftOut) -> String {
    let words = |counts: &Counts| -> Option<String> {
        let reallocs = i128::from(counts.grows) + i128::from(counts.shrinks);
        let numbers = [
            (counts.allocs.into(), "allocation"),
            (reallocs, "reallocation"),
            (counts.deallocs.into(), "deallocation"),
            (counts.failed.into(), "failed call"),
        ];
        let numbers = numbers.into_iter().filter(|&(number, _)| number > 0);
        let numbers: Vec<String> = numbers
            .map(|(number, noun)| counted_exactly(number, noun))
            .collect();
        let (last, others) = numbers.split_last()?;
        Some(match others {
            [] => last.clone(),
            _ => format!("{} and {last}", others.join(", ")),
        })
    };
    let iterations = counted_exactly(operations.iterations.into(), "iteration");
    by_pass(
        words(&operations.counted).map(|words| format!("{words} in {iterations}")),
        words(&operations.first),
    )
}

/// What happened in the iterations, and what in the first call.
fn by_pass(iterations: Option<String>, first: Option<String>) -> String {
    let first = first.map(|first| format!("{first} in the first call"));
    let both = iterations.into_iter().chain(first);
    both.collect::<Vec<_>>().join(", and ")
}

/// `4 in the counted iterations, and 1 in the first call`.
pub(super) fn still_running(threads: u64, first: u64) -> String {
    let number = |threads: u64| (threads > 0).then(|| integer(threads.into()));
    let iterations = number(threads).map(|number| format!("{number} in the counted iterations"));
    by_pass(iterations, number(first))
}

/// `1 iteration` or `2 iterations`.
fn counted_exactly(number: i128, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", integer(number))
}

/// The lines that list a bench or leave it out.
pub(super) fn unlisted_advice(bench: &BenchId, file: &str, dialect: Dialect) -> String {
    let [package, target] = [("package", &bench.package), ("target", &bench.target)]
        .map(|(key, value)| (dialect.name)(&format!("{key} = \"{value}\"")));
    format!(
        "add `[[bench]]` with {package} and {target} to {file}; a third line, `run = false`, leaves it \
         out"
    )
}

/// That no gate compares with the baseline in `file`, and advice.
pub(super) fn unused_baseline(file: &str) -> (String, String) {
    (
        format!("no gate compares with the baseline in {file}, so that worse figures pass"),
        String::from(
            "write `alloc-calls = \"<= baseline\"` into a gate, or set `unused-baseline = \
             \"allow\"` in `[policy]`",
        ),
    )
}

/// Figures that don't need their waiver, as in `` `allocs` of `encode` ``.
pub(in crate::report) fn idle_figures(figures: &[IdleFigure], dialect: Dialect) -> String {
    let figures = figures.iter();
    let figures: Vec<String> = figures
        .map(|idle| {
            let figure = figure_words(&idle.metric, idle.statistic);
            let (figure, scenario) = ((dialect.name)(&figure), (dialect.name)(&idle.scenario));
            format!("{figure} of {scenario}")
        })
        .collect();
    listed(&figures, "figure")
}

/// `a`, `a and b`, or `a, b, c, d and 12 more`.
pub(in crate::report) fn joined(items: &[String]) -> String {
    const SHOWN: usize = 5;
    let (last, shown) = match items {
        [] => return String::new(),
        [only] => return only.clone(),
        [shown @ .., last] if items.len() <= SHOWN => (last.clone(), shown),
        _ => {
            let (shown, more) = items.split_at(SHOWN - 1);
            (format!("{} more", more.len()), shown)
        }
    };
    format!("{} and {last}", shown.join(", "))
}

/// The first items, and how many more there are.
pub(in crate::report) fn listed(items: &[String], noun: &str) -> String {
    const SHOWN: usize = 3;
    let shown = items.iter().take(SHOWN).cloned().collect::<Vec<_>>();
    match items.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!(
            "{} and {}",
            shown.join(", "),
            counted(more, &format!("more {noun}"))
        ),
    }
}

pub(super) fn difference(ranges: &[VaryingMetric]) -> String {
    let words = |one: &VaryingMetric| {
        let (least, most) = (integer(one.least), integer(one.most));
        format!("{} {least} to {most}", one.metric)
    };
    let ranges: Vec<String> = ranges.iter().map(words).collect();
    ranges.join(", ")
}

/// The number of other scenarios that do the same, behind a sentence about one.
pub(super) fn as_others(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => String::from("; so does another scenario"),
        others => format!("; so do {others} others"),
    }
}
