//! The mistakes in the text of a requirement; their spans are in bytes of the text.

use alloc_requirement::{Mistake, Piece, SyntaxError};

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::figure::{Measure, Statistic};

/// A mistake of the code [`Code::BadRequirement`].
pub(super) fn bad_requirement(piece: Piece<'_>, message: String, hint: &str) -> Diagnostic {
    Diagnostic {
        code: Code::BadRequirement,
        span: piece.span(),
        message,
        hint: Some(hint.to_owned()),
    }
}

/// A statistic that does not exist; without a place.
pub(crate) fn unknown_statistic(name: &str) -> Diagnostic {
    Diagnostic {
        code: Code::UnknownStatistic,
        span: 0..0,
        message: format!("unknown statistic `{name}`"),
        hint: Some(suggest(name, Statistic::ALL.map(Statistic::name))),
    }
}

/// A statistic that the metric does not have; without a place.
pub(crate) fn lacks_statistic(metric: &Measure, statistic: Statistic) -> Diagnostic {
    let has = |statistic: &Statistic| metric.has(*statistic);
    let known = Statistic::ALL.into_iter().filter(has);
    Diagnostic {
        code: Code::UnknownStatistic,
        span: 0..0,
        message: format!("`{metric}` has no statistic `{statistic}`"),
        hint: Some(suggest("", known.map(Statistic::name))),
    }
}

impl From<SyntaxError> for Diagnostic {
    fn from(error: SyntaxError) -> Self {
        let bad = Code::BadRequirement;
        let (code, hint) = match &error.mistake {
            Mistake::NoComparison => (
                bad,
                "write a comparison such as `<= 5`, or several joined by commas",
            ),
            Mistake::NoOperator(_) => (bad, "begin with one of `<`, `<=`, `==`, `>=`, `>`"),
            Mistake::UnknownOperator(operator) => (
                Code::UnknownOperator,
                match &**operator {
                    "=" => "write `==` for exactly that many, `<=` for at most",
                    "=<" => "write `<=`",
                    "=>" => "write `>=`",
                    _ => "expected one of `<`, `<=`, `==`, `>=`, `>`",
                },
            ),
            Mistake::NoLimit(_) => (bad, "write a number, `baseline` or `[scenario]`"),
            Mistake::NotANumber(limit) => (bad, limit_hint(limit)),
            Mistake::TooLong(_) => (bad, "numbers go up to 18_446_744_073_709_551_615"),
            Mistake::UnknownUnit(_) => (
                Code::UnknownUnit,
                "expected one of `B`, `KiB`, `MiB`, `GiB`, `kB`, `MB`, `GB`",
            ),
        };
        let message = if let Mistake::NotANumber(limit) = &error.mistake {
            format!("`{limit}` is neither a number nor `baseline`")
        } else {
            error.mistake.to_string()
        };
        Self {
            code,
            span: error.span,
            message,
            hint: Some(hint.to_owned()),
        }
    }
}

/// A hint for a limit that is not a number.
fn limit_hint(limit: &str) -> &'static str {
    let nearness = strsim::jaro_winkler(limit, "baseline");
    if limit.starts_with("baseline") {
        "write a tolerance like `baseline + 5%`, `baseline + 64 B` or `baseline - 2`"
    } else if nearness > 0.75 {
        "did you mean `baseline`?"
    } else if limit.ends_with('%') {
        "a percentage must be of the baseline: `baseline + 5%`"
    } else {
        "numbers look like `5`, `10_000`, `2.5` or `4 KiB`"
    }
}
