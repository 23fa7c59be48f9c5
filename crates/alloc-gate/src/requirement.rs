//! [`Requirement`]: comparators joined by commas, all of which must hold, as in
//! a Cargo version requirement.
//!
//! What is shown of one is what can be written: its `Display` is the inverse of
//! reading it.

mod parse;
mod pointless;

use std::fmt;

use alloc_requirement::{Number, Operator};
use alloc_results::Ratio;

pub(crate) use pointless::Pointless;

/// What a figure has to be: all comparisons hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    comparisons: Vec<Comparison>,
}

/// One comparison of a figure with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How the figure relates to the limit.
    pub operator: Operator,
    /// What it is compared with.
    pub limit: Limit,
}

/// What a figure is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A number, exactly.
    Number(Number),
    /// The same figure in the baseline.
    Baseline,
}

impl Requirement {
    /// The single comparisons; at least one.
    #[must_use]
    pub fn comparisons(&self) -> &[Comparison] {
        &self.comparisons
    }

    /// Whether a baseline is needed to judge by it.
    #[must_use]
    pub fn needs_baseline(&self) -> bool {
        self.comparisons
            .iter()
            .any(|comparison| comparison.limit == Limit::Baseline)
    }
}

/// The number as figures are.
pub(crate) const fn ratio(number: Number) -> Ratio {
    Ratio::over(number.numerator(), number.denominator())
}

/// As rules are written, `< 5, >= 1_000`, so that it can be copied into one.
impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, comparison) in self.comparisons.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            comparison.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operator, self.limit)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Baseline => f.write_str("baseline"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Requirement {
        Requirement::parse(text).expect("the requirement can be read")
    }

    #[test]
    fn requirements_read_like_version_requirements() {
        for (text, shown) in [
            ("< 5", "< 5"),
            ("<=10_000", "<= 10_000"),
            ("< 1234567.50", "< 1_234_567.5"),
            ("== 0.0000001", "== 0.0000001"),
            (" == 2.50 ", "== 2.5"),
            (">= 1, < 3", ">= 1, < 3"),
            ("> -4", "> -4"),
            ("<= baseline", "<= baseline"),
        ] {
            assert_eq!(parse(text).to_string(), shown);
        }
    }

    #[test]
    fn a_number_is_shown_as_it_can_be_written() {
        for text in [
            "== 18446744073709551615",
            "== -0.05",
            "== 1000",
            "== 0.1234567890123456789",
        ] {
            let once = parse(text);
            assert_eq!(parse(&once.to_string()), once, "{text}");
        }
    }
}
