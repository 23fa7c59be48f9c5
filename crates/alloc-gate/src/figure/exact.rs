//! [`Exact`]: what a limit comes to, exactly, whatever its size: a share of a
//! mean has more digits than a machine's integers.

use std::fmt;

use alloc_requirement::Number;
use alloc_results::{Ratio, integer, mean};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

/// An exact rational number of any size.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exact(BigRational);

impl Exact {
    /// So many percent of this number, which counts without its sign.
    pub(crate) fn percent(&self, percent: Number) -> Self {
        Self(self.0.abs() * Self::from(ratio(percent)).0 / BigInt::from(100))
    }

    pub(crate) fn times(figure: Ratio, factor: Number) -> Self {
        Self(Self::from(figure).0 * Self::from(ratio(factor)).0)
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self(&self.0 - &other.0)
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self(&self.0 + &other.0)
    }

    pub(crate) fn by(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0)
    }

    /// How many times `other` this is; `None` where that is 0.
    pub(crate) fn over(&self, other: &Self) -> Option<Self> {
        (!other.0.is_zero()).then(|| Self(&self.0 / &other.0))
    }

    /// A hundred times this, rounded; `None` where 128 bits don't hold it.
    pub(crate) fn hundredths(&self) -> Option<i128> {
        (&self.0 * BigInt::from(100)).round().to_integer().to_i128()
    }

    pub(crate) fn absolute(&self) -> Self {
        Self(self.0.abs())
    }

    /// In units of `unit`, rounded to `decimals`, halves away from 0, with `separator`
    /// between thousands. What is not 0 does not look like it: `<0.01`.
    pub(crate) fn decimal(&self, unit: u64, decimals: usize, separator: &str) -> String {
        let scale = (0..decimals).fold(BigInt::from(1), |scale, _| scale * BigInt::from(10));
        let scaled = &self.0 * scale / BigInt::from(unit);
        let rounded = scaled.round().to_integer();
        let is_hidden = rounded.is_zero() && !self.0.is_zero();
        let mark = match (is_hidden, self.0.is_negative()) {
            (true, true) => ">-",
            (true, false) => "<",
            (false, true) => "-",
            (false, false) => "",
        };
        let shown = if is_hidden {
            BigInt::from(1)
        } else {
            rounded.abs()
        };
        let digits = format!(
            "{shown:0>width$}",
            width = decimals + 1,
            shown = shown.to_string()
        );
        let (whole, fraction) = digits.split_at(digits.len() - decimals);
        let mut text = String::from(mark);
        for (position, digit) in whole.chars().enumerate() {
            if position > 0 && (whole.len() - position).is_multiple_of(3) {
                text.push_str(separator);
            }
            text.push(digit);
        }
        if decimals > 0 {
            text.push('.');
            text.push_str(fraction);
        }
        text
    }

    /// The largest whole number that is not above so many times this; `None` where
    /// 128 bits don't hold it.
    pub(crate) fn floor_of(&self, factors: &[u64]) -> Option<i128> {
        let times = |product: BigInt, &factor: &u64| product * BigInt::from(factor);
        let factor = factors.iter().fold(BigInt::from(1), times);
        (&self.0 * factor).floor().to_integer().to_i128()
    }

    /// The other end of the number line.
    pub(crate) fn negated(&self) -> Self {
        Self(-&self.0)
    }

    /// As a figure, where it is one that reports can show as such.
    #[must_use]
    pub fn as_ratio(&self) -> Option<Ratio> {
        Ratio::new(self.0.numer().to_i128()?, self.0.denom().to_u64()?)
    }

    /// The numerator and the denominator of the reduced fraction.
    #[must_use]
    pub fn parts(&self) -> (String, String) {
        (self.0.numer().to_string(), self.0.denom().to_string())
    }
}

impl From<Ratio> for Exact {
    fn from(figure: Ratio) -> Self {
        Self(BigRational::new(
            figure.numerator().into(),
            figure.denominator().into(),
        ))
    }
}

/// As reports show a figure; past what those hold, to two decimals, cut off, or as a
/// whole number without any.
impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(figure) = self.as_ratio() {
            return match figure.as_whole() {
                Some(whole) => f.write_str(&integer(whole)),
                None => f.write_str(&mean(figure, 2)),
            };
        }
        let hundredths = (self.0.abs() * BigInt::from(100)).to_integer();
        let sign = if self.0.is_negative() { "-" } else { "" };
        let (whole, rest) = (
            &hundredths / BigInt::from(100),
            &hundredths % BigInt::from(100),
        );
        if rest.is_zero() {
            write!(f, "{sign}{whole}")
        } else {
            write!(f, "{sign}{whole}.{rest:0>2}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_too_large() {
        let factor: Number = "18446744073709551615.0000000001".parse().unwrap();
        let huge = Exact::times(Ratio::new(i128::MAX, u64::MAX).unwrap(), factor);
        assert_eq!(huge.as_ratio(), None);
        assert!(huge > Ratio::whole(i64::MAX.into()).into());
        assert!(huge.to_string().starts_with("170141183460469231"), "{huge}");
    }

    #[test]
    fn a_decimal_is_rounded_and_looks_like_zero_only_where_it_is() {
        let decimal = |numerator: i128, denominator: u64, decimals| {
            Exact::from(Ratio::new(numerator, denominator).unwrap()).decimal(1, decimals, ",")
        };
        for (numerator, denominator, decimals, text) in [
            (0, 1, 2, "0.00"),
            (1, 3, 2, "0.33"),
            (1, 200, 2, "0.01"),
            (1, 201, 2, "<0.01"),
            (-1, 201, 2, ">-0.01"),
            (-1, 200, 2, "-0.01"),
            (2_999_999, 1_000_000, 2, "3.00"),
            (999_999, 1, 0, "999,999"),
            (-1_234_567, 10, 1, "-123,456.7"),
            (1, 3, 0, "<1"),
        ] {
            assert_eq!(decimal(numerator, denominator, decimals), text);
        }
        let huge = Exact::from(Ratio::whole(i128::MAX));
        assert_eq!(
            huge.by(&huge).decimal(u64::MAX, 0, "_").len(),
            // 38 and 38 digits over 20 are 58, with 19 separators.
            58 + 19
        );
    }

    #[test]
    fn a_small_limit_below_zero_keeps_its_sign() {
        // A third of -0.37 is -0.12, and has more digits than a figure.
        let factor: Number = "0.3700000000000000001".parse().unwrap();
        let small = Exact::times(Ratio::new(-1, 3).unwrap(), factor);
        assert_eq!(small.as_ratio(), None);
        assert_eq!(small.to_string(), "-0.12");
    }
}

/// The number as figures are.
pub(crate) const fn ratio(number: Number) -> Ratio {
    Ratio::over(number.numerator(), number.denominator())
}
