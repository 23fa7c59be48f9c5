//! The grammar of limits: [`comparisons`] reads the comparisons that are [`Written`] in a text, such
//! as `allocs <= 4 KiB`, by their [`Piece`]s, [`Operator`] and [`Amount`]. A [`SyntaxError`] does not
//! say what to write instead, which differs between rules and tests.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use crate::named::named;
use crate::ratio::{NumberError, Ratio};

/// The comparisons of a text, in order. There is at least one, which is empty for an
/// empty text. A comma between `[` and `]` is part of a name.
pub fn comparisons(text: &str) -> impl Iterator<Item = Written<'_>> {
    let (mut begin, mut brackets) = (0, 0_usize);
    let parts = text.split(move |c| {
        match c {
            '[' => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        c == ',' && brackets == 0
    });
    parts.map(move |part| {
        let whole = Piece { text: part, begin }.trim();
        begin += part.len() + 1;
        Written::new(whole)
    })
}

/// A comparison as written, `allocs <= 5`. Each piece can be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written<'t> {
    /// The whole comparison.
    pub whole: Piece<'t>,
    /// The text before the operator.
    pub name: Piece<'t>,
    /// The operator, or another run of `<`, `>`, `=`, `!`, `~` and `^`.
    pub symbol: Piece<'t>,
    /// The text after the operator.
    pub limit: Piece<'t>,
}

impl<'t> Written<'t> {
    fn new(whole: Piece<'t>) -> Self {
        const OF_SYMBOLS: &[char] = &['<', '>', '=', '!', '~', '^'];
        let until_symbol = whole.text.find(OF_SYMBOLS);
        let (name, rest) = whole.split_at(until_symbol.unwrap_or(whole.text.len()));
        let until_limit = rest.text.find(|c| !OF_SYMBOLS.contains(&c));
        let (symbol, limit) = rest.split_at(until_limit.unwrap_or(rest.text.len()));
        Self {
            whole,
            name: name.trim(),
            symbol,
            limit: limit.trim(),
        }
    }

    /// The operator.
    ///
    /// # Errors
    ///
    /// When the operator or the limit is missing, or the operator is unknown.
    pub fn operator(&self) -> Result<Operator, SyntaxError> {
        if self.whole.text.is_empty() {
            return Err(self.whole.is(|_| Mistake::NoComparison));
        }
        if self.symbol.text.is_empty() {
            return Err(self.whole.is(Mistake::NoOperator));
        }
        let operator = self.symbol.text.parse();
        let operator = operator.map_err(|()| self.symbol.is(Mistake::UnknownOperator))?;
        if self.limit.text.is_empty() {
            return Err(self.symbol.is(Mistake::NoLimit));
        }
        Ok(operator)
    }

    /// The limit as a number, with or without a unit.
    ///
    /// # Errors
    ///
    /// When the limit is not a number.
    pub fn amount(&self) -> Result<Amount, SyntaxError> {
        self.limit.amount()
    }
}

named! {
    /// An operator that compares a value with its limit.
    pub enum Operator {
        /// `<`
        Less = "<",
        /// `<=`
        LessOrEqual = "<=",
        /// `==`
        Equal = "==",
        /// `>=`
        GreaterOrEqual = ">=",
        /// `>`
        Greater = ">",
    }
}

impl Operator {
    /// Whether the comparison of `value` with `limit` holds.
    #[must_use]
    pub fn holds<T: Ord>(self, value: &T, limit: &T) -> bool {
        match self {
            Self::Less => value < limit,
            Self::LessOrEqual => value <= limit,
            Self::Equal => value == limit,
            Self::GreaterOrEqual => value >= limit,
            Self::Greater => value > limit,
        }
    }
}

/// A number as written, and its value in bytes if it has a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Amount {
    number: Ratio,
    unit: Option<ByteUnit>,
    value: Ratio,
}

named! {
    /// A unit of bytes. Units with an `i` are powers of 1,024, the others of 1,000.
    pub enum ByteUnit {
        /// `B`: 1
        Byte = "B",
        /// `KiB`: 1,024
        Kibibyte = "KiB",
        /// `MiB`: 1,048,576
        Mebibyte = "MiB",
        /// `GiB`: 1,073,741,824
        Gibibyte = "GiB",
        /// `kB`: 1,000
        Kilobyte = "kB",
        /// `MB`: 1,000,000
        Megabyte = "MB",
        /// `GB`: 1,000,000,000
        Gigabyte = "GB",
    }
}

impl Amount {
    /// `number` in `unit`; `None` when the value is too long to be compared exactly.
    #[must_use]
    pub fn new(number: Ratio, unit: Option<ByteUnit>) -> Option<Self> {
        let value = match unit {
            Some(unit) => number.checked_mul(unit.bytes().into())?,
            None => number,
        };
        u64::try_from(value.floor().unsigned_abs()).ok()?;
        Some(Self {
            number,
            unit,
            value,
        })
    }

    /// The number as written.
    #[must_use]
    pub const fn number(&self) -> Ratio {
        self.number
    }

    /// The unit, if one is written.
    #[must_use]
    pub const fn unit(&self) -> Option<ByteUnit> {
        self.unit
    }

    /// The value, in bytes if there is a unit.
    #[must_use]
    pub const fn value(&self) -> Ratio {
        self.value
    }
}

/// An amount without a unit.
impl From<Ratio> for Amount {
    fn from(number: Ratio) -> Self {
        Self {
            number,
            unit: None,
            value: number,
        }
    }
}

/// In a form that can be read again: `4 KiB`.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)?;
        match self.unit {
            Some(unit) => write!(f, " {unit}"),
            None => Ok(()),
        }
    }
}

impl ByteUnit {
    /// The number of bytes in the unit.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Byte => 1,
            Self::Kibibyte => 1 << 10,
            Self::Mebibyte => 1 << 20,
            Self::Gibibyte => 1 << 30,
            Self::Kilobyte => 1_000,
            Self::Megabyte => 1_000_000,
            Self::Gigabyte => 1_000_000_000,
        }
    }
}

impl Piece<'_> {
    /// Reads the piece as a number, with or without a unit.
    ///
    /// # Errors
    ///
    /// When the piece is not a number, with the place of the mistake.
    pub fn amount(self) -> Result<Amount, SyntaxError> {
        let until_unit = self.text.find(|c: char| c.is_alphabetic());
        let (number, unit) = self.split_at(until_unit.unwrap_or(self.text.len()));
        let (number, unit) = (number.trim(), unit.trim());
        let number: Ratio = number.text.parse().map_err(|error| match error {
            NumberError::Unlike => self.is(Mistake::NotANumber),
            NumberError::TooLong => self.is(Mistake::TooLong),
        })?;
        if unit.text.is_empty() {
            return Ok(number.into());
        }
        let unit = unit
            .text
            .parse()
            .map_err(|()| unit.is(Mistake::UnknownUnit))?;
        Amount::new(number, Some(unit)).ok_or_else(|| self.is(Mistake::TooLong))
    }
}

/// A part of a text, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'t> {
    /// The part.
    pub text: &'t str,
    /// The byte at which it begins.
    pub begin: usize,
}

/// Why a comparison can't be read, with the bytes of the mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The bytes; empty where something is missing.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub mistake: Mistake,
}

/// A mistake in a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// The comparison is missing.
    NoComparison,
    /// This text has no operator.
    NoOperator(String),
    /// This text is not an operator.
    UnknownOperator(String),
    /// The limit after this operator is missing.
    NoLimit(String),
    /// This text is not a number.
    NotANumber(String),
    /// This number is too long to be compared exactly.
    TooLong(String),
    /// This text is not a unit of bytes.
    UnknownUnit(String),
}

impl<'t> Piece<'t> {
    /// The bytes of the piece.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.begin..self.begin + self.text.len()
    }

    /// An error with such a mistake in this piece.
    pub fn is(&self, mistake: impl FnOnce(String) -> Mistake) -> SyntaxError {
        SyntaxError {
            span: self.span(),
            mistake: mistake(self.text.to_owned()),
        }
    }

    /// The piece without white space at both ends.
    #[must_use]
    pub fn trim(self) -> Self {
        let without_leading = self.text.trim_start();
        Self {
            text: without_leading.trim_end(),
            begin: self.begin + self.text.len() - without_leading.len(),
        }
    }

    /// The two parts before and after the byte `middle` of its text, which has to lie
    /// between two characters.
    #[must_use]
    pub fn split_at(self, middle: usize) -> (Self, Self) {
        let (left, right) = self.text.split_at(middle);
        let piece = |text, begin| Self { text, begin };
        (piece(left, self.begin), piece(right, self.begin + middle))
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoComparison => f.write_str("a comparison is missing"),
            Self::NoOperator(text) => write!(f, "`{text}` has no comparison operator"),
            Self::UnknownOperator(text) => write!(f, "unknown operator `{text}`"),
            Self::NoLimit(text) => write!(f, "a limit is missing after `{text}`"),
            Self::NotANumber(text) => write!(f, "`{text}` is not a number"),
            Self::TooLong(text) => write!(f, "`{text}` is too large, or has too many decimals"),
            Self::UnknownUnit(text) => write!(f, "unknown unit `{text}`"),
        }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.mistake.fmt(f)
    }
}

impl Error for SyntaxError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(&str, Operator, Amount)>, SyntaxError> {
        comparisons(text)
            .map(|written| Ok((written.name.text, written.operator()?, written.amount()?)))
            .collect()
    }

    #[test]
    fn comparisons_are_read_with_and_without_names() {
        let two = Amount::from(Ratio::from(2));
        for text in [
            "allocs <= 2,== 2",
            " allocs<=2 , ==2 ",
            "allocs\t<= 2,\n== 2",
        ] {
            assert_eq!(
                read(text).expect("these are comparisons"),
                [
                    ("allocs", Operator::LessOrEqual, two),
                    ("", Operator::Equal, two)
                ]
            );
        }
    }

    #[test]
    fn a_comma_in_brackets_is_part_of_a_name() {
        let limits = |text| -> Vec<&str> { comparisons(text).map(|w| w.limit.text).collect() };
        assert_eq!(limits("< 2 * [a,b], > 1"), ["2 * [a,b]", "1"]);
        assert_eq!(limits("< [[a,b],c],>= 1"), ["[[a,b],c]", "1"]);
        assert_eq!(limits("< [a, > 1"), ["[a, > 1"]);
        assert_eq!(limits("< a], > 1"), ["a]", "1"]);
    }

    #[test]
    fn mistakes_point_at_the_text() {
        for (marked, message) in [
            ("«»", "a comparison is missing"),
            ("< 5, «»", "a comparison is missing"),
            ("«5»", "`5` has no comparison operator"),
            ("«=<» 5", "unknown operator `=<`"),
            ("a «!=» 5", "unknown operator `!=`"),
            ("a «<»", "a limit is missing after `<`"),
            ("< 5, <= «x»", "`x` is not a number"),
            (" ä < 1,\u{a0}b >= «x» ", "`x` is not a number"),
            ("ä < 1, «ä 5»", "`ä 5` has no comparison operator"),
            ("< «ä»", "`ä` is not a number"),
            ("< «4 %»", "`4 %` is not a number"),
            ("< «KiB»", "`KiB` is not a number"),
            ("< «4 5 B»", "`4 5 B` is not a number"),
            ("< 4 «kb»", "unknown unit `kb`"),
            (
                "< «18446744073709551615 KiB»",
                "`18446744073709551615 KiB` is too large, or has too many decimals",
            ),
        ] {
            let text = marked.replace(['«', '»'], "");
            let error = read(&text).expect_err("this is a mistake");
            let (before, rest) = text.split_at(error.span.start);
            let (at, after) = rest.split_at(error.span.len());
            assert_eq!(format!("{before}«{at}»{after}"), marked);
            assert_eq!(error.to_string(), message, "{text}");
        }
    }

    #[test]
    fn operators_compare_as_their_symbols_say() {
        for (operator, holds) in [
            (Operator::Less, [true, false, false]),
            (Operator::LessOrEqual, [true, true, false]),
            (Operator::Equal, [false, true, false]),
            (Operator::GreaterOrEqual, [false, true, true]),
            (Operator::Greater, [false, false, true]),
        ] {
            assert_eq!([1, 2, 3].map(|value| operator.holds(&value, &2)), holds);
        }
    }

    #[test]
    fn units_are_powers_of_1024_and_of_1000() {
        for (text, value, shown) in [
            ("5", "5", "5"),
            ("64 B", "64", "64 B"),
            ("4 KiB", "4096", "4 KiB"),
            ("4KiB", "4096", "4 KiB"),
            ("1.5 MiB", "1572864", "1.5 MiB"),
            ("2 GiB", "2147483648", "2 GiB"),
            ("0.5 kB", "500", "0.5 kB"),
            ("1_000 MB", "1000000000", "1_000 MB"),
            ("3 GB", "3000000000", "3 GB"),
            ("-1 kB", "-1000", "-1 kB"),
            ("0.0001 kB", "0.1", "0.0001 kB"),
        ] {
            let amount = Piece { text, begin: 0 }.amount();
            let amount = amount.expect("it can be read");
            assert_eq!(amount.value(), value.parse().unwrap(), "{text}");
            assert_eq!(amount.to_string(), shown);
        }
    }
}
