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

/// A line for each stack of an explained figure: its functions from the outermost to the
/// innermost, separated by `;`, then a space and the value. With stacks from before a change, the
/// value before stands in front of the value now, as differential flame graphs expect. `None`
/// without call stacks or without values of them.
///
/// The format has whole numbers only. So the values are sums over the fewest iterations that
/// make all of them whole: over one where every iteration does the same.
#[must_use]
pub fn folded(explained: &Explained) -> Option<Folded> {
    let metric = explained.metric;
    let (before, now) = explained.found.as_ref().ok()?.sides();
    let has = |sites: &Sites| metric != Metric::PeakBytes || sites.has_peaks;
    if !has(now) || !before.is_none_or(has) {
        return None;
    }
    // Over the same iterations, the values of both sides are comparable.
    let sides = [before.unwrap_or(now), now].map(|side| u128::from(side.iterations));
    let common = sides[0] / gcd(sides[0], sides[1]) * sides[1];
    let mut below_zero = 0;
    let mut lines: BTreeMap<String, [u128; 2]> = BTreeMap::new();
    for (side, sites) in [before, Some(now)].into_iter().enumerate() {
        let factor = i128::try_from(common / sides[side]).unwrap_or(i128::MAX);
        for (stack, value) in sites.into_iter().flat_map(|sites| values(sites, metric)) {
            match u128::try_from(value.saturating_mul(factor)) {
                Ok(0) => {}
                Ok(value) => {
                    let sum = &mut lines.entry(stack).or_default()[side];
                    *sum = sum.saturating_add(value);
                }
                Err(_) => below_zero += 1,
            }
        }
    }
    let divisor = lines.values().flatten().copied().fold(common, gcd);
    let lines = lines.into_iter().map(|(stack, values)| {
        let [old, new] = values.map(|value| value / divisor);
        match before {
            Some(_) => format!("{stack} {old} {new}\n"),
            None => format!("{stack} {new}\n"),
        }
    });
    Some(Folded {
        text: lines.collect(),
        iterations: common / divisor,
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
