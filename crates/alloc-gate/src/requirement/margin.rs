//! [`Margin`]: how far a limit is from the baseline's figure, and on which side.

use std::fmt;

use alloc_requirement::{Amount, Number};
use alloc_results::Ratio;

use crate::figure::Exact;

/// The distance of a limit from the baseline's figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The side.
    pub side: Side,
    /// The distance; never negative.
    pub size: MarginSize,
}

/// The side of the baseline's figure that a limit is on.
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
        }
    }
}

impl Margin {
    /// The lower and the upper limit for the baseline's figure `base`. They differ only for
    /// [`Side::Around`].
    pub(crate) fn limits(self, base: Ratio) -> (Exact, Exact) {
        let base = Exact::from(base);
        let size = self.size.for_base(&base);
        let (low, high) = (&base - &size, &base + &size);
        match self.side {
            Side::Above => (high.clone(), high),
            Side::Below => (low.clone(), low),
            Side::Around => (low, high),
        }
    }
}

impl MarginSize {
    /// The size as a number, for the figure `base`.
    pub(crate) fn for_base(self, base: &Exact) -> Exact {
        match self {
            Self::Amount(amount) => amount.value().into(),
            Self::Percent(percent) => base.percent(percent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(text: &str, side: Side) -> Margin {
        let size = MarginSize::Percent(text.parse().unwrap());
        Margin { side, size }
    }

    #[test]
    fn margins_are_exact() {
        let six = Ratio::whole(6);
        let (limit, _) = percent("5", Side::Above).limits(six);
        assert_eq!(limit, Ratio::new(63, 10).unwrap().into());
        let (limit, _) = percent("5", Side::Above).limits(Ratio::whole(-100));
        assert_eq!(limit, Ratio::whole(-95).into());
        let (low, high) = percent("50", Side::Around).limits(six);
        assert_eq!(
            (low, high),
            (Ratio::whole(3).into(), Ratio::whole(9).into())
        );
        let (limit, _) = percent("5", Side::Above).limits(Ratio::whole(0));
        assert_eq!(limit, Ratio::whole(0).into());
        let amount = MarginSize::Amount(Amount::from(Number::from(2)));
        let (limit, _) = Margin {
            side: Side::Below,
            size: amount,
        }
        .limits(six);
        assert_eq!(limit, Ratio::whole(4).into());
    }
}
