//! [`Number`]: an exact decimal number.

use std::cmp::Ordering;
use std::error::Error;
use std::fmt;
use std::num::NonZeroU64;
use std::ops::Neg;
use std::str::FromStr;

/// The maximum number of decimals. Ten to this power is the largest power of ten in a
/// `u64`.
const MOST_DECIMALS: u32 = 19;

const TEN: NonZeroU64 = match NonZeroU64::new(10) {
    Some(ten) => ten,
    None => panic!("ten is not zero"),
};

/// A decimal number with at most 19 decimals. It is never rounded.
///
/// Its `Display` can be read again: `10_000`, `-2.5`. It has no `,`, which would begin
/// another comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number {
    /// The number times ten to the power of `decimals`.
    numerator: i128,
    /// At most [`MOST_DECIMALS`], and as few as the number needs, so that equal
    /// numbers have equal fields.
    decimals: u32,
}

impl Number {
    /// 0
    pub const ZERO: Self = Self::whole(0);

    /// A number with this numerator over ten to the power of `decimals`; `None` if rules can't
    /// write it.
    #[must_use]
    pub fn new(numerator: i128, decimals: u32) -> Option<Self> {
        let number = Self {
            numerator,
            decimals,
        };
        let number = (decimals <= MOST_DECIMALS).then(|| number.reduced())?;
        u64::try_from(number.floor().unsigned_abs()).ok()?;
        Some(number)
    }

    pub(crate) const fn whole(numerator: i128) -> Self {
        Self {
            numerator,
            decimals: 0,
        }
    }

    /// The number times its [`denominator`](Self::denominator), with the sign.
    #[must_use]
    pub const fn numerator(&self) -> i128 {
        self.numerator
    }

    /// A power of ten, as low as the number allows.
    #[must_use]
    pub const fn denominator(&self) -> NonZeroU64 {
        TEN.saturating_pow(self.decimals)
    }

    /// The value if it is a whole number.
    #[must_use]
    pub const fn as_whole(&self) -> Option<i128> {
        if self.decimals == 0 {
            Some(self.numerator)
        } else {
            None
        }
    }

    /// The largest whole number that is not above the value.
    #[must_use]
    pub const fn floor(&self) -> i128 {
        self.numerator.div_euclid(self.denominator().get() as i128)
    }

    /// The product; `None` when it is too long to be compared exactly.
    #[must_use]
    pub fn times(&self, factor: u64) -> Option<Self> {
        Self::new(self.numerator.checked_mul(factor.into())?, self.decimals)
    }

    fn reduced(mut self) -> Self {
        while self.decimals > 0 && self.numerator % 10 == 0 {
            self.numerator /= 10;
            self.decimals -= 1;
        }
        self
    }

    /// The part above the floor, in units of the last possible decimal.
    const fn fraction(&self) -> u128 {
        let rest = self.numerator.rem_euclid(self.denominator().get() as i128);
        // Below ten to the power of `MOST_DECIMALS`.
        rest.unsigned_abs() * TEN.saturating_pow(MOST_DECIMALS - self.decimals).get() as u128
    }
}

impl Neg for Number {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            numerator: -self.numerator,
            ..self
        }
    }
}

/// A whole number.
impl From<i128> for Number {
    fn from(whole: i128) -> Self {
        Self::whole(whole)
    }
}

/// By value, exactly.
impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.floor()
            .cmp(&other.floor())
            .then_with(|| self.fraction().cmp(&other.fraction()))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Why a text is not a [`Number`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// The text does not have the form of a number.
    Unlike,
    /// The number is too long to be compared exactly.
    TooLong,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unlike => "not a number",
            Self::TooLong => "too large, or with too many decimals",
        })
    }
}

impl Error for NumberError {}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        if !is_digits(whole) || !is_digits(fraction) {
            return Err(NumberError::Unlike);
        }
        let number = decimal(whole, fraction).ok_or(NumberError::TooLong)?;
        Ok(Self {
            numerator: if negative {
                -number.numerator
            } else {
                number.numerator
            },
            ..number
        })
    }
}

/// Whether the text consists of digits, with single `_` between them.
fn is_digits(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.ends_with(|c: char| c.is_ascii_digit())
        && !text.contains("__")
        && text.bytes().all(|b| b == b'_' || b.is_ascii_digit())
}

/// The number with these digits; `None` when it is too long to be compared exactly.
fn decimal(whole: &str, fraction: &str) -> Option<Number> {
    let digits = |text: &str| text.bytes().filter(|&b| b != b'_').count();
    let decimals = u32::try_from(digits(fraction)).ok()?;
    if decimals > MOST_DECIMALS {
        return None;
    }
    let whole = append(0, whole)?;
    u64::try_from(whole).ok()?;
    let number = Number {
        numerator: append(whole, fraction)?,
        decimals,
    };
    Some(number.reduced())
}

/// The number whose digits are those of `number` and then those of `text`.
fn append(number: i128, text: &str) -> Option<i128> {
    text.bytes()
        .filter(|&b| b != b'_')
        .try_fold(number, |n, b| {
            n.checked_mul(10)?.checked_add((b - b'0').into())
        })
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let denominator = u128::from(self.denominator().get());
        let absolute = self.numerator.unsigned_abs();
        if self.numerator < 0 {
            f.write_str("-")?;
        }
        let digits = (absolute / denominator).to_string();
        for (position, digit) in digits.chars().enumerate() {
            if position > 0 && (digits.len() - position) % 3 == 0 {
                f.write_str("_")?;
            }
            write!(f, "{digit}")?;
        }
        if self.decimals > 0 {
            let width = self.decimals as usize;
            write!(f, ".{:0width$}", absolute % denominator)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        text.parse().expect("this is a number")
    }

    #[test]
    fn a_number_is_read_as_an_exact_fraction() {
        for (text, numerator, denominator) in [
            ("0", 0, 1),
            ("-0", 0, 1),
            ("0.1", 1, 10),
            ("-2.5", -25, 10),
            ("2.50", 25, 10),
            ("007", 7, 1),
            ("10_000", 10_000, 1),
            ("1_0.0_5", 1005, 100),
            ("18446744073709551615", i128::from(u64::MAX), 1),
            ("0.0000000000000000001", 1, 10_000_000_000_000_000_000),
        ] {
            let number = number(text);
            assert_eq!(number.numerator(), numerator, "{text}");
            assert_eq!(number.denominator().get(), denominator, "{text}");
        }
    }

    #[test]
    fn a_shown_number_can_be_read_again() {
        for (text, shown) in [
            ("5", "5"),
            ("1234567.50", "1_234_567.5"),
            ("0.0000001", "0.0000001"),
            ("-0.05", "-0.05"),
            ("-1000", "-1_000"),
            ("18446744073709551615", "18_446_744_073_709_551_615"),
            ("0.1234567890123456789", "0.1234567890123456789"),
        ] {
            assert_eq!(number(text).to_string(), shown);
            assert_eq!(number(shown), number(text));
        }
    }

    #[test]
    fn other_texts_differ_from_numbers_that_are_too_long() {
        for text in [
            "", "-", ".", "5.", ".5", "1__0", "_1", "1_", "5 6", "5 KiB", "ä", "1e3", "+1",
        ] {
            assert_eq!(text.parse::<Number>(), Err(NumberError::Unlike), "{text}");
        }
        for text in [
            "18446744073709551616",
            "99999999999999999999999999999999999999999",
            "18446744073709551615.0000000000000000001",
            "0.00000000000000000001",
        ] {
            assert_eq!(text.parse::<Number>(), Err(NumberError::TooLong), "{text}");
        }
    }

    #[test]
    fn order_is_exact_where_floats_are_not() {
        let ascending = [
            "-18446744073709551615",
            "-2.5",
            "-2.4999999999999999999",
            "-2",
            "0",
            "0.0000000000000000001",
            "0.1",
            "0.1000000000000000001",
            "2.5",
            "9007199254740992",
            "9007199254740993",
        ];
        for (i, low) in ascending.iter().enumerate() {
            for (j, high) in ascending.iter().enumerate() {
                assert_eq!(number(low).cmp(&number(high)), i.cmp(&j), "{low} {high}");
            }
        }
        assert_eq!(number("2.50").cmp(&number("2.5")), Ordering::Equal);
    }

    #[test]
    fn a_floor_is_below_also_for_negative_numbers() {
        for (text, floor, whole) in [("2.5", 2, None), ("-2.5", -3, None), ("-2", -2, Some(-2))] {
            assert_eq!(number(text).floor(), floor);
            assert_eq!(number(text).as_whole(), whole);
        }
    }
}
