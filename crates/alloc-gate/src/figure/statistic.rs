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
        /// `max`: the largest value of an iteration.
        Max = "max",
        /// `first`: the value of the cold first call, which is not part of the distribution.
        First = "first",
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
            Self::Max => "in the worst iteration",
            Self::First => "in the first call",
            Self::PerElement => "per element",
            Self::Growth => "over the axis",
        }
    }
}
