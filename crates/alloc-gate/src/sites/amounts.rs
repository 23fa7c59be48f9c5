//! [`Amounts`]: the sum of each metric at a site.

use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;

use alloc_results::{AskedMetric, BeforeRow, Metric, Reading, SiteRow};

use crate::figure::{Measure, Statistic};

/// The sum of each metric over the iterations of a sample, and the sizes of their requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    counted: [i128; Metric::ALL.len()],
    /// The smallest and the largest request in bytes; 0 without one.
    pub(crate) smallest: u64,
    pub(crate) largest: u64,
    /// The requests over a size, if the figure is about one.
    pub(super) over: i128,
}

impl Amounts {
    /// The sum of a metric; 0 of metrics that no stack is known of.
    #[must_use]
    pub fn of(&self, metric: impl Into<SiteMetric>) -> i128 {
        match metric.into() {
            SiteMetric::Counted(metric) => {
                let at = Metric::ALL.iter().position(|one| *one == metric);
                at.and_then(|at| self.counted.get(at)).copied().unwrap_or(0)
            }
            SiteMetric::LargestBlock => self.largest.into(),
            SiteMetric::AllocsOver(_) => self.over,
        }
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
            over: 0,
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
        self.over += other.over;
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

/// A metric of which call stacks tell something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SiteMetric {
    /// A count of the allocator's counter.
    Counted(Metric),
    /// `largest-block`: of several rows the largest, and not the sum.
    LargestBlock,
    /// `allocs-over-64KiB`, by the size in bytes.
    AllocsOver(u64),
}

impl SiteMetric {
    /// The metric of a figure; `None` if no call stack is known of it.
    pub(crate) fn of_figure(measure: &Measure, statistic: Statistic) -> Option<Self> {
        match measure {
            Measure::Counted(metric) => Some(Self::Counted(*metric)),
            Measure::Custom(custom) => match (custom.name().parse().ok()?, statistic) {
                (AskedMetric::LargestBlock, Statistic::Max | Statistic::First) => {
                    Some(Self::LargestBlock)
                }
                (AskedMetric::AllocsOver(bytes), _) => Some(Self::AllocsOver(bytes)),
                (AskedMetric::LargestBlock | AskedMetric::PeakBlocks, _) => None,
            },
            Measure::Summed(_) | Measure::Time => None,
        }
    }

    /// The metric that tells more about the same operations.
    pub(crate) fn companion(self) -> Option<Self> {
        match self {
            Self::Counted(metric) => metric.companion().map(Self::Counted),
            Self::LargestBlock => Some(Self::Counted(Metric::Allocs)),
            Self::AllocsOver(_) => None,
        }
    }

    /// `allocations`: what several are called, or one.
    pub(crate) fn noun(self, is_one: bool) -> String {
        let (one, many, over) = match self {
            Self::Counted(metric) => (metric.noun().one, metric.noun().many, String::new()),
            Self::LargestBlock => ("byte", "bytes", String::new()),
            Self::AllocsOver(_) => {
                let size = self.to_string().replace(AskedMetric::OVER, " over ");
                ("request", "requests", size)
            }
        };
        format!("{}{over}", if is_one { one } else { many })
    }
}

impl From<Metric> for SiteMetric {
    fn from(metric: Metric) -> Self {
        Self::Counted(metric)
    }
}

impl From<SiteMetric> for Measure {
    fn from(metric: SiteMetric) -> Self {
        match metric {
            SiteMetric::Counted(metric) => metric.into(),
            SiteMetric::LargestBlock => AskedMetric::LargestBlock.into(),
            SiteMetric::AllocsOver(bytes) => AskedMetric::AllocsOver(bytes).into(),
        }
    }
}

/// The name in rules.
impl fmt::Display for SiteMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Measure::from(*self).fmt(f)
    }
}
