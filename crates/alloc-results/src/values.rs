//! [`Values`]: finds comparisons that can't fail or can't hold, from the possible values
//! of a figure.

use crate::operator::Operator;
use crate::ratio::Ratio;

/// The values that a figure can have by its definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    lowest: Option<Ratio>,
    grain: Grain,
}

/// Whether a figure can lie between two whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// It can't, such as a count or a number of bytes.
    Whole,
    /// It can, such as a mean.
    Fractional,
}

impl Values {
    /// Zero and positive values.
    #[must_use]
    pub const fn from_zero(grain: Grain) -> Self {
        Self {
            lowest: Some(Ratio::ZERO),
            grain,
        }
    }

    /// Negative and positive values.
    #[must_use]
    pub const fn signed(grain: Grain) -> Self {
        Self {
            lowest: None,
            grain,
        }
    }

    /// Whether every possible figure meets the comparison.
    #[must_use]
    pub fn all_meet(&self, operator: Operator, limit: Ratio) -> bool {
        self.lowest.is_some_and(|lowest| match operator {
            Operator::GreaterOrEqual => limit <= lowest,
            Operator::Greater => limit < lowest,
            Operator::Less | Operator::LessOrEqual | Operator::Equal => false,
        })
    }

    /// Whether no possible figure meets all comparisons.
    pub fn none_meets(&self, comparisons: impl IntoIterator<Item = (Operator, Ratio)>) -> bool {
        let mut left = Range {
            low: self.lowest.map(|lowest| (lowest, false)),
            high: None,
        };
        for (operator, limit) in comparisons {
            left.narrow(operator, limit);
        }
        match self.grain {
            Grain::Whole => left.keep_whole_numbers(),
            Grain::Fractional => {}
        }
        left.is_empty()
    }
}

/// The range that comparisons leave.
struct Range {
    /// The lower end, and whether it is excluded; `None` without one.
    low: Option<(Ratio, bool)>,
    /// The upper end, and whether it is included; `None` without one.
    high: Option<(Ratio, bool)>,
}

impl Range {
    /// Moves the ends to those of the comparison that are further inside. Of equal numbers,
    /// the excluded one is: `false` is less than `true`.
    fn narrow(&mut self, operator: Operator, limit: Ratio) {
        let (low, high) = match operator {
            Operator::Less => (None, Some((limit, false))),
            Operator::LessOrEqual => (None, Some((limit, true))),
            Operator::Equal => (Some((limit, false)), Some((limit, true))),
            Operator::GreaterOrEqual => (Some((limit, false)), None),
            Operator::Greater => (Some((limit, true)), None),
        };
        self.low = self.low.max(low);
        self.high = self.high.into_iter().chain(high).min();
    }

    /// Moves the ends inwards to the nearest whole numbers, which are included.
    fn keep_whole_numbers(&mut self) {
        self.low = self.low.map(|(low, is_excluded)| {
            let whole = if is_excluded {
                low.floor() + 1
            } else {
                low.ceil()
            };
            (Ratio::whole(whole), false)
        });
        self.high = self.high.map(|(high, is_included)| {
            let whole = if is_included {
                high.floor()
            } else {
                high.ceil() - 1
            };
            (Ratio::whole(whole), true)
        });
    }

    fn is_empty(&self) -> bool {
        let (Some((low, is_excluded)), Some((high, is_included))) = (self.low, self.high) else {
            return false;
        };
        low > high || (low == high && (is_excluded || !is_included))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::written::comparisons;

    fn read(text: &str) -> Vec<(Operator, Ratio)> {
        comparisons(text)
            .map(|written| {
                let operator = written.operator().expect("an operator");
                (operator, written.amount().expect("a number").value())
            })
            .collect()
    }

    #[test]
    fn a_lower_limit_below_all_values_cannot_fail() {
        let counts = Values::from_zero(Grain::Whole);
        let signed = Values::signed(Grain::Whole);
        for (text, cannot_fail) in [
            (">= 0", true),
            ("> -1", true),
            (">= -0.5", true),
            ("> 0", false),
            (">= 1", false),
            ("<= 0", false),
            ("== 0", false),
            ("< 0", false),
        ] {
            let (operator, limit) = read(text)[0];
            assert_eq!(counts.all_meet(operator, limit), cannot_fail, "{text}");
            assert!(!signed.all_meet(operator, limit), "{text}");
        }
    }

    #[test]
    fn a_mean_can_lie_between_whole_numbers_and_a_count_cannot() {
        let none_meets = |values: Values, text| values.none_meets(read(text));
        for (text, mean, count) in [
            ("< 0", true, true),
            ("== -1", true, true),
            ("<= 0", false, false),
            ("< 2, > 3", true, true),
            ("< 2, >= 2", true, true),
            ("<= 2, >= 2", false, false),
            ("== 1, == 2", true, true),
            ("== 2.5", false, true),
            ("> 2, < 3", false, true),
            ("> 2, <= 3", false, false),
            (">= 2.1, < 2.9", false, true),
            ("< 0.5", false, false),
            ("> 0, < 1", false, true),
        ] {
            let values = Values::from_zero(Grain::Fractional);
            assert_eq!(none_meets(values, text), mean, "{text}");
            let values = Values::from_zero(Grain::Whole);
            assert_eq!(none_meets(values, text), count, "{text}");
        }
        let signed = Values::signed(Grain::Whole);
        assert!(!none_meets(signed, "< 0"));
        assert!(none_meets(signed, "> -3, < -2"));
        assert!(!none_meets(signed, ">= -2.5, <= -2"));
    }
}
