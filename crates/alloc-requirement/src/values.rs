//! [`Values`]: which comparisons can't fail, and which can't hold, whatever is
//! measured. It knows of a figure only what values it can have.

use crate::number::Number;
use crate::operator::Operator;

/// The values that a figure can have, as far as its definition tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    lowest: Option<Number>,
    grain: Grain,
}

/// Whether a figure can lie between two whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// It can't: a count, or a number of bytes.
    Whole,
    /// It can: a mean.
    Fractional,
}

impl Values {
    /// Zero and what is above.
    #[must_use]
    pub const fn from_zero(grain: Grain) -> Self {
        Self {
            lowest: Some(Number::ZERO),
            grain,
        }
    }

    /// Negative ones too.
    #[must_use]
    pub const fn signed(grain: Grain) -> Self {
        Self {
            lowest: None,
            grain,
        }
    }

    /// Whether no figure can break the comparison.
    #[must_use]
    pub fn all_meet(&self, operator: Operator, limit: Number) -> bool {
        self.lowest.is_some_and(|lowest| match operator {
            Operator::GreaterOrEqual => limit <= lowest,
            Operator::Greater => limit < lowest,
            Operator::Less | Operator::LessOrEqual | Operator::Equal => false,
        })
    }

    /// Whether no figure can meet all of the comparisons.
    pub fn none_meets(&self, comparisons: impl IntoIterator<Item = (Operator, Number)>) -> bool {
        let mut left = Range {
            low: self.lowest.map(|lowest| (lowest, true)),
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

/// The range that comparisons leave: its ends, and whether each is part of it.
struct Range {
    low: Option<(Number, bool)>,
    high: Option<(Number, bool)>,
}

impl Range {
    fn narrow(&mut self, operator: Operator, limit: Number) {
        let (above, below) = match operator {
            Operator::Less => (None, Some((limit, false))),
            Operator::LessOrEqual => (None, Some((limit, true))),
            Operator::Equal => (Some((limit, true)), Some((limit, true))),
            Operator::GreaterOrEqual => (Some((limit, true)), None),
            Operator::Greater => (Some((limit, false)), None),
        };
        if let Some(above) = above
            && self
                .low
                .is_none_or(|low| above.0 > low.0 || (above.0 == low.0 && !above.1))
        {
            self.low = Some(above);
        }
        if let Some(below) = below
            && self
                .high
                .is_none_or(|high| below.0 < high.0 || (below.0 == high.0 && !below.1))
        {
            self.high = Some(below);
        }
    }

    /// Moves the ends inwards to the nearest whole numbers, which are part of it.
    fn keep_whole_numbers(&mut self) {
        self.low = self.low.map(|(low, included)| match low.as_whole() {
            Some(whole) if included => (Number::whole(whole), true),
            Some(_) | None => (Number::whole(low.floor() + 1), true),
        });
        self.high = self.high.map(|(high, included)| match high.as_whole() {
            Some(whole) if !included => (Number::whole(whole - 1), true),
            Some(_) | None => (Number::whole(high.floor()), true),
        });
    }

    fn is_empty(&self) -> bool {
        let (Some(low), Some(high)) = (self.low, self.high) else {
            return false;
        };
        low.0 > high.0 || (low.0 == high.0 && !(low.1 && high.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparisons;

    fn read(text: &str) -> Vec<(Operator, Number)> {
        comparisons(text)
            .map(|written| {
                let operator = written.operator().expect("an operator");
                (operator, written.amount().expect("a number").value())
            })
            .collect()
    }

    #[test]
    fn a_lower_limit_that_nothing_is_below_cannot_fail() {
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
