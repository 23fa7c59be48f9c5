//! [`Requirements`]: the requirements in the text of an assertion, or the mistake in it.

use std::fmt;
use std::ops::Range;

use alloc_results::{Metric, Mistake, Operator, Ratio, SyntaxError, Unit, Written};

use super::measurement::{AssertedMetric, Measurement};

/// The requirements of an assertion. Each can fail.
pub(super) struct Requirements {
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

/// How often the operation of an assertion runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runs {
    Once,
    /// There can be requirements on all repeats together.
    Repeated,
}

impl Requirements {
    pub(super) fn read(text: &str, runs: Runs) -> Result<Self, String> {
        let mut current = (Statistic::Each, AssertedMetric::Counted(Metric::Allocs));
        let mut list = Vec::new();
        for written in alloc_results::comparisons(text) {
            let requirement = read_one(text, &written, current)?;
            let mistake =
                |what: String, hint| Err(mistake(text, written.whole.span(), &what, hint));
            if requirement.statistic != Statistic::Each && runs == Runs::Once {
                return mistake(
                    format!("`{requirement}` needs repeats, but this runs once"),
                    "use `Steady`, or `assert_allocs!(..., repeats = 100)`",
                );
            }
            if requirement.can_not_fail() {
                let metric = requirement.metric;
                return mistake(
                    format!("`{metric}` is never below 0, so `{requirement}` can't fail"),
                    "an assertion that can't fail tests nothing; write an upper limit",
                );
            }
            current = (requirement.statistic, requirement.metric);
            list.push(requirement);
        }
        Ok(Self { list })
    }

    /// The requirements on each repeat that don't hold for one measurement. One doesn't hold if
    /// its metric was not measured.
    pub(super) fn broken(&self, measurement: &Measurement) -> Vec<Broken<'_>> {
        let each = self.list.iter();
        let each = each.filter(|one| one.statistic == Statistic::Each);
        let each = each.map(|one| Broken::new(one, one.metric.value(measurement), 1));
        each.flatten().collect()
    }
}

/// A requirement that does not hold.
pub(super) struct Broken<'r> {
    pub(super) requirement: &'r Requirement,
    /// The value of its metric, or the sum over the repeats, if it was measured.
    value: Option<i128>,
    repeats: u64,
    /// What is compared.
    compared: Option<Ratio>,
}

impl<'r> Broken<'r> {
    /// `None` if the requirement holds.
    pub(super) fn new(
        requirement: &'r Requirement,
        value: Option<i128>,
        repeats: u64,
    ) -> Option<Self> {
        let compared = value.and_then(|value| match requirement.statistic {
            Statistic::Mean => Ratio::new(value, repeats),
            Statistic::Each | Statistic::Total => Some(Ratio::whole(value)),
        });
        let Requirement {
            operator, limit, ..
        } = requirement;
        let holds = compared.is_some_and(|compared| operator.holds(&compared, limit));
        (!holds).then_some(Self {
            requirement,
            value,
            repeats,
            compared,
        })
    }

    pub(super) fn is_of_each(&self) -> bool {
        self.requirement.statistic == Statistic::Each
    }

    pub(super) fn is_of_each_alloc(&self) -> bool {
        self.is_of_each() && self.requirement.metric == AssertedMetric::Counted(Metric::Allocs)
    }

    /// Whether an upper limit, or an exact one, is below what was measured.
    pub(super) fn is_exceeded(&self) -> bool {
        let is_upper = match self.requirement.operator {
            Operator::Less | Operator::LessOrEqual | Operator::Equal => true,
            Operator::GreaterOrEqual | Operator::Greater => false,
        };
        is_upper && self.compared >= Some(self.requirement.limit)
    }
}

/// What was measured instead.
impl fmt::Display for Broken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(value) = self.value else {
            return f.write_str("which was not measured");
        };
        let (shown, repeats) = (Ratio::whole(value), self.repeats);
        match self.requirement.statistic {
            Statistic::Each => write!(f, "got {shown}"),
            Statistic::Total => write!(f, "got {shown} in {repeats} repeats"),
            Statistic::Mean => {
                // Only shown; the exact sum follows.
                let mean = value as f64 / repeats as f64;
                write!(f, "got {mean:.2} ({shown} in {repeats} repeats)")
            }
        }
    }
}

impl Requirement {
    /// Whether every possible value meets it.
    fn can_not_fail(&self) -> bool {
        !self.metric.definition().is_signed
            && match self.operator {
                Operator::GreaterOrEqual => self.limit <= Ratio::ZERO,
                Operator::Greater => self.limit < Ratio::ZERO,
                Operator::Less | Operator::LessOrEqual | Operator::Equal => false,
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
) -> Result<Requirement, String> {
    // The operator is read before the name: the mistake in `5` is the missing operator.
    let operator = written.operator().map_err(|error| syntax(text, error))?;
    let (statistic, name) = match statistic(written.name.text) {
        Some((statistic, name)) => (statistic, name),
        None if written.name.text.is_empty() => (current.0, ""),
        None => (Statistic::Each, written.name.text),
    };
    let metric = match name {
        "" => current.1,
        name => AssertedMetric::called(name).ok_or_else(|| {
            let what = format!("unknown metric `{name}`");
            let mut known = AssertedMetric::all().map(AssertedMetric::name);
            let lacks_letters = |word: &str, of: &str| {
                let mut letters = of.chars();
                word.chars().all(|it| letters.any(|letter| letter == it))
            };
            let meant = known.find(|it| lacks_letters(name, it) || lacks_letters(it, name));
            let hint = meant.map(|meant| format!("did you mean `{meant}`?"));
            let hint = hint.as_deref().unwrap_or("the metrics are listed below");
            mistake(text, written.name.span(), &what, hint)
        })?,
    };
    let limit = written.amount().map_err(|error| syntax(text, error))?;
    if let (Some(unit), Unit::Count) = (limit.unit(), metric.definition().unit) {
        let what = format!("`{metric}` is a count, but `{unit}` is a unit of bytes");
        let hint = format!("remove the unit: `{metric} {operator} {}`", limit.number());
        return Err(mistake(text, written.limit.span(), &what, &hint));
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
fn syntax(text: &str, error: SyntaxError) -> String {
    let hint = match &error.mistake {
        Mistake::NoComparison => "write a comparison such as `allocs <= 5`, or remove the comma",
        Mistake::NoOperator(_) => "write a comparison such as `allocs == 0`",
        Mistake::UnknownOperator(_) => "the comparators are listed below",
        Mistake::NotANumber(limit) if limit.contains('{') => {
            "pass `format_args!(\"bytes <= {}\", limit)` to fill in a limit"
        }
        Mistake::NoLimit(_) | Mistake::NotANumber(_) => {
            "numbers look like `5`, `10_000` or `2.5`, and bytes like `4 KiB` too"
        }
        Mistake::UnknownUnit(_) => "the units are `B`, `KiB`, `MiB`, `GiB`, `kB`, `MB` and `GB`",
        Mistake::TooLong(_) => "the largest number is 18_446_744_073_709_551_615",
    };
    mistake(text, error.span, &error.mistake.to_string(), hint)
}

/// The message of a mistake in a text, with a hint what to write instead.
fn mistake(text: &str, span: Range<usize>, what: &str, hint: &str) -> String {
    let characters = |bytes: Range<usize>| text.get(bytes).unwrap_or_default().chars().count();
    // The text on one line, in which each character keeps its column.
    let line = text.replace(char::is_control, " ");
    let margin = " ".repeat(characters(0..span.start));
    // At least one character is underlined.
    let underline = "^".repeat(characters(span).max(1));
    let metrics = AssertedMetric::all().map(AssertedMetric::name);
    let metrics = metrics.collect::<Vec<_>>().join(", ");
    format!(
        "not a requirement on allocations: {what}\n    \
         {line}\n    \
         {margin}{underline}\n  \
         hint:        {hint}\n  \
         form:        METRIC COMPARATOR NUMBER, joined by commas: `allocs <= 2, net-bytes == 0`\n  \
         metrics:     {metrics}\n  \
         comparators: <, <=, ==, >=, >"
    )
}

#[cfg(test)]
mod tests {
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
}
