//! [`Exact`]: an exact rational number of any size. Limits need one: a share of a mean can
//! have more digits than a machine's integers hold.

use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use alloc_results::Number;
use alloc_results::{Ratio, integer, mean};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

/// An exact rational number of any size.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exact(BigRational);

impl Exact {
    /// `percent` hundredths of the absolute value.
    pub(crate) fn percent(&self, percent: Number) -> Self {
        Self(self.0.abs() * Self::from(percent).0 / BigInt::from(100))
    }

    /// The quotient; `None` if `divisor` is 0.
    pub(crate) fn checked_div(&self, divisor: &Self) -> Option<Self> {
        (!divisor.0.is_zero()).then(|| Self(&self.0 / &divisor.0))
    }

    /// This number times 100, rounded; `None` if it does not fit in 128 bits.
    pub(crate) fn hundredths(&self) -> Option<i128> {
        (&self.0 * BigInt::from(100)).round().to_integer().to_i128()
    }

    /// The absolute value.
    pub(crate) fn abs(&self) -> Self {
        Self(self.0.abs())
    }

    /// A decimal number, rounded to `decimals`, halves away from 0, with commas between
    /// thousands. A number that rounds to 0 without being 0 is written as `<0.01`.
    pub(crate) fn decimal(&self, decimals: usize) -> String {
        let scale = (0..decimals).fold(BigInt::from(1), |scale, _| scale * BigInt::from(10));
        let rounded = (&self.0 * scale).round().to_integer();
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
                text.push(',');
            }
            text.push(digit);
        }
        if decimals > 0 {
            text.push('.');
            text.push_str(fraction);
        }
        text
    }

    /// This number as a [`Ratio`], if it fits.
    #[must_use]
    pub fn as_ratio(&self) -> Option<Ratio> {
        Ratio::new(self.0.numer().to_i128()?, self.0.denom().to_u64()?)
    }

    /// This number as a [`Ratio`], rounded to hundredths if it does not fit.
    pub(crate) fn rounded(&self) -> Option<Ratio> {
        self.as_ratio()
            .or_else(|| Ratio::new(self.hundredths()?, 100))
    }

    /// The number in a sentence: exact if it has few decimals, and with no more than it needs.
    pub(crate) fn plain(&self) -> String {
        self.as_ratio()
            .map_or_else(|| self.to_string(), |figure| mean(figure, 0))
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

impl From<Number> for Exact {
    fn from(number: Number) -> Self {
        ratio(number).into()
    }
}

macro_rules! impl_operators {
    ($($operator:ident $method:ident,)*) => {$(
        impl $operator for &Exact {
            type Output = Exact;

            fn $method(self, other: Self) -> Exact {
                Exact((&self.0).$method(&other.0))
            }
        }
    )*};
}

impl_operators! { Add add, Sub sub, Mul mul, }

impl Neg for &Exact {
    type Output = Exact;

    fn neg(self) -> Exact {
        Exact(-&self.0)
    }
}

/// The number as a [`Ratio`].
pub(crate) const fn ratio(number: Number) -> Ratio {
    Ratio::over(number.numerator(), number.denominator())
}

/// The figure as a float, for orders, curves and percentages only.
pub(crate) fn float(figure: Ratio) -> f64 {
    figure.numerator() as f64 / figure.denominator() as f64
}

/// The format of figures in reports. A number that does not fit in a [`Ratio`] is cut off after
/// two decimals.
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
    fn very_large_numbers_are_exact() {
        let factor: Number = "18446744073709551615.0000000001".parse().unwrap();
        let figure = Exact::from(Ratio::new(i128::MAX, u64::MAX).unwrap());
        let huge = &figure * &factor.into();
        assert_eq!(huge.as_ratio(), None);
        assert!(huge > Ratio::whole(i64::MAX.into()).into());
        assert!(huge.to_string().starts_with("170141183460469231"), "{huge}");
    }

    #[test]
    fn decimals_are_rounded_and_only_zero_is_shown_as_zero() {
        let decimal = |numerator: i128, denominator: u64, decimals| {
            Exact::from(Ratio::new(numerator, denominator).unwrap()).decimal(decimals)
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
            (&huge * &huge).decimal(0).len(),
            // 77 digits, with 25 separators.
            77 + 25
        );
    }

    #[test]
    fn small_negative_limits_keep_their_sign() {
        // A third of -0.37... is -0.12..., with more digits than a `Ratio` holds.
        let factor: Number = "0.3700000000000000001".parse().unwrap();
        let small = &Exact::from(Ratio::new(-1, 3).unwrap()) * &factor.into();
        assert_eq!(small.as_ratio(), None);
        assert_eq!(small.to_string(), "-0.12");
    }
}
