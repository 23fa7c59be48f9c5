//! [`FigureShare`]: a limit that is a multiple of another figure of the same scenario, such
//! as `estimate`, `mean` or `2 * bytes max`.

use std::fmt;

use alloc_requirement::{Number, Operator, Piece};
use alloc_results::{Metric, Ratio, Reading};

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::figure::{Exact, Measure, Statistic};
use crate::requirement::error::{bad_requirement, lacks_statistic, unknown_statistic};
use crate::requirement::margin::LimitRange;
use crate::requirement::parse::factor;

/// The metric of a name in the rules.
pub(crate) type MetricOfName<'r> = &'r dyn Fn(&str) -> Option<Measure>;

/// A multiple of another figure of the same scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FigureShare {
    /// The factor, above zero.
    pub factor: Number,
    /// The other metric; `None` for the one that the rule limits.
    pub metric: Option<Measure>,
    /// The other statistic; `None` for the one that the rule limits.
    pub statistic: Option<Statistic>,
}

impl FigureShare {
    /// The other figure, for a rule on `metric` and `statistic`.
    #[must_use]
    pub fn figure<'m>(
        &'m self,
        metric: &'m Measure,
        statistic: Statistic,
    ) -> (&'m Measure, Statistic) {
        (
            self.metric.as_ref().unwrap_or(metric),
            self.statistic.unwrap_or(statistic),
        )
    }

    /// The limit for the other `figure`.
    pub(crate) fn limit(&self, figure: Ratio) -> LimitRange {
        LimitRange::at(&Exact::from(figure) * &self.factor.into())
    }

    /// Parses `[number "*"]` and a metric, a statistic, or both in any order. `None` if the text
    /// begins with neither.
    pub(super) fn parse(
        piece: Piece<'_>,
        metrics: MetricOfName<'_>,
    ) -> Result<Option<Self>, Diagnostic> {
        let star = piece.text.find('*').map_or(0, |star| star + 1);
        let (before, name) = piece.split_at(star);
        let name = name.trim();
        let end = name.text.find(char::is_whitespace);
        let (first, second) = name.split_at(end.unwrap_or(name.text.len()));
        let second = second.trim();
        let mut metric = metrics(first.text);
        let mut statistic = first.text.parse::<Statistic>().ok();
        if metric.is_none() && statistic.is_none() {
            return Ok(None);
        }
        let mut words = second.text.split_whitespace();
        if words.any(|word| word.starts_with(['+', '-', '±'])) {
            return Err(bad_requirement(
                piece,
                format!(
                    "nothing can be added to `{}`, a figure of the same scenario",
                    first.text
                ),
                "write a multiple, such as `1.5 * alloc-calls`, or a number",
            ));
        }
        if metric.is_some() && statistic.is_some() {
            return Err(bad_requirement(
                first,
                format!("`{}` is both a statistic and a metric", first.text),
                "rename the metric in `[metrics]` and in the scenario",
            ));
        }
        if !second.text.is_empty() && metric.is_none() {
            metric = metrics(second.text);
            if metric.is_none() {
                return Err(Diagnostic {
                    code: Code::UnknownMetric,
                    span: second.span(),
                    message: format!("unknown metric `{}`", second.text),
                    hint: Some(suggest(second.text, Measure::known())),
                });
            }
        } else if !second.text.is_empty() {
            let found = second.text.parse().map_err(|()| Diagnostic {
                span: second.span(),
                ..unknown_statistic(second.text)
            });
            statistic = Some(found?);
        }
        Ok(Some(Self {
            factor: factor(before.trim())?,
            metric,
            statistic,
        }))
    }

    /// Checks that a limit on `metric` and `statistic` can be computed from the other figure.
    pub(super) fn check(
        &self,
        piece: Piece<'_>,
        metric: &Measure,
        statistic: Statistic,
    ) -> Result<(), Diagnostic> {
        let (other, of_other) = self.figure(metric, statistic);
        if of_other.is_of_series() {
            return Err(bad_requirement(
                piece,
                format!("`{of_other}` is not a figure of one scenario"),
                "compare with another statistic, such as `mean`",
            ));
        }
        if !other.has(of_other) {
            let mistake = lacks_statistic(other, of_other);
            let hint = mistake.hint.map(|hint| hint + ", behind the metric");
            return Err(Diagnostic {
                span: piece.span(),
                hint,
                ..mistake
            });
        }
        if (other, of_other) == (metric, statistic) {
            return Err(bad_requirement(
                piece,
                format!("`{metric} {statistic}` is compared with itself"),
                "compare with another metric or statistic",
            ));
        }
        if other.unit() != metric.unit() {
            return Err(Diagnostic {
                code: Code::UnitMismatch,
                ..bad_requirement(
                    piece,
                    format!(
                        "`{metric}` is measured in {}, and `{other}` in {}",
                        metric.unit(),
                        other.unit()
                    ),
                    "compare with a metric of the same unit",
                )
            });
        }
        Ok(())
    }

    /// Whether every record meets the comparison, by the definitions of metrics and
    /// statistics: a mean is never above the maximum, and `allocs` never above `alloc-calls`.
    pub(super) fn is_always_met(
        &self,
        operator: Operator,
        metric: &Measure,
        statistic: Statistic,
    ) -> bool {
        let one = Number::from(1);
        let own = (metric, statistic);
        let other = self.figure(metric, statistic);
        match operator {
            Operator::LessOrEqual => is_never_above(own, one, other, self.factor),
            Operator::GreaterOrEqual => is_never_above(other, self.factor, own, one),
            Operator::Less | Operator::Equal | Operator::Greater => false,
        }
    }
}

type Figure<'m> = (&'m Measure, Statistic);

/// Whether `low` times its factor is at most `high` times its factor in every record.
fn is_never_above(
    (low, of_low): Figure<'_>,
    low_factor: Number,
    (high, of_high): Figure<'_>,
    high_factor: Number,
) -> bool {
    if low == high {
        let factors = if low.is_signed() {
            low_factor == high_factor
        } else {
            low_factor <= high_factor
        };
        return factors && is_ordered(of_low, of_high);
    }
    let (Some(low), Some(high)) = (low.counted(), high.counted()) else {
        return false;
    };
    // What holds for each call holds for each statistic of the calls.
    of_low == of_high
        && units().all(|unit| {
            let value = |metric: Metric, factor: Number| match metric.value(&unit) {
                Some(1) => factor,
                Some(-1) => -factor,
                Some(_) | None => Number::ZERO,
            };
            value(low, low_factor) <= value(high, high_factor)
        })
}

/// Whether the statistic `low` of any values is at most `high` of them.
const fn is_ordered(low: Statistic, high: Statistic) -> bool {
    use Statistic::{Max, Mean, Min, P50, P99};
    matches!(
        (low, high),
        (Min, P50 | P99 | Mean | Max) | (P50, P99 | Max) | (P99 | Mean, Max)
    )
}

/// A reading for each field of which metrics are sums, with 1 there and 0 elsewhere.
fn units() -> impl Iterator<Item = Reading> {
    let fields = |metric: Metric| metric.adds().iter().chain(metric.subtracts());
    Metric::ALL
        .into_iter()
        .flat_map(fields)
        .filter_map(|field| {
            let mut reading = Reading {
                peak_bytes: Some(0),
                native: Some(Default::default()),
                ..Reading::default()
            };
            *field.get_mut(&mut reading)? = 1;
            Some(reading)
        })
}

/// In a form that can be read again: `2 * bytes max`.
impl fmt::Display for FigureShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.factor != Number::from(1) {
            write!(f, "{} * ", self.factor)?;
        }
        match (&self.metric, self.statistic) {
            (Some(metric), Some(statistic)) => write!(f, "{metric} {statistic}"),
            (Some(metric), None) => metric.fmt(f),
            (None, Some(statistic)) => statistic.fmt(f),
            (None, None) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc_results::SummedMetric;

    use super::*;
    use crate::requirement::{Pointless, Requirement};

    fn parse(text: &str, metric: &Measure, statistic: Statistic) -> Result<Requirement, String> {
        let metrics = &|name: &str| Measure::from_builtin_name(name);
        Requirement::parse_for(text, metric, statistic, metrics).map_err(|error| error.message)
    }

    #[test]
    fn figures_that_no_limit_can_be_computed_from_are_mistakes() {
        let allocs = Measure::from(Metric::Allocs);
        for (text, message) in [
            ("<= 2 * mean", "`allocs mean` is compared with itself"),
            ("<= allocs", "`allocs mean` is compared with itself"),
            ("<= growth", "`growth` is not a figure of one scenario"),
            (
                "<= foreign-allocs max",
                "`foreign-allocs` has no statistic `max`",
            ),
            ("<= faults", "`faults` has no statistic `mean`"),
            (
                "<= bytes",
                "`allocs` is measured in count, and `bytes` in bytes",
            ),
            ("<= grows mox", "unknown statistic `mox`"),
            (
                "<= mox grows",
                "`mox grows` is neither a number nor `baseline`",
            ),
            ("<= max graws", "unknown metric `graws`"),
            ("<= 0 * grows", "the factor `0` is not above 0"),
            ("<= 2 B * grows", "`2 B` is neither a number nor `baseline`"),
            ("<= alocs", "`alocs` is neither a number nor `baseline`"),
        ] {
            let error = parse(text, &allocs, Statistic::Mean);
            assert_eq!(error, Err(message.to_owned()), "{text}");
        }
        let foreign = Measure::Summed(SummedMetric::ForeignAllocs);
        assert!(parse("<= allocs", &foreign, Statistic::Mean).is_ok());
        assert!(parse("<= 3 * p50", &Measure::Time, Statistic::Max).is_ok());
    }

    #[test]
    fn comparisons_that_hold_by_definition_cannot_fail() {
        for (metric, statistic, text, cannot_fail) in [
            (Metric::Allocs, Statistic::Mean, "<= alloc-calls", true),
            (Metric::Allocs, Statistic::Mean, "<= 2 * alloc-calls", true),
            (
                Metric::Allocs,
                Statistic::Mean,
                "<= 0.5 * alloc-calls",
                false,
            ),
            (Metric::Allocs, Statistic::Mean, "< alloc-calls", false),
            (Metric::Allocs, Statistic::Mean, "<= alloc-calls max", false),
            (Metric::AllocCalls, Statistic::Mean, "<= allocs", false),
            (Metric::AllocCalls, Statistic::First, ">= allocs", true),
            (Metric::NetBytes, Statistic::Max, "<= bytes", true),
            (Metric::NetBytes, Statistic::Max, "<= 2 * bytes", true),
            (Metric::Bytes, Statistic::Max, ">= net-bytes", true),
            (Metric::Bytes, Statistic::Max, "<= net-bytes", false),
            (Metric::Allocs, Statistic::Mean, "<= max", true),
            (Metric::Allocs, Statistic::P99, "<= 2 * max", true),
            (Metric::Allocs, Statistic::Max, "<= 2 * mean", false),
            (Metric::Allocs, Statistic::Max, ">= min", true),
            (Metric::Allocs, Statistic::First, "<= max", false),
            (Metric::NetBytes, Statistic::Mean, "<= max", true),
            // Of -3, twice the maximum is below the mean.
            (Metric::NetBytes, Statistic::Mean, "<= 2 * max", false),
        ] {
            let metric = Measure::from(metric);
            let requirement = parse(text, &metric, statistic).unwrap();
            let expected = cannot_fail.then_some(Pointless::CannotFail(0));
            let found = requirement.pointless(&metric, statistic);
            assert_eq!(found, expected, "{metric} {statistic} {text}");
        }
    }
}
