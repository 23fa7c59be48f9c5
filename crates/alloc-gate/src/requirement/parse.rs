//! From a text to a [`Requirement`]. What the limits mean together is not looked
//! at here.
//!
//! ```text
//! requirement = comparison *( "," comparison )
//! comparison  = ( "<" | "<=" | "==" | ">=" | ">" ) limit
//! limit       = number | "baseline"
//! number      = [ "-" ] digits [ "." digits ]        ; "_" between digits
//! ```

use std::ops::Range;

use alloc_results::Ratio;

use super::{Comparison, Limit, Operator, Requirement};

/// Why a text is not a requirement, and which bytes of it are at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequirementError {
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Requirement {
    pub(crate) fn parse(text: &str) -> Result<Self, RequirementError> {
        let mut comparisons = Vec::new();
        let mut begin = 0;
        for part in text.split(',') {
            comparisons.push(comparison(part, begin)?);
            begin += part.len() + 1;
        }
        Ok(Self { comparisons })
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
            Ok(number) => Limit::Number(number),
            Err(NoNumber::TooLong) => {
                return fail(
                    offset,
                    operand.len(),
                    format!("`{operand}` is too large, or has too many decimals"),
                    Some("numbers go up to 18_446_744_073_709_551_615"),
                );
            }
            Err(NoNumber::Unlike) => {
                return fail(
                    offset,
                    operand.len(),
                    format!("`{operand}` is neither a number nor `baseline`"),
                    Some(operand_hint(operand)),
                );
            }
        },
    };
    Ok(Comparison { operator, limit })
}

/// What was probably meant.
fn operand_hint(operand: &str) -> &'static str {
    let has_unit = operand.starts_with(|c: char| c.is_ascii_digit())
        && operand.ends_with(|c: char| c.is_ascii_alphabetic() || c == '%');
    let nearness = strsim::jaro_winkler(operand, "baseline");
    if has_unit {
        "numbers have no unit: bytes are written out, such as `4_096`"
    } else if operand.starts_with("baseline") {
        "`baseline` stands by itself, without a tolerance"
    } else if nearness > 0.75 {
        "did you mean `baseline`?"
    } else {
        "numbers look like `5`, `10_000` or `2.5`"
    }
}

/// Why a text is not a number that rules can have.
enum NoNumber {
    /// It does not look like one.
    Unlike,
    /// It looks like one, and is past what can be compared exactly.
    TooLong,
}

/// A decimal number, exactly.
fn number(text: &str) -> Result<Ratio, NoNumber> {
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
        return Err(NoNumber::Unlike);
    }
    let value = decimal(&whole.replace('_', ""), &fraction.replace('_', ""));
    let value = value.ok_or(NoNumber::TooLong)?;
    Ok(if negative { -value } else { value })
}

/// The number of these digits; `None` when it is past what can be compared
/// exactly.
fn decimal(whole: &str, fraction: &str) -> Option<Ratio> {
    let denominator = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let whole = i128::from(whole.parse::<u64>().ok()?);
    let fraction: i128 = fraction.parse().ok()?;
    let numerator = whole
        .checked_mul(denominator.into())?
        .checked_add(fraction)?;
    Ratio::new(numerator, denominator)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> (&str, String) {
        let error = Requirement::parse(text).expect_err("the requirement is wrong");
        (&text[error.span], error.message)
    }

    #[test]
    fn numbers_are_exact() {
        let limit = |text| Requirement::parse(text).unwrap().comparisons()[0].limit;
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
