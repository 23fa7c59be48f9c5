//! [`Operator`]: the operators that compare a figure with its limit.

use crate::named::named;

named! {
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
}
