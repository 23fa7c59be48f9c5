//! [`Piece`]: a part of a text with its place, and [`SyntaxError`]: a mistake in a
//! piece. The error does not say what to write instead, which differs between rules
//! and tests.

use std::error::Error;
use std::fmt;
use std::ops::Range;

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
    /// The mistake.
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
