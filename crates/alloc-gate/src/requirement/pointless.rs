//! Whether a [`Requirement`] can fail at all, and whether it can hold.

use alloc_requirement::{Grain, Number, Values};
use alloc_results::Metric;

use super::{Limit, Requirement};
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
        let grain = if statistic.is_fractional() {
            Grain::Fractional
        } else {
            Grain::Whole
        };
        let values = if metric.is_signed() {
            Values::signed(grain)
        } else {
            Values::from_zero(grain)
        };
        let number = |limit| match limit {
            Limit::Number(number) => Some(number),
            Limit::Baseline => None,
        };
        let cannot_fail = self.comparisons.iter().position(|comparison| {
            number(comparison.limit)
                .is_some_and(|limit| values.all_meet(comparison.operator, limit))
        });
        if let Some(index) = cannot_fail {
            return Some(Pointless::CannotFail(index));
        }
        let with_numbers = self
            .comparisons
            .iter()
            .filter_map(|comparison| Some((comparison.operator, number(comparison.limit)?)));
        // What the baseline is does not matter for whether a figure can be both
        // above and below it.
        let with_baseline = self
            .comparisons
            .iter()
            .filter(|comparison| comparison.limit == Limit::Baseline)
            .map(|comparison| (comparison.operator, Number::ZERO));
        let cannot_hold = values.none_meets(with_numbers)
            || Values::signed(Grain::Fractional).none_meets(with_baseline);
        cannot_hold.then_some(Pointless::CannotHold)
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
