//! [`Statistic`]: which figure of a metric's distribution a rule limits.

use crate::named::named;

named! {
    /// A figure of the distribution over the counted iterations.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Statistic {
        /// `mean`: the exact arithmetic mean over the counted iterations; the default.
        #[default]
        Mean = "mean",
        /// `min`: the smallest value of an iteration.
        Min = "min",
        /// `max`: the largest value of an iteration.
        Max = "max",
        /// `p50`: the nearest-rank median.
        P50 = "p50",
        /// `p99`: the nearest-rank 99th percentile.
        P99 = "p99",
        /// `first`: the value of the cold first call, which is not part of the distribution.
        First = "first",
        /// `total`: the sum over the counted iterations.
        Total = "total",
        /// `per-element`: the mean divided by the number of elements that the scenario declares
        /// for an iteration.
        PerElement = "per-element",
        /// `growth`: how the mean grows over an axis, across several scenarios.
        Growth = "growth",
    }
}

impl Statistic {
    /// The phrase for messages.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Mean => "per iteration",
            Self::Min => "in the best iteration",
            Self::Max => "in the worst iteration",
            Self::P50 => "in the median iteration",
            Self::P99 => "in the 99th percentile of iterations",
            Self::First => "in the first call",
            Self::Total => "in all iterations",
            Self::PerElement => "per element",
            Self::Growth => "over the axis",
        }
    }
}
