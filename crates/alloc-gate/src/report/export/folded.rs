//! Folded stacks, a text format of many flame graph tools: [`folded`].

use std::collections::BTreeMap;

use crate::printable::one_line;
use crate::report::export::stacks::{Frames, StackReport, gcd};

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

/// A line for each stack: its functions from the outermost to the innermost, separated by `;`,
/// then a space and the value. With stacks from before a change, the value before stands in
/// front of the value now, as differential flame graphs expect.
///
/// The format has whole numbers only. So the values are sums over the fewest iterations that
/// make all of them whole: over one where every iteration does the same.
#[must_use]
pub fn folded(report: &StackReport<'_>) -> Folded {
    let (iterations, factors) = report.common_iterations();
    let mut below_zero = 0;
    let mut lines: BTreeMap<String, [u128; 2]> = BTreeMap::new();
    for (side, values) in report.values().into_iter().enumerate() {
        for (frames, value) in values {
            match u128::try_from(value.saturating_mul(factors[side])) {
                Ok(0) => {}
                Ok(value) => {
                    let sum = &mut lines.entry(line(frames)).or_default()[side];
                    *sum = sum.saturating_add(value);
                }
                Err(_) => below_zero += 1,
            }
        }
    }
    let divisor = lines.values().flatten().copied().fold(iterations, gcd);
    let lines = lines.into_iter().map(|(stack, values)| {
        let [before, now] = values.map(|value| value / divisor);
        if report.is_difference() {
            format!("{stack} {before} {now}\n")
        } else {
            format!("{stack} {now}\n")
        }
    });
    Folded {
        text: lines.collect(),
        iterations: iterations / divisor,
        below_zero,
    }
}

fn line(frames: Frames<'_>) -> String {
    match frames {
        Ok(frames) => {
            let names = frames.iter().rev().map(|frame| name(&frame.function));
            names.collect::<Vec<_>>().join(";")
        }
        Err(name) => name.to_owned(),
    }
}

/// A function's name without the separator, which types such as `[u8; 4]` have.
fn name(function: &str) -> String {
    one_line(function).replace(';', ":")
}
