//! [`Amounts`]: the sum of each metric at a site.

use std::iter::Sum;
use std::ops::AddAssign;

use alloc_results::{BeforeRow, Metric, Reading, SiteRow};

/// The sum of each metric over the iterations of a sample, and the sizes of their requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    counted: [i128; Metric::ALL.len()],
    /// The smallest and the largest request in bytes; 0 without one.
    pub(crate) smallest: u64,
    pub(crate) largest: u64,
}

impl Amounts {
    /// The sum of a metric; 0 of metrics that no stack is known of.
    #[must_use]
    pub fn of(&self, metric: Metric) -> i128 {
        let at = Metric::ALL.iter().position(|one| *one == metric);
        at.and_then(|at| self.counted.get(at)).copied().unwrap_or(0)
    }

    /// What a row adds to each metric. With live blocks, what an iteration leaves behind counts
    /// where the blocks were made; without, at the calls.
    pub(crate) fn of_row(row: &SiteRow, follows_blocks: bool) -> Self {
        let reading = Reading {
            counts: row.counts,
            ..Reading::default()
        };
        let mut amounts = Self {
            counted: Metric::ALL.map(|metric| metric.value(&reading).unwrap_or(0)),
            smallest: row.smallest,
            largest: row.largest,
        };
        if follows_blocks {
            amounts.set(Metric::NetBlocks, row.kept_blocks.into());
            amounts.set(Metric::NetBytes, row.kept_bytes.into());
        }
        amounts.set(Metric::PeakBytes, row.peak_bytes.into());
        amounts
    }

    /// What the blocks from before the iterations add.
    pub(crate) fn of_before(before: BeforeRow) -> Self {
        let mut amounts = Self::default();
        amounts.set(Metric::NetBlocks, before.kept_blocks.into());
        amounts.set(Metric::NetBytes, before.kept_bytes.into());
        let peak_bytes = before.peak_bytes.unwrap_or_default();
        amounts.set(Metric::PeakBytes, peak_bytes.into());
        amounts
    }

    fn set(&mut self, metric: Metric, sum: i128) {
        for (one, amount) in Metric::ALL.into_iter().zip(&mut self.counted) {
            if one == metric {
                *amount = sum;
            }
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        *self == Self::default()
    }
}

impl AddAssign for Amounts {
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in self.counted.iter_mut().zip(other.counted) {
            *sum += more;
        }
        let smallest = [self.smallest, other.smallest].into_iter();
        self.smallest = smallest.filter(|size| *size > 0).min().unwrap_or(0);
        self.largest = self.largest.max(other.largest);
    }
}

impl Sum for Amounts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, one| {
            sum += one;
            sum
        })
    }
}
