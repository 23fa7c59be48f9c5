//! [`StackReport`]: the stacks of a scenario with their values of one metric, as flame graphs
//! and folded stacks show them.

use std::num::NonZeroU64;

use alloc_results::{Metric, Ratio, Reading, ReadingPart};

use crate::figure::Statistic;
use crate::report::change::{change, plain_figure};
use crate::sites::{Frame, SiteRow};

/// The function that stands for stacks that the bench had no room for.
pub(super) const FURTHER_STACKS: &str = "further stacks";
/// The function that stands for a stack without any frame.
pub(super) const UNKNOWN_STACK: &str = "unknown stack";

/// Stacks, and what each of them did in some iterations.
#[derive(Clone, Copy, Debug)]
pub struct Stacks<'s> {
    /// The stacks, each with its innermost frame first.
    pub stacks: &'s [Vec<Frame>],
    /// What the stacks did.
    pub rows: &'s [SiteRow],
    /// The number of iterations that the rows are sums of.
    pub iterations: NonZeroU64,
}

impl<'s> Stacks<'s> {
    /// The frames of a row's stack, innermost first, at least one; or the name that stands for
    /// them.
    pub(super) fn frames(&self, row: &SiteRow) -> Result<&'s [Frame], &'static str> {
        match row.stack.map(|index| self.stacks.get(index)) {
            None => Err(FURTHER_STACKS),
            Some(Some(frames)) if !frames.is_empty() => Ok(frames),
            Some(_) => Err(UNKNOWN_STACK),
        }
    }
}

/// The stacks of a scenario with their values of one metric. With stacks from before a change,
/// the report shows the difference.
#[derive(Clone, Copy, Debug)]
pub struct StackReport<'s> {
    pub(super) scenario: &'s str,
    pub(super) metric: Metric,
    pub(super) statistic: Statistic,
    pub(super) before: Option<Stacks<'s>>,
    pub(super) now: Stacks<'s>,
}

impl<'s> StackReport<'s> {
    /// A report on the figure `metric`, `statistic` of a scenario. The rows of `now` are of the
    /// iterations that the statistic is about. `None` if the metric has no values by stack.
    #[must_use]
    pub fn new(
        scenario: &'s str,
        metric: Metric,
        statistic: Statistic,
        now: Stacks<'s>,
    ) -> Option<Self> {
        (metric.part() != ReadingPart::Native).then_some(Self {
            scenario,
            metric,
            statistic,
            before: None,
            now,
        })
    }

    /// The same with the stacks from before a change.
    #[must_use]
    pub fn since(mut self, before: Stacks<'s>) -> Self {
        self.before = Some(before);
        self
    }

    /// The stacks before and now.
    pub(super) fn sides(&self) -> [Option<Stacks<'s>>; 2] {
        [self.before, Some(self.now)]
    }

    /// The value of a row, summed over its iterations.
    pub(super) fn value(&self, row: &SiteRow) -> i128 {
        // The stack that allocated a block answers for it, and not the one that frees it.
        if self.metric == Metric::NetBlocks {
            return row.kept.blocks.into();
        }
        if self.metric == Metric::NetBytes {
            return row.kept.bytes.into();
        }
        let reading = Reading {
            counts: row.counts,
            peak_bytes: Some(row.peak_bytes),
            native: None,
        };
        self.metric.value(&reading).unwrap_or_default()
    }

    /// Values of both sides as text: `4`, or `3 -> 4 (+1)` with stacks from before.
    pub(super) fn figure(&self, values: [i128; 2]) -> String {
        let unit = self.metric.unit();
        let now = Ratio::over(values[1], self.now.iterations);
        match &self.before {
            None => plain_figure(unit, now),
            Some(before) => {
                let before = Ratio::over(values[0], before.iterations);
                change(unit, Some(before), Some(now))
            }
        }
    }

    /// The difference of both sides over their common iterations; `None` without stacks from
    /// before.
    pub(super) fn difference(&self, values: [i128; 2]) -> Option<i128> {
        self.before?;
        let (_, factors) = self.common_iterations();
        let [before, now] = [0, 1].map(|side| values[side].saturating_mul(factors[side]));
        Some(now.saturating_sub(before))
    }

    /// The iterations that make the values of both sides comparable, and the factor for each
    /// side.
    pub(super) fn common_iterations(&self) -> (u128, [i128; 2]) {
        let iterations = self.sides().map(|side| {
            let side = side.unwrap_or(self.now);
            u128::from(side.iterations.get())
        });
        let [before, now] = iterations;
        let common = before / gcd(before, now) * now;
        let factors = iterations.map(|one| i128::try_from(common / one).unwrap_or(i128::MAX));
        (common, factors)
    }
}

/// The greatest common divisor; with 0, the other number.
pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
