//! [`Requirements`]: the requirements in the text of an assertion.

use std::fmt;

use alloc_results::{Grain, Metric, Mistake, Operator, Ratio, SyntaxError, Unit, Values, Written};

use super::figures::Figures;
use super::metric::AssertedMetric;
use super::metric_name;
use super::mistake::TextMistake;

/// The requirements of an assertion. They can fail, and they can hold.
pub(super) struct Requirements<'t> {
    pub(super) text: &'t str,
    pub(super) list: Vec<Requirement>,
}

/// A comparison of a metric with a number. It is shown as it can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Requirement {
    pub(super) statistic: Statistic,
    pub(super) metric: AssertedMetric,
    operator: Operator,
    limit: Ratio,
}

/// What is compared of an operation that is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statistic {
    /// Each repeat.
    Each,
    /// `mean`: the mean over all repeats.
    Mean,
    /// `total`: the sum over all repeats.
    Total,
}

/// How often the operation runs that a text is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runs {
    Once,
    /// There can be requirements on all repeats together.
    Repeated,
}

impl<'t> Requirements<'t> {
    pub(super) fn read(text: &'t str, runs: Runs) -> Result<Self, TextMistake> {
        let mut current = (Statistic::Each, AssertedMetric::Counted(Metric::Allocs));
        let mut list = Vec::new();
        for written in alloc_results::comparisons(text) {
            let requirement = read_one(text, &written, current)?;
            if requirement.statistic != Statistic::Each && runs == Runs::Once {
                return Err(TextMistake::new(
                    text,
                    written.whole.span(),
                    format!("`{requirement}` needs repeats, but this runs once"),
                    String::from("use `Steady`, or `assert_allocs!(..., repeats = 100)`"),
                ));
            }
            current = (requirement.statistic, requirement.metric);
            list.push(requirement);
        }
        let requirements = Self { text, list };
        match requirements.pointless() {
            Some(mistake) => Err(mistake),
            None => Ok(requirements),
        }
    }

    /// Whether all requirements hold for one measurement.
    pub(super) fn hold(&self, figures: &Figures) -> bool {
        self.broken(figures).next().is_none()
    }

    /// The requirements on each repeat that don't hold for one measurement.
    pub(super) fn broken(&self, figures: &Figures) -> impl Iterator<Item = &Requirement> {
        let each = self.list.iter();
        each.filter(|one| one.statistic == Statistic::Each && !one.holds(figures))
    }

    /// A requirement that can't fail, or requirements that can't hold.
    fn pointless(&self) -> Option<TextMistake> {
        for (one, written) in self.list.iter().zip(alloc_results::comparisons(self.text)) {
            if one.values().all_meet(one.operator, one.limit) {
                return Some(TextMistake::new(
                    self.text,
                    written.whole.span(),
                    format!("`{}` is never below 0, so `{one}` can't fail", one.metric),
                    String::from(
                        "an assertion that can't fail tests nothing; write an upper \
                                  limit",
                    ),
                ));
            }
        }
        let can_not_hold = self.list.iter().find(|one| {
            let same = |other: &&Requirement| {
                (other.metric, other.statistic) == (one.metric, one.statistic)
            };
            let of_metric = self.list.iter().filter(same);
            one.values()
                .none_meets(of_metric.map(|other| (other.operator, other.limit)))
        })?;
        Some(TextMistake::new(
            self.text,
            0..self.text.len(),
            format!(
                "no measurement of `{}{}` can meet this",
                can_not_hold.statistic, can_not_hold.metric
            ),
            format!("{}; correct the limits", can_not_hold.possible()),
        ))
    }
}

impl Requirement {
    /// Whether it holds for one measurement. It does not hold if the metric was not
    /// measured.
    pub(super) fn holds(&self, figures: &Figures) -> bool {
        let actual = self.metric.value(figures);
        actual.is_some_and(|actual| self.operator.holds(&Ratio::whole(actual), &self.limit))
    }

    /// Whether the value is above the limit.
    pub(super) fn is_exceeded(&self, figures: &Figures) -> bool {
        let actual = self.metric.value(figures);
        self.is_upper() && actual.is_some_and(|actual| Ratio::whole(actual) >= self.limit)
    }

    /// Whether it holds for this sum over a number of repeats.
    pub(super) fn holds_over(&self, sum: i128, repeats: u64) -> bool {
        let value = match self.statistic {
            Statistic::Mean => Ratio::new(sum, repeats),
            Statistic::Each | Statistic::Total => Some(Ratio::whole(sum)),
        };
        value.is_some_and(|value| self.operator.holds(&value, &self.limit))
    }

    /// Whether the limit is an upper one, or an exact one.
    pub(super) fn is_upper(&self) -> bool {
        match self.operator {
            Operator::Less | Operator::LessOrEqual | Operator::Equal => true,
            Operator::GreaterOrEqual | Operator::Greater => false,
        }
    }

    fn values(&self) -> Values {
        let grain = match self.statistic {
            Statistic::Mean => Grain::Fractional,
            Statistic::Each | Statistic::Total => Grain::Whole,
        };
        if self.metric.definition().is_signed {
            Values::signed(grain)
        } else {
            Values::from_zero(grain)
        }
    }

    /// The possible values, in words.
    fn possible(&self) -> String {
        let number = match self.statistic {
            Statistic::Mean => "a number",
            Statistic::Each | Statistic::Total => "a whole number",
        };
        let (statistic, metric) = (self.statistic, self.metric);
        if metric.definition().is_signed {
            format!("`{statistic}{metric}` is {number}")
        } else {
            format!("`{statistic}{metric}` is {number} and never below 0")
        }
    }
}

/// As written before the metric.
impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Each => "",
            Self::Mean => "mean ",
            Self::Total => "total ",
        })
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            statistic,
            metric,
            operator,
            limit,
        } = self;
        write!(f, "{statistic}{metric} {operator} {limit}")
    }
}

/// Reads one comparison, whose statistic and metric are `current` unless it names them.
fn read_one(
    text: &str,
    written: &Written<'_>,
    current: (Statistic, AssertedMetric),
) -> Result<Requirement, TextMistake> {
    // The operator is read before the name: the mistake in `5` is the missing operator.
    let operator = written.operator().map_err(|error| syntax(text, error))?;
    let (statistic, name) = match statistic(written.name.text) {
        Some((statistic, name)) => (statistic, name),
        None if written.name.text.is_empty() => (current.0, ""),
        None => (Statistic::Each, written.name.text),
    };
    let metric = match name {
        "" => current.1,
        name => name.parse().map_err(|()| {
            TextMistake::new(
                text,
                written.name.span(),
                format!("unknown metric `{name}`"),
                metric_name::suggest(name),
            )
        })?,
    };
    let limit = written.amount().map_err(|error| syntax(text, error))?;
    if let (Some(unit), Unit::Count) = (limit.unit(), metric.definition().unit) {
        return Err(TextMistake::new(
            text,
            written.limit.span(),
            format!("`{metric}` is a count, but `{unit}` is a unit of bytes"),
            format!("remove the unit: `{metric} {operator} {}`", limit.number()),
        ));
    }
    let limit = limit.value();
    Ok(Requirement {
        statistic,
        metric,
        operator,
        limit,
    })
}

/// The statistic in a name, before or after the metric, and the metric.
fn statistic(name: &str) -> Option<(Statistic, &str)> {
    let (first, rest) = name.split_once(char::is_whitespace).unwrap_or((name, ""));
    let (before, last) = name.rsplit_once(char::is_whitespace).unwrap_or(("", name));
    [(first, rest), (last, before)]
        .into_iter()
        .find_map(|(word, metric)| {
            let statistic = match word {
                "mean" => Statistic::Mean,
                "total" => Statistic::Total,
                _ => return None,
            };
            Some((statistic, metric.trim()))
        })
}

/// The mistake for a syntax error, with a hint.
fn syntax(text: &str, error: SyntaxError) -> TextMistake {
    let hint = match &error.mistake {
        Mistake::NoComparison => "write a comparison such as `allocs <= 5`, or remove the comma",
        Mistake::NoOperator(_) => "write a comparison such as `allocs == 0`",
        Mistake::UnknownOperator(_) => "the operators are `==`, `<`, `<=`, `>` and `>=`",
        Mistake::NoLimit(_) => "add a number",
        Mistake::NotANumber(limit) if limit.contains('{') => {
            "pass `format_args!(\"bytes <= {}\", limit)` to fill in a limit"
        }
        Mistake::NotANumber(limit) if is_limit_of_a_rule(limit) => {
            "an assertion compares with numbers only; rules in gates.toml compare with the \
             baseline and with other figures"
        }
        Mistake::NotANumber(_) => {
            "numbers look like `5`, `10_000` or `2.5`, and bytes like `4 KiB` too"
        }
        Mistake::UnknownUnit(_) => "the units are `B`, `KiB`, `MiB`, `GiB`, `kB`, `MB` and `GB`",
        Mistake::TooLong(_) => "the largest number is 18_446_744_073_709_551_615",
    };
    let message = error.mistake.to_string();
    TextMistake::new(text, error.span, message, String::from(hint))
}

/// Whether the text resembles a limit that only rules can have: the baseline, another scenario
/// or another metric.
fn is_limit_of_a_rule(limit: &str) -> bool {
    let mut words = limit.split([' ', '*', '+']);
    limit.contains('[')
        || words.any(|word| word == "baseline" || word.parse::<AssertedMetric>().is_ok())
}

#[cfg(test)]
mod tests {
    use counting_alloc::Tally;

    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let requirements =
            Requirements::read(text, Runs::Repeated).unwrap_or_else(|e| panic!("{e}"));
        requirements.list.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_comparison_has_its_own_metric_or_the_one_before() {
        for (text, requirements) in [
            ("== 0", &["allocs == 0"][..]),
            (">= 1, <= 3", &["allocs >= 1", "allocs <= 3"]),
            ("== 0, bytes <= 64", &["allocs == 0", "bytes <= 64"]),
            ("bytes > 0,<=1_0", &["bytes > 0", "bytes <= 10"]),
            ("net-bytes >= -2.5", &["net-bytes >= -2.5"]),
            ("bytes <= 4 KiB", &["bytes <= 4_096"]),
            (
                "<= 3, mean <= 1.5, total bytes <= 9, > 1, allocs == 1",
                &[
                    "allocs <= 3",
                    "mean allocs <= 1.5",
                    "total bytes <= 9",
                    "total bytes > 1",
                    "allocs == 1",
                ],
            ),
            ("allocs >= 1, <= 3", &["allocs >= 1", "allocs <= 3"]),
            ("mean < 5, < 4", &["mean allocs < 5", "mean allocs < 4"]),
            (
                "allocs mean < 5, bytes  total <= 9, mean <= 1",
                &["mean allocs < 5", "total bytes <= 9", "mean bytes <= 1"],
            ),
        ] {
            assert_eq!(shown(text), requirements, "{text}");
        }
    }

    #[test]
    fn a_requirement_holds_exactly() {
        let mut figures = Figures::default();
        figures.reading.counts.allocs = 2;
        figures.foreign = Some(Tally::ZERO.with_blocks(5, 0));
        for (text, holds) in [
            ("< 2", false),
            ("<= 2", true),
            ("== 2", true),
            ("> 2", false),
            ("< 2.0000000000000000001", true),
            ("== 2, bytes == 1", false),
            ("peak-bytes <= 100", false),
            ("net-blocks == 2", true),
            ("foreign-allocs == 0", false),
            ("foreign-allocs == 5", true),
        ] {
            let requirements = Requirements::read(text, Runs::Once);
            let requirements = requirements.unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(requirements.hold(&figures), holds, "{text}");
        }
    }

    #[test]
    fn a_mean_is_compared_exactly() {
        for (text, sum, holds) in [
            ("mean allocs <= 1.5", 150, true),
            ("mean allocs <= 1.5", 151, false),
            ("mean allocs == 0.33", 33, true),
            ("mean allocs < 0.3300000000000000001", 33, true),
            ("mean net-bytes >= -0.5", -50, true),
            ("mean net-bytes >= -0.5", -51, false),
            ("total allocs <= 150", 150, true),
            ("total allocs < 150", 150, false),
            ("mean bytes <= 18_000_000_000_000_000_000", 150, true),
            ("mean bytes > 18_000_000_000_000_000_000", 150, false),
            ("mean bytes == 18_000_000_000_000_000_000", 150, false),
        ] {
            let requirements = Requirements::read(text, Runs::Repeated);
            let requirements = requirements.unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(requirements.list[0].holds_over(sum, 100), holds, "{text}");
        }
    }

    #[test]
    fn every_mistake_points_at_its_place() {
        for (marked, message) in [
            ("allocs == 0,«»", "a comparison is missing"),
            (
                "allocs < «5 KiB»",
                "`allocs` is a count, but `KiB` is a unit of bytes",
            ),
            ("allocs == 0, «alocs» == 1", "unknown metric `alocs`"),
            ("«allocs max» == 1", "unknown metric `allocs max`"),
            (
                "bytes == 1, «allocs > -1»",
                "`allocs` is never below 0, so `allocs > -1` can't fail",
            ),
            (
                "«bytes == 1, allocs < 2, > 3»",
                "no measurement of `allocs` can meet this",
            ),
            (
                "«allocs == 2.5»",
                "no measurement of `allocs` can meet this",
            ),
        ] {
            let text = marked.replace(['«', '»'], "");
            let mistake = Requirements::read(&text, Runs::Once)
                .map(|_| ())
                .expect_err("this is a mistake");
            assert_eq!(
                (mistake.marked(), mistake.message()),
                (marked.to_owned(), message)
            );
        }
    }
}
