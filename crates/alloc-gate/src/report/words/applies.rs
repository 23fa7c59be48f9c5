//! Skipped gates in words.

use crate::evaluation::Skip;
use crate::report::document::{Line, name, words};

/// Why a gate is skipped, in words.
pub(in crate::report) fn skip_words(skip: &Skip) -> Line {
    match skip {
        Skip::NotSelected => words!("none of its scenarios was selected"),
        Skip::OthersNotSelected => {
            words!("the scenarios that it compares with were not selected")
        }
        Skip::When {
            condition,
            target,
            debug_assertions,
        } => {
            let assertions = match debug_assertions {
                None => "",
                Some(true) => " with debug assertions",
                Some(false) => " without debug assertions",
            };
            words!(
                "{} does not hold for {}{}",
                name(format!("when {condition}")),
                target,
                assertions
            )
        }
        Skip::Rustc { requirement, rustc } => words!(
            "{} does not hold for {}",
            name(format!("rustc {requirement}")),
            rustc
        ),
        Skip::Unanswered => words!("it is not known whether it applies"),
    }
}
