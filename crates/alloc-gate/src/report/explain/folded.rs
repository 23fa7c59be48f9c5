//! Folded stacks, a text format of many flame graph tools: [`folded`].

use std::collections::BTreeMap;

use alloc_results::Metric;

use crate::printable::one_line;
use crate::sites::{Explained, Frame, SitePlace, Sites, measured_frames};

/// Folded stacks: see [`folded`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    /// A line for each stack.
    pub text: String,
    /// The number of iterations that the values are sums of.
    pub iterations: u128,
    /// The number of stacks that are left out because their value is below zero, which the
    /// format does not have.
    pub below_zero: usize,
}

/// A line for each stack of an explained value: its functions from the outermost to the
/// innermost, separated by `;`, then a space and the value. `None` without call stacks or without
/// values of them.
///
/// The format has whole numbers only. So the values are sums over the fewest iterations that
/// make all of them whole: over one where every iteration does the same.
#[must_use]
pub fn folded(explained: &Explained) -> Option<Folded> {
    let metric = explained.metric;
    let sites = explained.found.as_ref().ok()?.sites();
    if metric == Metric::PeakBytes && !sites.has_peaks {
        return None;
    }
    let mut below_zero = 0;
    let mut lines: BTreeMap<String, u128> = BTreeMap::new();
    for (stack, value) in values(sites, metric) {
        match u128::try_from(value) {
            Ok(0) => {}
            Ok(value) => {
                let sum = lines.entry(stack).or_default();
                *sum = sum.saturating_add(value);
            }
            Err(_) => below_zero += 1,
        }
    }
    let iterations = u128::from(sites.iterations);
    let divisor = lines.values().copied().fold(iterations, gcd);
    let lines = lines.into_iter();
    let lines = lines.map(|(stack, value)| format!("{stack} {}\n", value / divisor));
    Some(Folded {
        text: lines.collect(),
        iterations: iterations / divisor,
        below_zero,
    })
}

/// The stacks with their values, summed over the iterations.
fn values(sites: &Sites, metric: Metric) -> Vec<(String, i128)> {
    let stacks = sites.by_stack.iter();
    let stacks = stacks.map(|(stack, amounts)| (line(sites, *stack), amounts.of(metric)));
    let mut list = sites.list.iter();
    let before = list.find(|site| site.place == SitePlace::Before);
    let before = before.map_or(0, |site| site.amounts.of(metric));
    let before = (String::from("blocks from before the iteration"), before);
    let follows_blocks = sites.measured.follows_blocks();
    stacks.chain(follows_blocks.then_some(before)).collect()
}

/// The functions of a stack by its index, or a name that stands for them.
fn line(sites: &Sites, stack: Option<usize>) -> String {
    let Some(stack) = stack else {
        return String::from("further stacks");
    };
    let frames = sites.measured.stacks.get(stack);
    match frames.map_or(&[][..], |frames| measured_frames(frames)) {
        [] => String::from("unknown stack"),
        frames => {
            let names = frames.iter().rev().map(name);
            names.collect::<Vec<_>>().join(";")
        }
    }
}

/// A function's name without the separator, which types such as `[u8; 4]` have.
fn name(frame: &Frame) -> String {
    one_line(&frame.function).replace(';', ":")
}

/// The greatest common divisor; with 0, the other number.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
