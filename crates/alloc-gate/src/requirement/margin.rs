//! [`Margin`]: how far a limit is from the figure that it refers to, and on which side.

use std::fmt;

use crate::figure::Exact;
use alloc_requirement::{Amount, Number};

/// The distance of a limit from a figure of the baseline or of another scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The side.
    pub side: Side,
    /// The distance; never negative.
    pub size: MarginSize,
}

/// The side of the figure that a limit is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `+`
    Above,
    /// `-`
    Below,
    /// `±`: both sides; only with `==`.
    Around,
}

/// The size of a margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarginSize {
    /// An absolute amount.
    Amount(Amount),
    /// A percentage of the figure's absolute value.
    Percent(Number),
    /// The larger of both: `max(1%, 4 KiB)`.
    Larger {
        /// The percentage.
        percent: Number,
        /// The absolute amount.
        amount: Amount,
    },
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.side {
            Side::Above => '+',
            Side::Below => '-',
            Side::Around => '±',
        };
        write!(f, "{sign} {}", self.size)
    }
}

impl fmt::Display for MarginSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Amount(amount) => amount.fmt(f),
            Self::Percent(percent) => write!(f, "{percent}%"),
            Self::Larger { percent, amount } => write!(f, "max({percent}%, {amount})"),
        }
    }
}

/// A limit as a range, of which `==` allows all figures. Its ends differ only for
/// [`Side::Around`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LimitRange {
    pub(crate) low: Exact,
    pub(crate) high: Exact,
}

impl LimitRange {
    /// A single number.
    pub(crate) fn at(limit: Exact) -> Self {
        Self {
            low: limit.clone(),
            high: limit,
        }
    }
}

impl Margin {
    /// The limit for the figure `base`.
    pub(crate) fn limit(self, base: &Exact) -> LimitRange {
        let size = self.size.for_base(base);
        match self.side {
            Side::Above => LimitRange::at(base + &size),
            Side::Below => LimitRange::at(base - &size),
            Side::Around => LimitRange {
                low: base - &size,
                high: base + &size,
            },
        }
    }
}

impl MarginSize {
    /// The size as a number, for the figure `base`.
    pub(crate) fn for_base(self, base: &Exact) -> Exact {
        match self {
            Self::Amount(amount) => amount.value().into(),
            Self::Percent(percent) => base.percent(percent),
            Self::Larger { percent, amount } => base.percent(percent).max(amount.value().into()),
        }
    }

    /// The absolute amount, if it has one.
    pub(crate) const fn amount(self) -> Option<Amount> {
        match self {
            Self::Amount(amount) | Self::Larger { amount, .. } => Some(amount),
            Self::Percent(_) => None,
        }
    }

    /// The percentage, if it has one.
    pub(crate) const fn percent(self) -> Option<Number> {
        match self {
            Self::Percent(percent) | Self::Larger { percent, .. } => Some(percent),
            Self::Amount(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc_results::Ratio;

    use super::*;

    #[test]
    fn margins_are_exact() {
        let percent = |text: &str| MarginSize::Percent(text.parse().unwrap());
        let two = MarginSize::Amount(Amount::from(Number::from(2)));
        let larger = |percent: &str| MarginSize::Larger {
            percent: percent.parse().unwrap(),
            amount: Amount::from(Number::from(2)),
        };
        let ratio = |numerator, denominator| Ratio::new(numerator, denominator).unwrap();
        for (side, size, base, low, high) in [
            (Side::Above, percent("5"), 6, ratio(63, 10), ratio(63, 10)),
            (
                Side::Above,
                percent("5"),
                -100,
                ratio(-95, 1),
                ratio(-95, 1),
            ),
            (Side::Around, percent("50"), 6, ratio(3, 1), ratio(9, 1)),
            (Side::Above, percent("5"), 0, ratio(0, 1), ratio(0, 1)),
            (Side::Below, two, 6, ratio(4, 1), ratio(4, 1)),
            // 1 percent of 199 is below 2, of 200 it is 2, and of 201 it is above 2.
            (Side::Above, larger("1"), 199, ratio(201, 1), ratio(201, 1)),
            (Side::Above, larger("1"), 200, ratio(202, 1), ratio(202, 1)),
            (
                Side::Above,
                larger("1"),
                201,
                ratio(20_301, 100),
                ratio(20_301, 100),
            ),
            (Side::Around, larger("1"), 0, ratio(-2, 1), ratio(2, 1)),
        ] {
            let margin = Margin { side, size };
            let (low, high) = (low.into(), high.into());
            let limit = margin.limit(&Ratio::whole(base).into());
            assert_eq!(limit, LimitRange { low, high }, "{base} {margin}");
        }
    }
}
