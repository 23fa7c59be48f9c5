//! Whether a [`Requirement`] can fail at all, and whether it can hold.

use alloc_results::{Metric, Ratio};

use super::{Limit, Operator, Requirement};
use crate::Statistic;

/// Why a requirement is pointless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointless {
    /// No figure can break the comparison of this index.
    CannotFail(usize),
    /// No figure can meet all comparisons.
    CannotHold,
}

impl Requirement {
    /// Whether judging a figure by this can have but one outcome, as far as the
    /// text tells.
    pub(crate) fn pointless(&self, metric: Metric, statistic: Statistic) -> Option<Pointless> {
        let floor = (!metric.is_signed()).then_some(Ratio::whole(0));
        for (index, comparison) in self.comparisons.iter().enumerate() {
            if let (Limit::Number(limit), Some(floor)) = (comparison.limit, floor) {
                let always = match comparison.operator {
                    Operator::GreaterOrEqual => limit <= floor,
                    Operator::Greater => limit < floor,
                    Operator::Less | Operator::LessOrEqual | Operator::Equal => false,
                };
                if always {
                    return Some(Pointless::CannotFail(index));
                }
            }
        }
        let mut numbers = Bounds {
            low: floor.map(|floor| (floor, true)),
            high: None,
        };
        // What the baseline is does not matter for whether a figure can be both
        // above and below it.
        let mut around_baseline = Bounds::default();
        for comparison in &self.comparisons {
            match comparison.limit {
                Limit::Number(limit) => numbers.narrow(comparison.operator, limit),
                Limit::Baseline => around_baseline.narrow(comparison.operator, Ratio::whole(0)),
            }
        }
        if !statistic.is_fractional() {
            numbers.keep_whole_numbers();
        }
        (numbers.is_empty() || around_baseline.is_empty()).then_some(Pointless::CannotHold)
    }
}

/// The range that comparisons leave: its ends, and whether each is part of it.
#[derive(Default)]
struct Bounds {
    low: Option<(Ratio, bool)>,
    high: Option<(Ratio, bool)>,
}

impl Bounds {
    fn narrow(&mut self, operator: Operator, limit: Ratio) {
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
            Some(whole) if included => (Ratio::whole(whole), true),
            Some(_) | None => (Ratio::whole(low.floor() + 1), true),
        });
        self.high = self.high.map(|(high, included)| match high.as_whole() {
            Some(whole) if !included => (Ratio::whole(whole - 1), true),
            Some(_) | None => (Ratio::whole(high.floor()), true),
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

    fn parse(text: &str) -> Requirement {
        Requirement::parse(text).expect("the requirement can be read")
    }

    #[test]
    fn what_cannot_fail_or_cannot_hold_is_found() {
        let check = |text, metric| parse(text).pointless(metric, Statistic::Mean);
        for (text, pointless) in [
            (">= 0", Some(Pointless::CannotFail(0))),
            ("< 5, > -1", Some(Pointless::CannotFail(1))),
            ("> 0", None),
            ("< 0", Some(Pointless::CannotHold)),
            ("<= 0", None),
            ("== 0", None),
            ("== -1", Some(Pointless::CannotHold)),
            ("< 2, > 3", Some(Pointless::CannotHold)),
            ("< 2, >= 2", Some(Pointless::CannotHold)),
            ("<= 2, >= 2", None),
            ("== 1, == 2", Some(Pointless::CannotHold)),
            ("<= baseline, < 0", Some(Pointless::CannotHold)),
            ("<= baseline", None),
            ("<= baseline, >= baseline", None),
            ("< baseline, > baseline", Some(Pointless::CannotHold)),
            ("== baseline, < baseline", Some(Pointless::CannotHold)),
            ("== 2.5", None),
            ("> 2, < 3", None),
        ] {
            assert_eq!(check(text, Metric::Allocs), pointless, "{text}");
        }
        assert_eq!(check(">= 0", Metric::NetBytes), None);
        assert_eq!(check("< 0", Metric::NetBytes), None);
    }

    #[test]
    fn a_single_iteration_has_no_fraction() {
        let check = |text, metric| parse(text).pointless(metric, Statistic::Max);
        let cannot_hold = Some(Pointless::CannotHold);
        for (text, pointless) in [
            ("== 2.5", cannot_hold),
            ("> 2, < 3", cannot_hold),
            ("> 2, <= 3", None),
            (">= 2.1, < 2.9", cannot_hold),
            ("< 0.5", None),
            ("< 1, > 0", cannot_hold),
        ] {
            assert_eq!(check(text, Metric::Allocs), pointless, "{text}");
        }
        assert_eq!(check("> -3, < -2", Metric::NetBytes), cannot_hold);
        assert_eq!(check(">= -2.5, <= -2", Metric::NetBytes), None);
    }
}
