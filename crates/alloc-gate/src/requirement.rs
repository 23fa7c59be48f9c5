//! [`Requirement`]: comparators joined by commas, all of which must hold, as in
//! a Cargo version requirement.
//!
//! What is shown of one is what can be written: its `Display` is the inverse of
//! reading it.

mod parse;
mod pointless;

use std::fmt;

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

/// How a figure relates to its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `==`
    Equal,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
}

/// What a figure is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A number, exactly.
    Number(Ratio),
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

impl Operator {
    /// Whether `value` is to `limit` as the operator says.
    #[must_use]
    pub fn holds(self, value: Ratio, limit: Ratio) -> bool {
        match self {
            Self::Less => value < limit,
            Self::LessOrEqual => value <= limit,
            Self::Equal => value == limit,
            Self::GreaterOrEqual => value >= limit,
            Self::Greater => value > limit,
        }
    }

    /// As it is written.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "==",
            Self::GreaterOrEqual => ">=",
            Self::Greater => ">",
        }
    }
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
        write!(f, "{} {}", self.operator.symbol(), self.limit)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => f.write_str(&written(*number)),
            Self::Baseline => f.write_str("baseline"),
        }
    }
}

/// The number exactly, as rules are written: `10_000`, `-2.5`. Nothing is
/// rounded and no `,` stands in it, which would begin another comparison.
fn written(number: Ratio) -> String {
    // Every number of a rule has at most 19 decimals.
    const MOST_DECIMALS: usize = 19;
    let denominator = u128::from(number.denominator());
    let absolute = number.numerator().unsigned_abs();
    let sign = if number.numerator() < 0 { "-" } else { "" };
    let digits = (absolute / denominator).to_string();
    let mut text = String::from(sign);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    let mut rest = absolute % denominator;
    if rest > 0 {
        text.push('.');
    }
    for _ in 0..MOST_DECIMALS {
        if rest == 0 {
            break;
        }
        rest *= 10;
        text.push_str(&(rest / denominator).to_string());
        rest %= denominator;
    }
    text
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

    #[test]
    fn operators_compare_exactly() {
        let (a, b) = (Ratio::new(1, 3).unwrap(), Ratio::new(2, 3).unwrap());
        for (operator, less, equal, greater) in [
            (Operator::Less, true, false, false),
            (Operator::LessOrEqual, true, true, false),
            (Operator::Equal, false, true, false),
            (Operator::GreaterOrEqual, false, true, true),
            (Operator::Greater, false, false, true),
        ] {
            assert_eq!(operator.holds(a, b), less);
            assert_eq!(operator.holds(a, a), equal);
            assert_eq!(operator.holds(b, a), greater);
        }
    }
}
