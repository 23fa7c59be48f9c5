//! [`Ratio`]: the one number type. It is exact, so that verdicts need no floats: a limit such as
//! `2.5` and a mean such as 20,001/10,000 are compared as they are.
//!
//! A numerator has 128 bits and a sign, a denominator 64 bits. Every number of a rule and every
//! mean of a record fits, and they compare without overflow. What is computed from two of them,
//! such as a tolerance in percent of a mean, may not fit; then there is no number, and never a
//! rounded one.

use std::cmp::Ordering;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// An exact rational number in lowest terms.
///
/// Its `Display` is the form in rules, which can be read again: `10_000`, `-2.5`. It has no `,`,
/// which would begin another comparison. A third is `1/3`, which no rule has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: i128,
    /// Never zero, and coprime to the numerator.
    denominator: u64,
}

/// The maximum number of decimals in a text. Ten to this power is the largest power of ten in a
/// `u64`.
const MOST_DECIMALS: usize = 19;

impl Ratio {
    /// 0
    pub const ZERO: Self = Self::whole(0);

    /// `numerator / denominator`, or `None` when `denominator` is zero.
    #[must_use]
    pub const fn new(numerator: i128, denominator: u64) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator as u128);
        // `divisor` divides a `u64` that is not zero, so both casts are exact.
        Some(Self {
            numerator: numerator / divisor as i128,
            denominator: denominator / divisor as u64,
        })
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

    /// The smallest whole number that is not below the value.
    #[must_use]
    pub const fn ceil(&self) -> i128 {
        self.floor() + (self.denominator != 1) as i128
    }

    /// The nearest float, for orders, curves and shown percentages alone.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The sum; `None` if it does not fit.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let (left, right) = (u128::from(self.denominator), u128::from(other.denominator));
        let divisor = gcd(left, right);
        let scaled = |number: Self, scale: u128| number.numerator.checked_mul(scale as i128);
        let sum = scaled(self, right / divisor)?.checked_add(scaled(other, left / divisor)?)?;
        // Two 64-bit numbers.
        let denominator = left / divisor * right;
        let shared = gcd(sum.unsigned_abs(), denominator);
        Some(Self {
            numerator: sum / i128::try_from(shared).ok()?,
            denominator: (denominator / shared).try_into().ok()?,
        })
    }

    /// The difference; `None` if it does not fit.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.checked_add(Self {
            numerator: other.numerator.checked_neg()?,
            ..other
        })
    }

    /// The product; `None` if it does not fit.
    #[must_use]
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        let crossed = [
            Self::new(self.numerator, other.denominator)?,
            Self::new(other.numerator, self.denominator)?,
        ];
        let [left, right] = crossed;
        Some(Self {
            numerator: left.numerator.checked_mul(right.numerator)?,
            denominator: left.denominator.checked_mul(right.denominator)?,
        })
    }

    /// The quotient; `None` if it does not fit, or `divisor` is zero.
    #[must_use]
    pub fn checked_div(self, divisor: Self) -> Option<Self> {
        let sign = divisor.numerator.signum();
        let denominator = divisor.numerator.unsigned_abs().try_into().ok()?;
        self.checked_mul(Self::new(
            sign * i128::from(divisor.denominator),
            denominator,
        )?)
    }

    /// The absolute value; `None` if it does not fit.
    #[must_use]
    pub fn checked_abs(self) -> Option<Self> {
        self.max(Self::ZERO.checked_sub(self)?).into()
    }

    /// The whole part of the absolute value, so many decimals as one number, and what is left of
    /// it over the denominator.
    fn expanded(&self, decimals: usize) -> (u128, u128, u128) {
        let denominator = u128::from(self.denominator);
        let absolute = self.numerator.unsigned_abs();
        // Below 2^64, and so is the power of ten.
        let rest = absolute % denominator * power_of_ten(decimals.min(MOST_DECIMALS));
        (
            absolute / denominator,
            rest / denominator,
            rest % denominator,
        )
    }
}

impl From<u64> for Ratio {
    fn from(value: u64) -> Self {
        Self::whole(value.into())
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

fn power_of_ten(exponent: usize) -> u128 {
    (0..exponent).fold(1, |power, _| power * 10)
}

/// Why a text is not a [`Ratio`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// The text does not have the form of a number.
    Unlike,
    /// The number is above 18,446,744,073,709,551,615, or has more than 19 decimals.
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

/// A decimal number: `10_000`, `-2.5`.
impl FromStr for Ratio {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        if !is_digits(whole) || !is_digits(fraction) {
            return Err(NumberError::Unlike);
        }
        let decimal = || {
            let decimals = fraction.bytes().filter(|&b| b != b'_').count();
            let whole = u64::try_from(append(0, whole)?).ok()?;
            let numerator = append(whole.into(), fraction)?;
            let denominator = (decimals <= MOST_DECIMALS).then(|| power_of_ten(decimals))?;
            Self::new(sign * numerator, denominator.try_into().ok()?)
        };
        decimal().ok_or(NumberError::TooLong)
    }
}

/// Whether the text consists of digits, with single `_` between them.
fn is_digits(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.ends_with(|c: char| c.is_ascii_digit())
        && !text.contains("__")
        && text.bytes().all(|b| b == b'_' || b.is_ascii_digit())
}

/// The number with the digits of `number` followed by the digits of `text`.
fn append(number: i128, text: &str) -> Option<i128> {
    text.bytes()
        .filter(|&b| b != b'_')
        .try_fold(number, |n, b| {
            n.checked_mul(10)?.checked_add((b - b'0').into())
        })
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.numerator < 0 { "-" } else { "" };
        let (whole, decimals, rest) = self.expanded(MOST_DECIMALS);
        if rest > 0 {
            return write!(f, "{}/{}", self.numerator, self.denominator);
        }
        write!(f, "{sign}{}", grouped(whole, '_'))?;
        match decimals {
            0 => Ok(()),
            _ => write!(
                f,
                ".{}",
                format!("{decimals:0MOST_DECIMALS$}").trim_end_matches('0')
            ),
        }
    }
}

/// A whole number with thousands separators, as reports show it: `10,000`.
#[must_use]
pub fn integer(value: i128) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(value.unsigned_abs(), ','))
}

/// A mean with at least `decimals` decimals, and more where it needs more to be
/// exact: `2.00`, `0.0001`. A mean that needs more than six decimals is rounded
/// and marked, `~0.333333`. A mean above zero never prints as zero: `<0.000001`.
#[must_use]
pub fn mean(value: Ratio, decimals: usize) -> String {
    const MOST: usize = 6;
    let (whole, scaled, rest) = value.expanded(MOST);
    if rest > 0 {
        let text = rounded(value, MOST);
        let is_hidden = text.starts_with(['<', '>']);
        return if is_hidden { text } else { format!("~{text}") };
    }
    let sign = if value.numerator < 0 { "-" } else { "" };
    let mut fraction = format!("{scaled:0MOST$}");
    while fraction.len() > decimals && fraction.ends_with('0') {
        fraction.pop();
    }
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", grouped(whole, ','))
}

/// A number rounded to so many decimals, at most 19, halves away from 0, with thousands
/// separators. One that rounds to 0 without being 0 is written as `<0.01` or `>-0.01`.
#[must_use]
pub fn rounded(value: Ratio, decimals: usize) -> String {
    let (mut whole, mut scaled, rest) = value.expanded(decimals);
    scaled += u128::from(rest * 2 >= u128::from(value.denominator));
    let one = power_of_ten(decimals);
    (whole, scaled) = (whole + scaled / one, scaled % one);
    let is_hidden = whole == 0 && scaled == 0 && value.numerator != 0;
    let mark = match (is_hidden, value.numerator < 0) {
        (true, true) => ">-",
        (true, false) => "<",
        (false, true) => "-",
        (false, false) => "",
    };
    match (is_hidden, decimals) {
        (true, 0) => whole = 1,
        (true, _) => scaled = 1,
        (false, _) => {}
    }
    let mut text = format!("{mark}{}", grouped(whole, ','));
    if decimals > 0 {
        text += &format!(".{scaled:0decimals$}");
    }
    text
}

/// Digits with a separator between thousands.
fn grouped(value: u128, separator: char) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position) % 3 == 0 {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i128, denominator: u64) -> Ratio {
        Ratio::new(numerator, denominator).unwrap()
    }

    fn number(text: &str) -> Ratio {
        text.parse().expect("this is a number")
    }

    /// The table of the order: each is less than the next. Floats see no difference between some.
    #[test]
    fn order_is_exact_where_floats_are_not() {
        let ascending = [
            ratio(-i128::MAX, 1),
            number("-18446744073709551615"),
            number("-2.5"),
            number("-2.4999999999999999999"),
            Ratio::whole(-2),
            ratio(-1, 2),
            ratio(-1, 3),
            Ratio::ZERO,
            ratio(1, u64::MAX),
            ratio(1, u64::MAX - 1),
            number("0.0000000000000000001"),
            number("0.1"),
            number("0.1000000000000000001"),
            ratio(333_333_333_333_333_333, 1_000_000_000_000_000_000),
            ratio(1, 3),
            ratio(333_333_333_333_333_334, 1_000_000_000_000_000_000),
            number("2.5"),
            Ratio::whole(9_007_199_254_740_992),
            Ratio::whole(9_007_199_254_740_993),
            ratio(i128::MAX - 1, u64::MAX),
            ratio(i128::MAX, u64::MAX),
            Ratio::whole(i128::MAX),
        ];
        for (i, low) in ascending.iter().enumerate() {
            for (j, high) in ascending.iter().enumerate() {
                assert_eq!(low.cmp(high), i.cmp(&j), "{low} {high}");
            }
        }
        assert_eq!(number("2.50"), ratio(20_000, 8_000));
        assert_eq!(ratio(-6, 4), ratio(-3, 2));
        assert_eq!(ratio(0, 7), Ratio::ZERO);
        assert_eq!(Ratio::new(1, 0), None);
    }

    #[test]
    fn numbers_are_computed_exactly_or_not_at_all() {
        let (third, half) = (ratio(1, 3), ratio(1, 2));
        assert_eq!(third.checked_add(half), Some(ratio(5, 6)));
        assert_eq!(third.checked_sub(half), Some(ratio(-1, 6)));
        assert_eq!(third.checked_mul(ratio(-6, 5)), Some(ratio(-2, 5)));
        assert_eq!(third.checked_div(ratio(-2, 5)), Some(ratio(-5, 6)));
        assert_eq!(ratio(-5, 6).checked_abs(), Some(ratio(5, 6)));
        assert_eq!(half.checked_add(half), Some(Ratio::from(1)));
        assert_eq!((ratio(4, 2).as_whole(), half.as_whole()), (Some(2), None));
        assert_eq!(third.checked_div(Ratio::ZERO), None);
        let (large, small) = (Ratio::whole(i128::MAX), ratio(1, u64::MAX));
        assert_eq!(large.checked_add(Ratio::from(1)), None);
        assert_eq!(Ratio::whole(i128::MIN).checked_abs(), None);
        assert_eq!(large.checked_mul(Ratio::from(2)), None);
        assert_eq!(small.checked_mul(half), None);
        assert_eq!(small.checked_add(half), None);
        assert_eq!(small.checked_div(large), None);
        assert_eq!(small.checked_mul(u64::MAX.into()), Some(1.into()));
    }

    #[test]
    fn whole_numbers_around_a_number() {
        for (text, floor, ceil) in [("2.5", 2, 3), ("-2.5", -3, -2), ("-2", -2, -2)] {
            assert_eq!((number(text).floor(), number(text).ceil()), (floor, ceil));
        }
    }

    #[test]
    fn a_shown_number_can_be_read_again() {
        for (text, value, shown) in [
            ("0", ratio(0, 1), "0"),
            ("-0", ratio(0, 1), "0"),
            ("007", ratio(7, 1), "7"),
            ("1_0.0_5", ratio(1005, 100), "10.05"),
            ("1234567.50", ratio(2_469_135, 2), "1_234_567.5"),
            ("-0.05", ratio(-1, 20), "-0.05"),
            ("-1000", ratio(-1_000, 1), "-1_000"),
            (
                "0.0000000000000000001",
                ratio(1, 10_u64.pow(19)),
                "0.0000000000000000001",
            ),
        ] {
            assert_eq!((number(text), number(shown)), (value, value), "{text}");
            assert_eq!(value.to_string(), shown);
        }
        assert_eq!(ratio(-1, 3).to_string(), "-1/3");
    }

    #[test]
    fn other_texts_differ_from_numbers_that_are_too_long() {
        for text in [
            "", "-", ".", "5.", ".5", "1__0", "_1", "1_", "5 6", "5 KiB", "ä", "1e3", "+1", "1/3",
        ] {
            assert_eq!(text.parse::<Ratio>(), Err(NumberError::Unlike), "{text}");
        }
        for text in [
            "18446744073709551616",
            "99999999999999999999999999999999999999999",
            "18446744073709551615.0000000000000000001",
            "0.00000000000000000001",
        ] {
            assert_eq!(text.parse::<Ratio>(), Err(NumberError::TooLong), "{text}");
        }
    }

    #[test]
    fn a_mean_is_exact_or_marked_as_rounded() {
        for ((numerator, denominator), decimals, text) in [
            ((20_000, 10_000), 2, "2.00"),
            ((-12_345_678, 10), 0, "-1,234,567.8"),
            ((1, 10_000), 2, "0.0001"),
            ((1, 3), 2, "~0.333333"),
            ((-2, 3), 2, "~-0.666667"),
            ((29_999_999, 10_000_001), 0, "~3.000000"),
            ((1, 10_000_000), 2, "<0.000001"),
            ((-1, 10_000_000), 2, ">-0.000001"),
        ] {
            let value = ratio(numerator, denominator);
            assert_eq!(mean(value, decimals), text, "{numerator}/{denominator}");
        }
        assert_eq!(integer(-1_234_567), "-1,234,567");
        assert_eq!(integer(999), "999");
    }

    #[test]
    fn decimals_are_rounded_and_only_zero_is_shown_as_zero() {
        for ((numerator, denominator), decimals, text) in [
            ((0, 1), 2, "0.00"),
            ((1, 3), 2, "0.33"),
            ((1, 200), 2, "0.01"),
            ((1, 201), 2, "<0.01"),
            ((2_999_999, 1_000_000), 2, "3.00"),
            ((-1_234_567, 10), 1, "-123,456.7"),
            ((1, 3), 0, "<1"),
        ] {
            assert_eq!(rounded(ratio(numerator, denominator), decimals), text);
        }
    }
}
