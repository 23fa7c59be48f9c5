//! [`Operator`]: the operators that compare a figure with its limit.

use crate::number::Number;
use crate::symbols::symbols;

symbols! {
    /// An operator that compares a figure with its limit.
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

    /// Whether 0 meets the comparison with `limit`, and 1 does not: the text means "none".
    #[must_use]
    pub fn requires_zero(self, limit: Number) -> bool {
        self.holds(&Number::ZERO, &limit) && !self.holds(&Number::from(1), &limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_compare_as_their_symbols_say() {
        for (operator, less, equal, greater) in [
            (Operator::Less, true, false, false),
            (Operator::LessOrEqual, true, true, false),
            (Operator::Equal, false, true, false),
            (Operator::GreaterOrEqual, false, true, true),
            (Operator::Greater, false, false, true),
        ] {
            assert_eq!(operator.holds(&1, &2), less);
            assert_eq!(operator.holds(&1, &1), equal);
            assert_eq!(operator.holds(&2, &1), greater);
        }
    }

    #[test]
    fn a_limit_that_one_breaks_and_zero_meets_requires_zero() {
        let number = |text: &str| text.parse::<Number>().expect("a number");
        for (operator, limit, requires_zero) in [
            (Operator::Equal, "0", true),
            (Operator::LessOrEqual, "0", true),
            (Operator::LessOrEqual, "0.5", true),
            (Operator::Less, "1", true),
            (Operator::Less, "1.5", false),
            (Operator::LessOrEqual, "1", false),
            (Operator::Equal, "1", false),
            (Operator::GreaterOrEqual, "0", false),
            (Operator::Greater, "0", false),
        ] {
            assert_eq!(operator.requires_zero(number(limit)), requires_zero);
        }
    }
}
