//! Rational numbers in JSON.

use alloc_results::{Ratio, integer, mean};
use serde::Serialize;

use crate::figure::Exact;

/// A rational number, exact and as text.
#[derive(Serialize)]
pub(in crate::report) struct Fraction {
    numerator: i128,
    denominator: u64,
    text: String,
}

/// A rational number of any size, with its parts as texts.
#[derive(Serialize)]
pub(in crate::report) struct FractionText {
    numerator: String,
    denominator: String,
    text: String,
}

impl Fraction {
    pub(in crate::report) fn from_ratio(value: Ratio) -> Self {
        Self {
            numerator: value.numerator(),
            denominator: value.denominator(),
            text: value.as_whole().map_or_else(|| mean(value, 2), integer),
        }
    }
}

impl FractionText {
    pub(in crate::report) fn from_exact(value: &Exact, text: String) -> Self {
        let (numerator, denominator) = value.parts();
        Self {
            numerator,
            denominator,
            text,
        }
    }
}
