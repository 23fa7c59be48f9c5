//! [`Requirement`]: comparators joined by commas, all of which must hold, as in
//! a Cargo version requirement.
//!
//! ```text
//! requirement = comparison *( "," comparison )
//! comparison  = ( "<" | "<=" | "==" | ">=" | ">" ) limit
//! limit       = number | "baseline"
//! number      = [ "-" ] digits [ "." digits ]        ; "_" between digits
//! ```

use std::fmt;
use std::ops::Range;

use alloc_results::{Metric, Ratio, mean};

/// What a figure has to be: all comparisons hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    comparisons: Vec<Comparison>,
}

/// One comparison of a figure with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How the figure relates to the limit.
    pub operator: Operator,
    /// What it is compared with.
    pub limit: Limit,
}

/// How a figure relates to its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `==`
    Equal,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
}

/// What a figure is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A number, exactly.
    Number(Ratio),
    /// The same figure in the baseline.
    Baseline,
}

/// Why a text is not a requirement, and which bytes of it are at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequirementError {
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

/// Why a requirement is pointless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointless {
    /// No figure can break the comparison of this index.
    CannotFail(usize),
    /// No figure can meet all comparisons.
    CannotHold,
}

impl Requirement {
    /// The single comparisons; at least one.
    #[must_use]
    pub fn comparisons(&self) -> &[Comparison] {
        &self.comparisons
    }

    /// Whether a baseline is needed to judge by it.
    #[must_use]
    pub fn needs_baseline(&self) -> bool {
        self.comparisons
            .iter()
            .any(|comparison| comparison.limit == Limit::Baseline)
    }

    pub(crate) fn parse(text: &str) -> Result<Self, RequirementError> {
        let mut comparisons = Vec::new();
        let mut begin = 0;
        for part in text.split(',') {
            comparisons.push(comparison(part, begin)?);
            begin += part.len() + 1;
        }
        Ok(Self { comparisons })
    }

    /// Whether judging `metric` by this can have but one outcome, as far as the
    /// numbers in it tell.
    pub(crate) fn pointless(&self, metric: Metric) -> Option<Pointless> {
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
        // The range that is left: bounds, and whether each is part of it.
        let mut low: Option<(Ratio, bool)> = floor.map(|floor| (floor, true));
        let mut high: Option<(Ratio, bool)> = None;
        for comparison in &self.comparisons {
            let Limit::Number(limit) = comparison.limit else {
                continue;
            };
            let (above, below) = match comparison.operator {
                Operator::Less => (None, Some((limit, false))),
                Operator::LessOrEqual => (None, Some((limit, true))),
                Operator::Equal => (Some((limit, true)), Some((limit, true))),
                Operator::GreaterOrEqual => (Some((limit, true)), None),
                Operator::Greater => (Some((limit, false)), None),
            };
            if let Some(above) = above
                && low.is_none_or(|low| above.0 > low.0 || (above.0 == low.0 && !above.1))
            {
                low = Some(above);
            }
            if let Some(below) = below
                && high.is_none_or(|high| below.0 < high.0 || (below.0 == high.0 && !below.1))
            {
                high = Some(below);
            }
        }
        let (low, high) = (low?, high?);
        let empty = low.0 > high.0 || (low.0 == high.0 && !(low.1 && high.1));
        empty.then_some(Pointless::CannotHold)
    }
}

impl Operator {
    /// Whether `value` is to `limit` as the operator says.
    #[must_use]
    pub fn holds(self, value: Ratio, limit: Ratio) -> bool {
        match self {
            Self::Less => value < limit,
            Self::LessOrEqual => value <= limit,
            Self::Equal => value == limit,
            Self::GreaterOrEqual => value >= limit,
            Self::Greater => value > limit,
        }
    }

    /// As it is written.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "==",
            Self::GreaterOrEqual => ">=",
            Self::Greater => ">",
        }
    }
}

fn comparison(part: &str, begin: usize) -> Result<Comparison, RequirementError> {
    let trimmed = part.trim();
    let start = begin + (part.len() - part.trim_start().len());
    let fail = |offset: usize, length: usize, message: String, hint: Option<&str>| {
        Err(RequirementError {
            span: start + offset..start + offset + length,
            message,
            hint: hint.map(str::to_owned),
        })
    };
    if trimmed.is_empty() {
        return fail(
            0,
            0,
            String::from("a comparison is missing"),
            Some("write it like `<= 5`, several joined by commas"),
        );
    }
    let symbol: &str = &trimmed[..trimmed
        .find(|c: char| !"<>=!~^".contains(c))
        .unwrap_or(trimmed.len())];
    let operator = match symbol {
        "<" => Operator::Less,
        "<=" => Operator::LessOrEqual,
        "==" => Operator::Equal,
        ">=" => Operator::GreaterOrEqual,
        ">" => Operator::Greater,
        "" => {
            return fail(
                0,
                trimmed.len(),
                format!("`{trimmed}` does not say how to compare"),
                Some("begin with one of `<`, `<=`, `==`, `>=`, `>`"),
            );
        }
        _ => {
            return fail(
                0,
                symbol.len(),
                format!("unknown operator `{symbol}`"),
                Some("known are `<`, `<=`, `==`, `>=`, `>`"),
            );
        }
    };
    let rest = &trimmed[symbol.len()..];
    let operand = rest.trim_start();
    let offset = trimmed.len() - operand.len();
    if operand.is_empty() {
        return fail(
            0,
            symbol.len(),
            format!("nothing stands after `{symbol}`"),
            Some("give a number or `baseline`"),
        );
    }
    let limit = match operand {
        "baseline" => Limit::Baseline,
        _ => match number(operand) {
            Some(number) => Limit::Number(number),
            None => {
                return fail(
                    offset,
                    operand.len(),
                    format!("`{operand}` is neither a number nor `baseline`"),
                    Some("numbers look like `5`, `10_000` or `2.5`"),
                );
            }
        },
    };
    Ok(Comparison { operator, limit })
}

/// A decimal number, exactly; `None` when it is none, or too large.
fn number(text: &str) -> Option<Ratio> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_digit())
            && part.ends_with(|c: char| c.is_ascii_digit())
            && !part.contains("__")
            && part.bytes().all(|b| b == b'_' || b.is_ascii_digit())
    };
    if !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let fraction = fraction.replace('_', "");
    let denominator = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let whole: i128 = i128::from(whole.replace('_', "").parse::<u64>().ok()?);
    let fraction: i128 = fraction.parse().ok()?;
    let value = Ratio::new(whole * i128::from(denominator) + fraction, denominator)?;
    Some(if negative { -value } else { value })
}

/// As it is written: `< 5, >= 1`.
impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, comparison) in self.comparisons.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            comparison.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operator.symbol(), self.limit)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => f.write_str(&mean(*number, 0)),
            Self::Baseline => f.write_str("baseline"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Requirement {
        Requirement::parse(text).unwrap()
    }

    fn error(text: &str) -> (&str, String) {
        let error = Requirement::parse(text).unwrap_err();
        (&text[error.span], error.message)
    }

    #[test]
    fn requirements_read_like_version_requirements() {
        for (text, shown) in [
            ("< 5", "< 5"),
            ("<=10_000", "<= 10,000"),
            (" == 2.50 ", "== 2.5"),
            (">= 1, < 3", ">= 1, < 3"),
            ("> -4", "> -4"),
            ("<= baseline", "<= baseline"),
        ] {
            assert_eq!(parse(text).to_string(), shown);
        }
    }

    #[test]
    fn numbers_are_exact() {
        let limit = |text| parse(text).comparisons()[0].limit;
        assert_eq!(limit("== 0.1"), Limit::Number(Ratio::new(1, 10).unwrap()));
        assert_eq!(limit("== -2.5"), Limit::Number(Ratio::new(-5, 2).unwrap()));
        assert_eq!(
            limit("== 18446744073709551615"),
            Limit::Number(Ratio::whole(u64::MAX.into()))
        );
    }

    #[test]
    fn mistakes_point_at_the_text() {
        for (text, at, message) in [
            ("5", "5", "`5` does not say how to compare"),
            ("=< 5", "=<", "unknown operator `=<`"),
            ("= 5", "=", "unknown operator `=`"),
            ("<", "<", "nothing stands after `<`"),
            ("< 5, ", "", "a comparison is missing"),
            ("", "", "a comparison is missing"),
            ("< 5, <= x", "x", "`x` is neither a number nor `baseline`"),
            (
                "< 5 KiB",
                "5 KiB",
                "`5 KiB` is neither a number nor `baseline`",
            ),
            (
                "< 1__0",
                "1__0",
                "`1__0` is neither a number nor `baseline`",
            ),
            ("< 5.", "5.", "`5.` is neither a number nor `baseline`"),
            ("< 5 6", "5 6", "`5 6` is neither a number nor `baseline`"),
            (
                "< 18446744073709551616",
                "18446744073709551616",
                "`18446744073709551616` is neither a number nor `baseline`",
            ),
            ("< ä", "ä", "`ä` is neither a number nor `baseline`"),
        ] {
            assert_eq!(error(text), (at, message.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_cannot_fail_or_cannot_hold_is_found() {
        let check = |text, metric| parse(text).pointless(metric);
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
        ] {
            assert_eq!(check(text, Metric::Allocs), pointless, "{text}");
        }
        assert_eq!(check(">= 0", Metric::NetBytes), None);
        assert_eq!(check("< 0", Metric::NetBytes), None);
    }

    #[test]
    fn operators_compare_exactly() {
        let (a, b) = (Ratio::new(1, 3).unwrap(), Ratio::new(2, 3).unwrap());
        for (operator, less, equal, greater) in [
            (Operator::Less, true, false, false),
            (Operator::LessOrEqual, true, true, false),
            (Operator::Equal, false, true, false),
            (Operator::GreaterOrEqual, false, true, true),
            (Operator::Greater, false, false, true),
        ] {
            assert_eq!(operator.holds(a, b), less);
            assert_eq!(operator.holds(a, a), equal);
            assert_eq!(operator.holds(b, a), greater);
        }
    }
}
