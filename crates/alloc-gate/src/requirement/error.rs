//! [`RequirementError`]: why a text is not a requirement.

use std::ops::Range;

use alloc_requirement::{Mistake, Piece, SyntaxError};

use crate::diagnostic::Code;

/// Why a text is not a requirement, with the bytes of the mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequirementError {
    pub(crate) code: Code,
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl RequirementError {
    /// An error of the code [`Code::BadRequirement`].
    pub(super) fn new(piece: Piece<'_>, message: String, hint: &str) -> Self {
        Self {
            code: Code::BadRequirement,
            span: piece.span(),
            message,
            hint: Some(hint.to_owned()),
        }
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

/// A hint for a limit that is not a number.
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
