//! [`Ratio`]: an exact rational number, so that verdicts on counts need no floats.

use std::cmp::Ordering;
use std::num::NonZeroU64;
use std::ops::Neg;

/// An exact rational number in lowest terms, such as a mean of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: i128,
    /// Never zero, and coprime to the numerator.
    denominator: u64,
}

impl Ratio {
    /// `numerator / denominator`, or `None` when `denominator` is zero.
    #[must_use]
    pub const fn new(numerator: i128, denominator: u64) -> Option<Self> {
        match NonZeroU64::new(denominator) {
            Some(denominator) => Some(Self::over(numerator, denominator)),
            None => None,
        }
    }

    /// `numerator / denominator`.
    #[must_use]
    pub const fn over(numerator: i128, denominator: NonZeroU64) -> Self {
        let denominator = denominator.get();
        let divisor = gcd(numerator.unsigned_abs(), denominator as u128);
        // `divisor` divides a `u64` that is not zero, so both casts are exact.
        Self {
            numerator: numerator / divisor as i128,
            denominator: denominator / divisor as u64,
        }
    }

    /// A whole number.
    #[must_use]
    pub const fn whole(value: i128) -> Self {
        Self {
            numerator: value,
            denominator: 1,
        }
    }

    /// The numerator of the reduced fraction; it carries the sign.
    #[must_use]
    pub const fn numerator(&self) -> i128 {
        self.numerator
    }

    /// The denominator of the reduced fraction.
    #[must_use]
    pub const fn denominator(&self) -> u64 {
        self.denominator
    }

    /// The value if it is a whole number.
    #[must_use]
    pub const fn as_whole(&self) -> Option<i128> {
        if self.denominator == 1 {
            Some(self.numerator)
        } else {
            None
        }
    }

    /// The largest whole number that is not above the value.
    #[must_use]
    pub const fn floor(&self) -> i128 {
        self.numerator.div_euclid(self.denominator as i128)
    }
}

impl From<u64> for Ratio {
    fn from(value: u64) -> Self {
        Self::whole(value.into())
    }
}

impl Neg for Ratio {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            numerator: -self.numerator,
            ..self
        }
    }
}

/// By value, exactly: whole parts first, then the fractions by
/// cross-multiplication, which fits in 128 bits.
impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let fraction = |ratio: &Self, against: &Self| {
            let rest = ratio.numerator.rem_euclid(ratio.denominator.into());
            rest.unsigned_abs() * u128::from(against.denominator)
        };
        self.floor()
            .cmp(&other.floor())
            .then_with(|| fraction(self, other).cmp(&fraction(other, self)))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i128, denominator: u64) -> Ratio {
        Ratio::new(numerator, denominator).unwrap()
    }

    #[test]
    fn equal_fractions_are_equal_numbers() {
        assert_eq!(ratio(20_000, 10_000), Ratio::whole(2));
        assert_eq!(ratio(-6, 4), ratio(-3, 2));
        assert_eq!(ratio(0, 7), Ratio::whole(0));
        assert_eq!(Ratio::new(1, 0), None);
    }

    #[test]
    fn order_is_exact_where_floats_are_not() {
        let third = ratio(1, 3);
        assert!(third > ratio(333_333_333_333_333_333, 1_000_000_000_000_000_000));
        assert!(third < ratio(333_333_333_333_333_334, 1_000_000_000_000_000_000));
        assert!(ratio(i128::MAX, u64::MAX) > ratio(i128::MAX - 1, u64::MAX));
        assert!(ratio(1, u64::MAX) < ratio(1, u64::MAX - 1));
    }

    #[test]
    fn negative_values_order_below_positive_ones() {
        assert!(ratio(-1, 2) < ratio(-1, 3));
        assert!(ratio(-1, 2) < Ratio::whole(0));
        assert_eq!(ratio(-1, 2).floor(), -1);
    }
}
