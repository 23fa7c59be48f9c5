//! From a text to a [`Requirement`]: what comparisons are written, and what
//! rules make of them beyond that grammar. What the limits mean together is not
//! looked at here.
//!
//! ```text
//! requirement = comparison *( "," comparison )
//! comparison  = ( "<" | "<=" | "==" | ">=" | ">" ) limit
//! limit       = number | "baseline"
//! number      = [ "-" ] digits [ "." digits ]        ; "_" between digits
//! ```

use std::ops::Range;

use alloc_requirement::{Mistake, SyntaxError, Written, comparisons};

use super::{Comparison, Limit, Requirement};

/// Why a text is not a requirement, and which bytes of it are at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequirementError {
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Requirement {
    pub(crate) fn parse(text: &str) -> Result<Self, RequirementError> {
        let mut read = Vec::new();
        for written in comparisons(text) {
            read.push(comparison(&written)?);
        }
        Ok(Self { comparisons: read })
    }
}

fn comparison(written: &Written<'_>) -> Result<Comparison, SyntaxError> {
    // The metric is the key in front of the requirement.
    if !written.name.text.is_empty() {
        return Err(written.whole.is(Mistake::NoOperator));
    }
    let operator = written.operator()?;
    let limit = match written.limit.text {
        "baseline" => Limit::Baseline,
        _ => Limit::Number(written.number()?),
    };
    Ok(Comparison { operator, limit })
}

impl From<SyntaxError> for RequirementError {
    fn from(error: SyntaxError) -> Self {
        let hint = match &error.mistake {
            Mistake::NoComparison => "write it like `<= 5`, several joined by commas",
            Mistake::NoOperator(_) => "begin with one of `<`, `<=`, `==`, `>=`, `>`",
            Mistake::UnknownOperator(_) => "known are `<`, `<=`, `==`, `>=`, `>`",
            Mistake::NoLimit(_) => "give a number or `baseline`",
            Mistake::NotANumber(limit) => limit_hint(limit),
            Mistake::TooLong(_) => "numbers go up to 18_446_744_073_709_551_615",
        };
        let message = match &error.mistake {
            Mistake::NotANumber(limit) => format!("`{limit}` is neither a number nor `baseline`"),
            Mistake::NoComparison
            | Mistake::NoOperator(_)
            | Mistake::UnknownOperator(_)
            | Mistake::NoLimit(_)
            | Mistake::TooLong(_) => error.mistake.to_string(),
        };
        Self {
            span: error.span,
            message,
            hint: Some(hint.to_owned()),
        }
    }
}

/// What was probably meant.
fn limit_hint(limit: &str) -> &'static str {
    let has_unit = limit.starts_with(|c: char| c.is_ascii_digit())
        && limit.ends_with(|c: char| c.is_ascii_alphabetic() || c == '%');
    let nearness = strsim::jaro_winkler(limit, "baseline");
    if has_unit {
        "numbers have no unit: bytes are written out, such as `4_096`"
    } else if limit.starts_with("baseline") {
        "`baseline` stands by itself, without a tolerance"
    } else if nearness > 0.75 {
        "did you mean `baseline`?"
    } else {
        "numbers look like `5`, `10_000` or `2.5`"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> (&str, String) {
        let error = Requirement::parse(text).expect_err("the requirement is wrong");
        (&text[error.span], error.message)
    }

    #[test]
    fn mistakes_point_at_the_text() {
        for (text, at, message) in [
            ("5", "5", "`5` does not say how to compare"),
            (
                "allocs < 5",
                "allocs < 5",
                "`allocs < 5` does not say how to compare",
            ),
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
                "`18446744073709551616` is too large, or has too many decimals",
            ),
            (
                "< 18446744073709551615.0000000000000000001",
                "18446744073709551615.0000000000000000001",
                "`18446744073709551615.0000000000000000001` is too large, or has too many decimals",
            ),
            (
                "< 0.00000000000000000001",
                "0.00000000000000000001",
                "`0.00000000000000000001` is too large, or has too many decimals",
            ),
            ("< ä", "ä", "`ä` is neither a number nor `baseline`"),
        ] {
            assert_eq!(error(text), (at, message.to_owned()), "{text}");
        }
    }
}
