//! [`Statistic`]: which figure of a metric's distribution a rule limits.

use std::fmt;
use std::str::FromStr;

/// A figure of the distribution over the counted iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Statistic {
    /// `mean`: the exact arithmetic mean over the counted iterations; the default.
    #[default]
    Mean,
    /// `min`: the smallest value of an iteration.
    Min,
    /// `max`: the largest value of an iteration.
    Max,
    /// `p50`: the nearest-rank median.
    P50,
    /// `p99`: the nearest-rank 99th percentile.
    P99,
    /// `first`: the value of the cold first call, which is not part of the distribution.
    First,
    /// `total`: the sum over the counted iterations.
    Total,
    /// `per-element`: the mean divided by the number of elements that the scenario declares
    /// for an iteration.
    PerElement,
    /// `growth`: how the mean grows over an axis, across several scenarios.
    Growth,
}

impl Statistic {
    /// All statistics.
    pub const ALL: [Self; 9] = [
        Self::Mean,
        Self::Min,
        Self::Max,
        Self::P50,
        Self::P99,
        Self::First,
        Self::Total,
        Self::PerElement,
        Self::Growth,
    ];

    /// The name in rules.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Min => "min",
            Self::Max => "max",
            Self::P50 => "p50",
            Self::P99 => "p99",
            Self::First => "first",
            Self::Total => "total",
            Self::PerElement => "per-element",
            Self::Growth => "growth",
        }
    }

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

    /// Whether a figure of whole values can be a fraction.
    #[must_use]
    pub const fn is_fractional(self) -> bool {
        match self {
            Self::Mean | Self::PerElement => true,
            Self::Min
            | Self::Max
            | Self::P50
            | Self::P99
            | Self::First
            | Self::Total
            | Self::Growth => false,
        }
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// From the name in rules. The error is `()`, since the caller knows the text.
impl FromStr for Statistic {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL
            .into_iter()
            .find(|statistic| statistic.name() == name)
            .ok_or(())
    }
}
