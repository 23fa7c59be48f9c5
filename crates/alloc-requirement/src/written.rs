//! From a text to the comparisons that are [`Written`] in it, each with its
//! place. What names and limits mean is not known here, and a mistake is
//! reported without saying what to do: that differs between rules and tests.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use crate::amount::Amount;
use crate::operator::Operator;

/// The comparisons that a text consists of, in order; at least one, which is
/// empty where nothing stands. A comma between `[` and `]` separates none: it is
/// part of a name.
pub fn comparisons(text: &str) -> impl Iterator<Item = Written<'_>> {
    let mut begin = 0;
    let mut depth = 0_usize;
    let parts = text.split(move |c| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(move |part| {
        let whole = Piece { text: part, begin }.trim();
        begin += part.len() + 1;
        Written::new(whole)
    })
}

/// A comparison as it is written, `allocs <= 5`. Each piece can be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written<'t> {
    /// All of it.
    pub whole: Piece<'t>,
    /// What stands before the operator.
    pub name: Piece<'t>,
    /// Where an operator is expected; any run of `<`, `>`, `=`, `!`, `~` and
    /// `^`.
    pub symbol: Piece<'t>,
    /// What stands behind the operator.
    pub limit: Piece<'t>,
}

/// A part of a text, and where in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'t> {
    /// What stands there.
    pub text: &'t str,
    /// The byte at which it begins.
    pub begin: usize,
}

/// Why a comparison can't be read, and which bytes of the text are at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The bytes; none where something is missing.
    pub span: Range<usize>,
    /// What is wrong.
    pub mistake: Mistake,
}

/// What is wrong with a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// There is none.
    NoComparison,
    /// This has no operator.
    NoOperator(String),
    /// This is not one of the operators.
    UnknownOperator(String),
    /// Nothing stands behind this operator.
    NoLimit(String),
    /// This is not a number.
    NotANumber(String),
    /// This number is past what can be compared exactly.
    TooLong(String),
    /// This is not a unit of bytes.
    UnknownUnit(String),
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

    /// How it compares.
    ///
    /// # Errors
    ///
    /// When it does not say so, or nothing stands behind it.
    pub fn operator(&self) -> Result<Operator, SyntaxError> {
        if self.whole.text.is_empty() {
            return Err(self.whole.is(|_| Mistake::NoComparison));
        }
        if self.symbol.text.is_empty() {
            return Err(self.whole.is(Mistake::NoOperator));
        }
        let operator = Operator::ALL
            .into_iter()
            .find(|operator| operator.symbol() == self.symbol.text)
            .ok_or_else(|| self.symbol.is(Mistake::UnknownOperator))?;
        if self.limit.text.is_empty() {
            return Err(self.symbol.is(Mistake::NoLimit));
        }
        Ok(operator)
    }

    /// What it compares with, if that is a number, with or without a unit.
    ///
    /// # Errors
    ///
    /// When it is not.
    pub fn amount(&self) -> Result<Amount, SyntaxError> {
        self.limit.amount()
    }
}

impl<'t> Piece<'t> {
    /// The bytes that it takes.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.begin..self.begin + self.text.len()
    }

    /// The error that this piece is such a mistake.
    pub fn is(&self, mistake: impl FnOnce(String) -> Mistake) -> SyntaxError {
        SyntaxError {
            span: self.span(),
            mistake: mistake(self.text.to_owned()),
        }
    }

    /// Without the white space at both ends.
    #[must_use]
    pub fn trim(self) -> Self {
        let without_leading = self.text.trim_start();
        Self {
            text: without_leading.trim_end(),
            begin: self.begin + self.text.len() - without_leading.len(),
        }
    }

    /// The two parts before and behind the byte `middle` of its text, which has to
    /// lie between two characters.
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
            Self::NoOperator(text) => write!(f, "`{text}` does not say how to compare"),
            Self::UnknownOperator(text) => write!(f, "unknown operator `{text}`"),
            Self::NoLimit(text) => write!(f, "nothing stands after `{text}`"),
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
    use crate::Number;

    fn read(text: &str) -> Result<Vec<(&str, Operator, Amount)>, SyntaxError> {
        comparisons(text)
            .map(|written| Ok((written.name.text, written.operator()?, written.amount()?)))
            .collect()
    }

    #[test]
    fn comparisons_are_read_with_and_without_names() {
        let two = Amount::from(Number::from(2));
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
    fn every_piece_stands_where_it_says() {
        let text = " ä < 1,\u{a0}net-bytes >= -2.5 ";
        let written: Vec<_> = comparisons(text).collect();
        for piece in written
            .iter()
            .flat_map(|written| [written.whole, written.name, written.symbol, written.limit])
        {
            assert_eq!(&text[piece.span()], piece.text);
        }
        assert_eq!(written[1].whole.text, "net-bytes >= -2.5");
        assert_eq!(written[1].limit.text, "-2.5");
    }

    #[test]
    fn mistakes_point_at_the_text() {
        for (text, at, message) in [
            ("", "", "a comparison is missing"),
            ("< 5, ", "", "a comparison is missing"),
            ("5", "5", "`5` does not say how to compare"),
            ("a 5", "a 5", "`a 5` does not say how to compare"),
            ("=< 5", "=<", "unknown operator `=<`"),
            ("= 5", "=", "unknown operator `=`"),
            ("a != 5", "!=", "unknown operator `!=`"),
            ("a <", "<", "nothing stands after `<`"),
            ("< 5, <= x", "x", "`x` is not a number"),
            ("< = 5", "= 5", "`= 5` is not a number"),
            ("< ä", "ä", "`ä` is not a number"),
            (
                "< 18446744073709551616",
                "18446744073709551616",
                "`18446744073709551616` is too large, or has too many decimals",
            ),
        ] {
            let error = read(text).expect_err("this is a mistake");
            assert_eq!(
                (&text[error.span.clone()], &*error.to_string()),
                (at, message)
            );
        }
    }
}
