//! [`Margin`]: how far a limit is from the baseline's figure, and to which side.

use std::fmt;

use alloc_requirement::{Amount, Number, Operator};
use alloc_results::Ratio;

use crate::figure::{Exact, ratio};

/// By how much a limit differs from the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// To which side.
    pub side: Side,
    /// By how much; never negative.
    pub size: MarginSize,
}

/// To which side of the baseline a limit lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `+`
    Above,
    /// `-`
    Below,
    /// `±`: to both, of `==` alone.
    Around,
}

/// The size of a margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarginSize {
    /// This many.
    Amount(Amount),
    /// This many hundredths of the absolute value.
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
    /// The limit that a figure of `base` comes to; both ends of it for `+-`.
    pub(crate) fn around(self, base: Ratio) -> (Exact, Exact) {
        let base = Exact::from(base);
        let size = self.size.share_of(&base);
        let (low, high) = (base.minus(&size), base.plus(&size));
        match self.side {
            Side::Above => (high.clone(), high),
            Side::Below => (low.clone(), low),
            Side::Around => (low, high),
        }
    }
}

impl MarginSize {
    /// How much a margin of this size is of `base`.
    pub(crate) fn share_of(self, base: &Exact) -> Exact {
        match self {
            Self::Amount(amount) => Exact::from(ratio(amount.value())),
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
    fn a_margin_is_exact() {
        let six = Ratio::whole(6);
        let (limit, _) = percent("5", Side::Above).around(six);
        assert_eq!(limit, Ratio::new(63, 10).unwrap().into());
        let (limit, _) = percent("5", Side::Above).around(Ratio::whole(-100));
        assert_eq!(limit, Ratio::whole(-95).into());
        let (low, high) = percent("50", Side::Around).around(six);
        assert_eq!(
            (low, high),
            (Ratio::whole(3).into(), Ratio::whole(9).into())
        );
        let (limit, _) = percent("5", Side::Above).around(Ratio::whole(0));
        assert_eq!(limit, Ratio::whole(0).into());
        let amount = MarginSize::Amount(Amount::from(Number::from(2)));
        let (limit, _) = Margin {
            side: Side::Below,
            size: amount,
        }
        .around(six);
        assert_eq!(limit, Ratio::whole(4).into());
    }
}
