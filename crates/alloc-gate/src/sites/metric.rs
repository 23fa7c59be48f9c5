//! [`SiteMetric`]: a metric of which call stacks tell something.

use std::fmt;

use alloc_results::{AskedMetric, Metric};

use crate::figure::{Measure, Statistic};

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
            Measure::Summed(_) | Measure::Faults | Measure::Time => None,
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
