//! [`Pointless`]: a [`Requirement`] that can never fail or never hold.

use alloc_requirement::{Grain, Number, Operator, Values};

use crate::figure::{Measure, Statistic};
use crate::requirement::margin::{Margin, MarginSize, Side};
use crate::requirement::{Comparison, Limit, Requirement};

/// Why a requirement is pointless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointless {
    /// Every figure meets the comparison with this index.
    CannotFail(usize),
    /// No figure meets all comparisons.
    CannotHold,
}

impl Requirement {
    /// Why the requirement has the same outcome for every figure, if so.
    pub(crate) fn pointless(&self, measure: &Measure, statistic: Statistic) -> Option<Pointless> {
        let grain = if statistic.is_fractional() || measure.is_fractional() {
            Grain::Fractional
        } else {
            Grain::Whole
        };
        let is_signed = measure.is_signed() || statistic.is_of_series();
        let values = if is_signed {
            Values::signed(grain)
        } else {
            Values::from_zero(grain)
        };
        let cannot_fail = self
            .comparisons
            .iter()
            .position(|comparison| match &comparison.limit {
                Limit::Figure(share) => {
                    share.is_always_met(comparison.operator, measure, statistic)
                }
                Limit::Number(_) | Limit::Baseline(_) | Limit::Scenario(_) | Limit::Growth(_) => {
                    cannot_fail(comparison, values, is_signed)
                }
            });
        if let Some(index) = cannot_fail {
            return Some(Pointless::CannotFail(index));
        }
        let numbers = self.comparisons.iter().filter_map(number_limit);
        let offsets = self.comparisons.iter().flat_map(baseline_offsets);
        let cannot_hold =
            values.none_meets(numbers) || Values::signed(Grain::Fractional).none_meets(offsets);
        cannot_hold.then_some(Pointless::CannotHold)
    }
}

fn cannot_fail(comparison: &Comparison, values: Values, is_signed: bool) -> bool {
    if let Limit::Number(amount) = comparison.limit {
        return values.all_meet(comparison.operator, amount.value());
    }
    match comparison.limit.margin() {
        // Without a sign, no figure is below a limit of 0 or less.
        Some(Margin {
            side: Side::Below,
            size,
        }) if !is_signed => {
            let percent = size.percent().unwrap_or(Number::ZERO);
            let all = Number::from(100);
            match comparison.operator {
                Operator::GreaterOrEqual => percent >= all,
                Operator::Greater => percent > all,
                Operator::Less | Operator::LessOrEqual | Operator::Equal => false,
            }
        }
        Some(_) | None => false,
    }
}

fn number_limit(comparison: &Comparison) -> Option<(Operator, Number)> {
    match comparison.limit {
        Limit::Number(amount) => Some((comparison.operator, amount.value())),
        Limit::Baseline(_) | Limit::Scenario(_) | Limit::Figure(_) | Limit::Growth(_) => None,
    }
}

/// A comparison with the baseline as limits on the distance from it: contradictions between
/// such limits do not depend on the baseline's figure. Percentages do, and are left out.
fn baseline_offsets(comparison: &Comparison) -> Vec<(Operator, Number)> {
    let Limit::Baseline(margin) = comparison.limit else {
        return Vec::new();
    };
    let (side, amount) = match margin.map(|margin| (margin.side, margin.size)) {
        None => (Side::Above, Number::ZERO),
        Some((side, MarginSize::Amount(amount))) => (side, amount.value()),
        Some((_, MarginSize::Percent(_) | MarginSize::Larger { .. })) => return Vec::new(),
    };
    match side {
        Side::Above => vec![(comparison.operator, amount)],
        Side::Below => vec![(comparison.operator, -amount)],
        Side::Around => vec![
            (Operator::LessOrEqual, amount),
            (Operator::GreaterOrEqual, -amount),
        ],
    }
}

#[cfg(test)]
mod tests {
    use alloc_results::Metric;

    use super::*;

    fn parse(text: &str) -> Requirement {
        Requirement::parse(text).expect("the requirement can be read")
    }

    #[test]
    fn pointless_requirements_are_found() {
        let check = |text, metric| parse(text).pointless(&Measure::from(metric), Statistic::Mean);
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
            ("<= baseline + 2, >= baseline + 2", None),
            (
                "<= baseline + 2, > baseline + 2",
                Some(Pointless::CannotHold),
            ),
            (
                "== baseline ± 2, < baseline - 2",
                Some(Pointless::CannotHold),
            ),
            (">= baseline - 99.9%", None),
            (">= baseline - 100%", Some(Pointless::CannotFail(0))),
            ("> baseline - 100%", None),
            ("> baseline - 101%", Some(Pointless::CannotFail(0))),
            (">= baseline - max(100%, 5)", Some(Pointless::CannotFail(0))),
            (">= baseline - max(1%, 5)", None),
            ("<= baseline + max(1%, 2), > baseline + 2", None),
            (">= 2 * [a], <= 1 * [a]", None),
            (">= [a] - 99%", None),
            (">= 2 * [a] - 100%", Some(Pointless::CannotFail(0))),
        ] {
            assert_eq!(check(text, Metric::Allocs), pointless, "{text}");
        }
        assert_eq!(check(">= 0", Metric::NetBytes), None);
        assert_eq!(check("< 0", Metric::NetBytes), None);
        assert_eq!(check(">= baseline - 200%", Metric::NetBytes), None);
    }

    // The tests of `Values` have more requirements on whole numbers.
    #[test]
    fn limits_on_single_iterations_are_checked_as_whole_numbers() {
        let check = |text, metric| parse(text).pointless(&Measure::from(metric), Statistic::Max);
        let cannot_hold = Some(Pointless::CannotHold);
        assert_eq!(check("== 2.5", Metric::Allocs), cannot_hold);
        assert_eq!(check("< 0.5", Metric::Allocs), None);
        assert_eq!(check("> -3, < -2", Metric::NetBytes), cannot_hold);
        assert_eq!(check(">= -2.5, <= -2", Metric::NetBytes), None);
    }
}
