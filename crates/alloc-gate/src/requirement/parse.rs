//! From a text to a [`Requirement`]: what comparisons are written, and what
//! rules make of them beyond that grammar. What the limits mean together is not
//! looked at here.
//!
//! ```text
//! requirement = comparison *( "," comparison )
//! comparison  = ( "<" | "<=" | "==" | ">=" | ">" ) limit
//! limit       = amount | baseline | scenario
//! baseline    = "baseline" [ ( "+" | "-" | "±" ) ( amount | number "%" ) ]
//! scenario    = [ number "*" ] "[" name "]"
//! amount      = number [ "B" | "KiB" | "MiB" | "GiB" | "kB" | "MB" | "GB" ]
//! number      = [ "-" ] digits [ "." digits ]        ; "_" between digits
//! growth      = "O(1)" | "O(log n)" | "O(n)" | "O(n log n)" | "O(n^2)"
//! ```

use std::ops::Range;

use alloc_requirement::{
    Amount, Mistake, Number, Operator, Piece, SyntaxError, Written, comparisons,
};

use super::{Comparison, Limit, Margin, MarginSize, Reference, Requirement, Share, Side};
use crate::diagnostic::{Code, suggest};
use crate::growth::GrowthClass;
use crate::{Measure, Statistic};

/// Why a text is not a requirement, and which bytes of it are at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequirementError {
    pub(crate) code: Code,
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Requirement {
    /// Reads one of any metric and statistic but `growth`.
    pub(crate) fn parse(text: &str) -> Result<Self, RequirementError> {
        let comparisons = comparisons(text).map(|written| comparison(&written));
        Ok(Self {
            comparisons: comparisons.collect::<Result<_, _>>()?,
        })
    }

    /// Reads one of `measure` and `statistic`, which have to be able to meet it.
    pub(crate) fn parse_for(
        text: &str,
        measure: &Measure,
        statistic: Statistic,
    ) -> Result<Self, RequirementError> {
        if statistic == Statistic::Growth {
            return growth(text);
        }
        let requirement = Self::parse(text)?;
        for (written, comparison) in comparisons(text).zip(&requirement.comparisons) {
            suits(written.limit, &comparison.limit, measure)?;
        }
        Ok(requirement)
    }
}

fn growth(text: &str) -> Result<Requirement, RequirementError> {
    let class = GrowthClass::ALL
        .into_iter()
        .find(|class| class.name().replace(' ', "") == text.replace(char::is_whitespace, ""));
    match class {
        Some(class) => Ok(Requirement::from(Comparison {
            operator: Operator::LessOrEqual,
            limit: Limit::Growth(class),
        })),
        None => Err(RequirementError {
            code: Code::BadRequirement,
            span: 0..text.len(),
            message: format!("`{text}` is no class of growth"),
            hint: Some(suggest(text, GrowthClass::ALL.map(GrowthClass::name))),
        }),
    }
}

fn comparison(written: &Written<'_>) -> Result<Comparison, RequirementError> {
    // The metric is the key in front of the requirement.
    if !written.name.text.is_empty() {
        return Err(written.whole.is(Mistake::NoOperator).into());
    }
    let operator = written.operator()?;
    let limit = limit(written.limit)?;
    if let Limit::Baseline(Some(margin)) = limit
        && (margin.side == Side::Around) != (operator == Operator::Equal)
    {
        return Err(misplaced_margin(written, operator));
    }
    Ok(Comparison { operator, limit })
}

/// A tolerance to both sides is one of `==`, and one to a side is none of it.
fn misplaced_margin(written: &Written<'_>, operator: Operator) -> RequirementError {
    let hint = match operator {
        Operator::Equal => "write `== baseline ± 5%` for both sides, or `<= baseline + 5%`",
        Operator::Less | Operator::LessOrEqual | Operator::GreaterOrEqual | Operator::Greater => {
            "`±` goes with `==`; write `<= baseline + 5%` for an upper limit"
        }
    };
    wrong(
        written.whole,
        format!("`{}` does not say what is allowed", written.whole.text),
        hint,
    )
}

fn limit(piece: Piece<'_>) -> Result<Limit, RequirementError> {
    if piece.text.ends_with(']') || piece.text.contains('[') {
        return share(piece).map(Limit::Scenario);
    }
    if !piece.text.starts_with("baseline") {
        return Ok(Limit::Number(piece.amount()?));
    }
    let (_, rest) = piece.split_at("baseline".len());
    let rest = rest.trim();
    let Some(sign) = rest.text.chars().next() else {
        return Ok(Limit::Baseline(None));
    };
    let side = match sign {
        '+' => Side::Above,
        '-' => Side::Below,
        '±' => Side::Around,
        _ => return Err(piece.is(Mistake::NotANumber).into()),
    };
    let (_, size) = rest.split_at(sign.len_utf8());
    let size = margin_size(size.trim())?;
    Ok(Limit::Baseline(Some(Margin { side, size })))
}

/// `5`, `64 B` or `5%`.
pub(crate) fn margin_size(piece: Piece<'_>) -> Result<MarginSize, RequirementError> {
    let percent = piece.text.strip_suffix('%');
    let size = match percent {
        Some(number) => MarginSize::Percent(whole_number(piece.split_at(number.len()).0.trim())?),
        None => MarginSize::Amount(piece.amount()?),
    };
    let number = match size {
        MarginSize::Percent(number) => number,
        MarginSize::Amount(amount) => amount.value(),
    };
    if number < Number::ZERO {
        return Err(wrong(
            piece,
            format!("`{}` is below 0", piece.text),
            "a tolerance has no sign; the one before it says to which side",
        ));
    }
    Ok(size)
}

/// `0.5 * [scenario]`.
fn share(piece: Piece<'_>) -> Result<Share, RequirementError> {
    let bracket = piece.text.find('[');
    let closes = piece.text.ends_with(']');
    let (Some(bracket), true) = (bracket, closes) else {
        return Err(wrong(
            piece,
            format!("`{}` has a bracket without its partner", piece.text),
            "another scenario is written `[name]`, or `0.5 * [name]`",
        ));
    };
    let (factor, name) = piece.split_at(bracket);
    let factor = factor.trim();
    let (_, name) = name.split_at(1);
    let (name, _) = name.split_at(name.text.len() - 1);
    let name = name.trim();
    let factor = match factor.text.strip_suffix('*') {
        None if factor.text.is_empty() => Number::from(1),
        None => {
            return Err(wrong(
                factor,
                format!(
                    "`{}` does not say how it goes with the scenario",
                    factor.text
                ),
                "a factor is written `0.5 * [name]`",
            ));
        }
        Some(number) => {
            let number = factor.split_at(number.len()).0.trim();
            let factor = whole_number(number)?;
            if factor <= Number::ZERO {
                return Err(wrong(
                    number,
                    format!("the factor `{}` is not above 0", number.text),
                    "give a factor such as `0.5`, or compare with a number",
                ));
            }
            factor
        }
    };
    if name.text.is_empty() {
        return Err(wrong(
            piece,
            String::from("no scenario stands in the brackets"),
            "`cargo alloc-gate list` prints the full names",
        ));
    }
    let reference = Reference::new(name.text).ok_or_else(|| {
        wrong(
            name,
            format!("`{}` can be several scenarios", name.text),
            "`*` stands for the judged scenario's value of an axis, as in `[decode/rows=*]`",
        )
    })?;
    Ok(Share { factor, reference })
}

/// A number without a unit.
fn whole_number(piece: Piece<'_>) -> Result<Number, RequirementError> {
    let amount: Amount = piece.amount()?;
    if amount.unit().is_some() {
        return Err(piece.is(Mistake::NotANumber).into());
    }
    Ok(amount.value())
}

/// Whether a limit can be one of `measure`.
fn suits(piece: Piece<'_>, limit: &Limit, measure: &Measure) -> Result<(), RequirementError> {
    let amount = match limit {
        Limit::Number(amount) => Some(amount),
        Limit::Baseline(Some(Margin {
            size: MarginSize::Amount(amount),
            ..
        })) => Some(amount),
        Limit::Baseline(_) | Limit::Scenario(_) | Limit::Growth(_) => None,
    };
    if let Some(unit) = amount.and_then(Amount::unit)
        && !measure.is_bytes()
    {
        return Err(RequirementError {
            code: Code::UnitMismatch,
            ..wrong(
                piece,
                format!("`{measure}` is not measured in bytes, and `{unit}` is a unit of them"),
                "leave the unit out",
            )
        });
    }
    match (measure, limit) {
        (_, Limit::Number(_) | Limit::Baseline(_)) if measure.is_time() => Err(RequirementError {
            code: Code::AbsoluteTime,
            ..wrong(
                piece,
                String::from("a time says nothing on another machine"),
                "compare it with another scenario of the same run: `<= 0.8 * [name]`",
            )
        }),
        (Measure::ForeignAllocs, Limit::Baseline(_)) => Err(wrong(
            piece,
            String::from("the baseline does not keep what other threads did"),
            "give a number",
        )),
        (Measure::Faults, Limit::Baseline(_)) => Err(wrong(
            piece,
            String::from("the baseline does not keep what went wrong"),
            "give a number, such as `== 0`",
        )),
        _ => Ok(()),
    }
}

fn wrong(piece: Piece<'_>, message: String, hint: &str) -> RequirementError {
    RequirementError {
        code: Code::BadRequirement,
        span: piece.span(),
        message,
        hint: Some(hint.to_owned()),
    }
}

impl From<SyntaxError> for RequirementError {
    fn from(error: SyntaxError) -> Self {
        let hint = match &error.mistake {
            Mistake::NoComparison => "write it like `<= 5`, several joined by commas",
            Mistake::NoOperator(_) => "begin with one of `<`, `<=`, `==`, `>=`, `>`",
            Mistake::UnknownOperator(_) => "known are `<`, `<=`, `==`, `>=`, `>`",
            Mistake::NoLimit(_) => "give a number, `baseline` or `[scenario]`",
            Mistake::NotANumber(limit) => limit_hint(limit),
            Mistake::TooLong(_) => "numbers go up to 18_446_744_073_709_551_615",
            Mistake::UnknownUnit(_) => "known are `B`, `KiB`, `MiB`, `GiB`, `kB`, `MB`, `GB`",
        };
        let message = match &error.mistake {
            Mistake::NotANumber(limit) => format!("`{limit}` is neither a number nor `baseline`"),
            Mistake::NoComparison
            | Mistake::NoOperator(_)
            | Mistake::UnknownOperator(_)
            | Mistake::NoLimit(_)
            | Mistake::TooLong(_)
            | Mistake::UnknownUnit(_) => error.mistake.to_string(),
        };
        Self {
            code: match &error.mistake {
                Mistake::UnknownUnit(_) => Code::UnknownUnit,
                Mistake::UnknownOperator(_) => Code::UnknownOperator,
                Mistake::NoComparison
                | Mistake::NoOperator(_)
                | Mistake::NoLimit(_)
                | Mistake::NotANumber(_)
                | Mistake::TooLong(_) => Code::BadRequirement,
            },
            span: error.span,
            message,
            hint: Some(hint.to_owned()),
        }
    }
}

/// What was probably meant.
fn limit_hint(limit: &str) -> &'static str {
    let nearness = strsim::jaro_winkler(limit, "baseline");
    if limit.starts_with("baseline") {
        "write a tolerance like `baseline + 5%`, `baseline + 64 B` or `baseline - 2`"
    } else if nearness > 0.75 {
        "did you mean `baseline`?"
    } else if limit.ends_with('%') {
        "a percentage is one of the baseline: `baseline + 5%`"
    } else {
        "numbers look like `5`, `10_000`, `2.5` or `4 KiB`"
    }
}

#[cfg(test)]
mod tests {
    use alloc_results::Metric;

    use super::*;

    fn error(text: &str) -> (&str, String) {
        let error = Requirement::parse(text).expect_err("the requirement is wrong");
        (&text[error.span], error.message)
    }

    #[test]
    fn mistakes_point_at_the_text() {
        for (text, at, message) in [
            ("5", "5", "`5` has no comparison operator"),
            (
                "allocs < 5",
                "allocs < 5",
                "`allocs < 5` has no comparison operator",
            ),
            ("=< 5", "=<", "unknown operator `=<`"),
            ("= 5", "=", "unknown operator `=`"),
            ("<", "<", "a limit is missing after `<`"),
            ("< 5, ", "", "a comparison is missing"),
            ("", "", "a comparison is missing"),
            ("< 5, <= x", "x", "`x` is neither a number nor `baseline`"),
            ("< 5 kb", "kb", "unknown unit `kb`"),
            (
                "< 1__0",
                "1__0",
                "`1__0` is neither a number nor `baseline`",
            ),
            ("< 5.", "5.", "`5.` is neither a number nor `baseline`"),
            ("< 5 6", "5 6", "`5 6` is neither a number nor `baseline`"),
            ("< 5 %", "5 %", "`5 %` is neither a number nor `baseline`"),
            (
                "< 18446744073709551616",
                "18446744073709551616",
                "`18446744073709551616` is too large, or has too many decimals",
            ),
            (
                "< 18446744073709551615 KiB",
                "18446744073709551615 KiB",
                "`18446744073709551615 KiB` is too large, or has too many decimals",
            ),
            (
                "< 0.00000000000000000001",
                "0.00000000000000000001",
                "`0.00000000000000000001` is too large, or has too many decimals",
            ),
            ("< ä", "ä", "`ä` is neither a number nor `baseline`"),
            (
                "<= baseline5%",
                "baseline5%",
                "`baseline5%` is neither a number nor `baseline`",
            ),
            (
                "<= baseline + ",
                "",
                "`` is neither a number nor `baseline`",
            ),
            ("<= baseline + -5", "-5", "`-5` is below 0"),
            (
                "<= baseline ± 5",
                "<= baseline ± 5",
                "`<= baseline ± 5` does not say what is allowed",
            ),
            (
                "== baseline + 5",
                "== baseline + 5",
                "`== baseline + 5` does not say what is allowed",
            ),
            (
                "<= 2 * old]",
                "2 * old]",
                "`2 * old]` has a bracket without its partner",
            ),
            (
                "<= 2 [old]",
                "2",
                "`2` does not say how it goes with the scenario",
            ),
            ("<= 0 * [old]", "0", "the factor `0` is not above 0"),
            (
                "<= 2 B * [old]",
                "2 B",
                "`2 B` is neither a number nor `baseline`",
            ),
            ("<= 2 * []", "2 * []", "no scenario stands in the brackets"),
            ("<= 2 * [o*]", "o*", "`o*` can be several scenarios"),
        ] {
            assert_eq!(error(text), (at, message.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_limit_has_to_suit_what_is_judged() {
        let allocs = Measure::from(Metric::Allocs);
        for (text, measure, code) in [
            ("<= 4 KiB", &allocs, Some(Code::UnitMismatch)),
            ("<= baseline + 4 B", &allocs, Some(Code::UnitMismatch)),
            ("<= 4 KiB", &Metric::PeakBytes.into(), None),
            ("<= 5", &Measure::Time, Some(Code::AbsoluteTime)),
            ("<= baseline", &Measure::Time, Some(Code::AbsoluteTime)),
            ("<= 0.5 * [old]", &Measure::Time, None),
            ("<= 5 GB", &Measure::Time, Some(Code::UnitMismatch)),
            (
                "<= baseline",
                &Measure::ForeignAllocs,
                Some(Code::BadRequirement),
            ),
        ] {
            let found = Requirement::parse_for(text, measure, Statistic::Mean);
            assert_eq!(found.err().map(|error| error.code), code, "{text}");
        }
    }

    #[test]
    fn growth_is_a_class() {
        let read = |text| {
            Requirement::parse_for(text, &Metric::Allocs.into(), Statistic::Growth)
                .map(|requirement| requirement.to_string())
                .map_err(|error| error.message)
        };
        assert_eq!(read("O(n  log n)"), Ok("O(n log n)".to_owned()));
        assert_eq!(read(" O(1)"), Ok("O(1)".to_owned()));
        assert_eq!(read("<= 5"), Err("`<= 5` is no class of growth".to_owned()));
    }
}
